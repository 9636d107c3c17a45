import { layoutTabs, type LayoutTab } from '@drawhouse/rules/panel/layout';
import { NumberInput } from '@mantine/core';
import { useCallback, useId, useMemo, useRef, useState } from 'react';
import { formatPoints } from '../../../../lib/format/format.ts';
import { ChoiceButton } from '../../../../ui/form/Choices.tsx';
import { sectionRows, type GridProps } from '../grid.ts';
import { useGridKeys } from '../gridKeys.ts';
import { ChosenWinners } from '../chosen/ChosenWinners.tsx';
import { cutoffOf, inOrder, sectionFigures, tierNet, toggledOrder, readMargin, type NetOrder } from '../groupMath.ts';
import parts from '../gridParts.module.css';
import { groupTexts } from '../gridTexts.ts';
import { TierTable } from './TierTable.tsx';
import classes from './TiersGrid.module.css';
import { writeStored, readStored } from '../../../../lib/devicePreferences.ts';
import type { Panel } from '@drawhouse/contract/live/live';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { IconCheck, IconLock } from '@tabler/icons-react';
import { TabList } from '../TabList.tsx';

/**
 * Every tier has its own winner, tab and list. Collection, cutoff and net are per tier: if every winner keeps its
 * tier's cutoff, the draw keeps the margin.
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

const MARGIN_KEY = 'jodi-margin';

interface Margin {
  text: string | number;
  isWrong: boolean;
  /** In percent. */
  margin: number;
  type: (text: string | number) => void;
}

function useMargin(): Margin {
  const [text, setText] = useState<string | number>(() => readStored(MARGIN_KEY) ?? '');
  const [margin, setMargin] = useState(() => readMargin(readStored(MARGIN_KEY) ?? '') ?? 0);
  return {
    text,
    isWrong: readMargin(text) === null,
    margin,
    type(typed) {
      setText(typed);
      const read = readMargin(typed);
      if (read === null) return;
      setMargin(read);
      writeStored(MARGIN_KEY, read === 0 ? null : String(read));
    },
  };
}

interface TierTabsProps extends Pick<GridProps, 'selection' | 'result'> {
  tabs: readonly LayoutTab[];
  current: string;
  controls: string;
  panel: Panel;
  rules: GameRules;
  onChange: (key: string) => void;
}

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
