import { layoutTabs } from '@drawhouse/rules/layout-tabs';
import { NumberInput } from '@mantine/core';
import { useCallback, useId, useMemo, useRef, useState } from 'react';
import { formatPoints } from '../../../../lib/format.ts';
import { ChoiceButton } from '../../../../ui/ChoiceButton.tsx';
import { sectionRows } from '../grid.ts';
import type { GridProps } from '../grid.ts';
import { useGridKeys } from '../useGridKeys.ts';
import { ChosenWinners } from '../ChosenWinners.tsx';
import { cutoffOf, inOrder, sectionFigures, tierNet, toggledOrder, readMargin } from '../groupMath.ts';
import type { NetOrder } from '../groupMath.ts';
import parts from '../gridParts.module.css';
import { groupTexts } from '../groupTexts.ts';
import { TierTable } from './TierTable.tsx';
import classes from './TiersGrid.module.css';
import { keep, kept } from '../../../../lib/kept.ts';
import type { Panel } from '@drawhouse/contract/live/live';
import type { LayoutTab } from '@drawhouse/rules/layout-tabs';
import type { GameRules } from '@drawhouse/rules/rules';
import { IconCheck, IconLock } from '@tabler/icons-react';
import { TabList } from '../TabList.tsx';

/**
 * Numbers of which each tier has its own winner: a tab for each tier, and its numbers as a list with what each kind of bet has on them, what they pay,
 * and what that leaves. The margin says how much of a tier's collection may be paid; collection, cutoff and net are the tier's own, because each
 * tier has a winner of its own: where every winner keeps its tier's cutoff, the draw keeps the margin as a whole.
 */
export function TiersGrid(props: GridProps) {
  const { panel, rules, layout, selection, result, booster, disabled, dimmed, onToggle } = props;
  const tabs = useMemo(() => layoutTabs(layout), [layout]);
  const ids = { list: useId(), why: useId() };
  const list = useRef<HTMLDivElement>(null);
  const [tierKey, setTierKey] = useState(tabs[0]!.key);
  const [order, setOrder] = useState<NetOrder>('number');
  const margin = useMargin();

  const tab = tabs.find(({ key }) => key === tierKey) ?? tabs[0]!;
  const section = tab.sections[0]!;
  const { slot } = section;
  const rows = sectionRows(panel, section).flat();
  const { collection } = sectionFigures(section, panel, rules);
  const cutoff = cutoffOf(collection, margin.margin);
  const tier = { collection, cutoff, booster };
  const keeping = rows.filter((row) => tierNet(row, tier).keeps).length;
  const selected = selection[slot] ?? null;

  const toggle = useCallback((drawno: string) => onToggle(slot, drawno), [onToggle, slot]);
  const onTyped = useCallback(
    (drawno: string) => {
      if (selected !== drawno) toggle(drawno);
      list.current?.querySelector<HTMLElement>(`[data-drawno="${drawno}"] button`)?.focus();
    },
    [selected, toggle],
  );
  const drawnos = useMemo(() => section.rows.flat().map((index) => rules.outcomes[index]!.drawno), [section, rules]);
  useGridKeys(drawnos.join(' '), disabled, onTyped);

  return (
    <div className={parts.tabbed}>
      <TierTabs
        tabs={tabs}
        current={tab.key}
        controls={ids.list}
        panel={panel}
        rules={rules}
        selection={selection}
        result={result}
        onChange={setTierKey}
      />
      <div className={classes.tools}>
        <MarginField margin={margin} whyId={ids.why} />
        <dl className={classes.facts}>
          <Fact name={groupTexts.collection} value={formatPoints(collection)} />
          <Fact name={groupTexts.cutoff} value={formatPoints(cutoff)} />
          <Fact name={groupTexts.keeping} value={`${keeping} of ${rows.length}`} />
        </dl>
        <OrderChoice order={order} onOrder={setOrder} />
      </div>
      <p className={classes.why} id={ids.why}>
        {groupTexts.ofTier(booster)} {order !== 'number' && groupTexts.still}
      </p>
      <div ref={list} id={ids.list} role="tabpanel" aria-label={tab.title} data-dimmed={dimmed || undefined}>
        <TierTable
          key={`${tab.key} ${order}`}
          title={tab.title}
          rows={inOrder(rows, order)}
          order={order}
          tier={tier}
          scope={`${panel.draw?._id} ${tab.key}`}
          selected={selected}
          drawn={result?.selection[slot] ?? null}
          disabled={disabled}
          onToggle={toggle}
        />
      </div>
      <ChosenWinners {...props} tabs={tabs} hint={groupTexts.nothingChosen.tiers} />
    </div>
  );
}

/** How much of a tier's collection is to be kept; `whyId` says what of. */
function MarginField({ margin: { text, isWrong, type }, whyId }: { margin: Margin; whyId: string }) {
  return (
    <NumberInput
      className={classes.margin}
      label={groupTexts.margin}
      value={text}
      min={0}
      max={100}
      step={1}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="none"
      placeholder="0"
      error={isWrong && groupTexts.wrongMargin}
      aria-describedby={whyId}
      onChange={type}
    />
  );
}

/** The direction of the P&L sort. */
const ARROW: Record<NetOrder, string> = { number: '↕', descending: '↓', ascending: '↑' };

function OrderChoice({ order, onOrder }: { order: NetOrder; onOrder: (order: NetOrder) => void }) {
  return (
    <fieldset className={classes.orders} aria-label={groupTexts.order}>
      <ChoiceButton chosen={order === 'number'} onClick={() => onOrder('number')}>
        {groupTexts.byNumber}
      </ChoiceButton>
      <ChoiceButton chosen={order !== 'number'} onClick={() => onOrder(toggledOrder(order))}>
        {groupTexts.sort}
        <span className={classes.arrow} aria-hidden>
          {ARROW[order]}
        </span>
        <span className="unseen">{order === 'number' ? '' : order}</span>
      </ChoiceButton>
    </fieldset>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Under which this device keeps the margin. */
const MARGIN_KEY = 'jodi-margin';

/** The margin as it is typed, and what it was last where that is none. */
interface Margin {
  text: string | number;
  isWrong: boolean;
  /** In per cent. */
  margin: number;
  type: (text: string | number) => void;
}

/** The share of a tier's collection that is kept back, which this device keeps. */
function useMargin(): Margin {
  const [text, setText] = useState<string | number>(() => kept(MARGIN_KEY) ?? '');
  const [margin, setMargin] = useState(() => readMargin(kept(MARGIN_KEY) ?? '') ?? 0);
  return {
    text,
    isWrong: readMargin(text) === null,
    margin,
    type(typed) {
      setText(typed);
      const read = readMargin(typed);
      if (read === null) return;
      setMargin(read);
      keep(MARGIN_KEY, read === 0 ? null : String(read));
    },
  };
}

interface TierTabsProps extends Pick<GridProps, 'selection' | 'result'> {
  tabs: readonly LayoutTab[];
  /** The key of the tier that is shown. */
  current: string;
  /** The id of what shows it. */
  controls: string;
  panel: Panel;
  rules: GameRules;
  onChange: (key: string) => void;
}

/** The tiers: each with its collection, and the number that is chosen or has won. */
function TierTabs({ tabs, panel, rules, selection, result, ...list }: TierTabsProps) {
  return (
    <TabList items={tabs} label={groupTexts.tiers} className={classes.tabs} tabClass={classes.tab} {...list}>
      {({ title, sections }) => {
        const section = sections[0]!;
        const chosen = selection[section.slot];
        const drawn = result?.selection[section.slot];
        return (
          <>
            <span className={classes.tier}>{title}</span>
            <span className={classes.tabSum}>{formatPoints(sectionFigures(section, panel, rules).collection)}</span>
            <span className={classes.winner} data-chosen={chosen !== undefined || undefined}>
              {chosen !== undefined && <IconCheck size={16} stroke={3} aria-hidden />}
              {chosen === undefined && drawn !== undefined && <IconLock size={14} aria-hidden />}
              {chosen ?? drawn ?? '–'}
              {(chosen ?? drawn) !== undefined && (
                <span className="unseen"> {chosen === undefined ? groupTexts.result : groupTexts.chosen}</span>
              )}
            </span>
          </>
        );
      }}
    </TabList>
  );
}
