import { NumberInput } from '@mantine/core';
import { useCallback, useId, useMemo, useRef, useState } from 'react';
import { formatPoints } from '../../../../lib/format.ts';
import { keep, kept } from '../../../../lib/kept.ts';
import { ChoiceButton } from '../../../../ui/ChoiceButton.tsx';
import { sectionRows } from '../grid.ts';
import type { GridProps } from '../grid.ts';
import { useGridKeys } from '../useGridKeys.ts';
import { ChosenWinners } from '../ChosenWinners.tsx';
import { cutoffOf, groupTabs, inOrder, readMargin, sectionFigures, standingOf, toggledOrder } from '../groupMath.ts';
import type { NetOrder } from '../groupMath.ts';
import { GROUPS } from '../groupTexts.ts';
import { TierTable } from './TierTable.tsx';
import { TierTabs } from './TierTabs.tsx';
import classes from './TiersGrid.module.css';

/** The direction of the P&L sort. */
const ARROW: Record<NetOrder, string> = { number: '↕', descending: '↓', ascending: '↑' };

/** Under which this device keeps the margin. */
const MARGIN_KEY = 'jodi-margin';

/**
 * Numbers of which each tier has its own winner: a tab for each tier, and its numbers as a list with what each kind of bet has on them, what they pay,
 * and what that leaves. The margin says how much of a tier's collection may be paid; collection, cutoff and net are the tier's own, because each
 * tier has a winner of its own: where every winner keeps its tier's cutoff, the draw keeps the margin as a whole.
 */
export function TiersGrid(props: GridProps) {
  const { panel, rules, layout, selection, result, booster, disabled, dimmed, onToggle } = props;
  const tabs = useMemo(() => groupTabs(layout), [layout]);
  const ids = { list: useId(), why: useId() };
  const list = useRef<HTMLDivElement>(null);
  const [tierKey, setTierKey] = useState(tabs[0]!.key);
  const [order, setOrder] = useState<NetOrder>('number');
  const [marginText, setMarginText] = useState<string | number>(() => kept(MARGIN_KEY) ?? '');
  const [margin, setMargin] = useState(() => readMargin(kept(MARGIN_KEY) ?? '') ?? 0);

  const tab = tabs.find(({ key }) => key === tierKey) ?? tabs[0]!;
  const section = tab.sections[0]!;
  const { slot } = section;
  const rows = sectionRows(panel, section).flat();
  const { collection } = sectionFigures(section, panel, rules);
  const cutoff = cutoffOf(collection, margin);
  const tier = { collection, cutoff, booster };
  const keeping = rows.filter((row) => standingOf(row, tier).keeps).length;
  const selected = selection[slot] ?? null;

  const toggle = useCallback((drawno: string) => onToggle(slot, drawno), [onToggle, slot]);
  const onTyped = useCallback(
    (drawno: string) => {
      if (selected !== drawno) toggle(drawno);
      list.current?.querySelector<HTMLElement>(`[data-drawno="${drawno}"] button`)?.focus();
    },
    [selected, toggle],
  );
  const drawnos = useMemo(() => section.rows.flat().map((place) => rules.outcomes[place]!.drawno), [section, rules]);
  useGridKeys(drawnos.join(' '), disabled, onTyped);

  function changeMargin(text: string | number) {
    setMarginText(text);
    const read = readMargin(text);
    if (read === null) return;
    setMargin(read);
    keep(MARGIN_KEY, read === 0 ? null : String(read));
  }

  return (
    <div className={classes.grid}>
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
        <NumberInput
          className={classes.margin}
          label={GROUPS.margin}
          value={marginText}
          min={0}
          max={100}
          step={1}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="none"
          placeholder="0"
          error={readMargin(marginText) === null && GROUPS.wrongMargin}
          aria-describedby={ids.why}
          onChange={changeMargin}
        />
        <dl className={classes.facts}>
          <Fact name={GROUPS.collection} value={formatPoints(collection)} />
          <Fact name={GROUPS.cutoff} value={formatPoints(cutoff)} />
          <Fact name={GROUPS.keeping} value={`${keeping} of ${rows.length}`} />
        </dl>
        <fieldset className={classes.orders} aria-label={GROUPS.order}>
          <ChoiceButton chosen={order === 'number'} onClick={() => setOrder('number')}>
            {GROUPS.byNumber}
          </ChoiceButton>
          <ChoiceButton chosen={order !== 'number'} onClick={() => setOrder(toggledOrder)}>
            {GROUPS.sort}
            <span className={classes.arrow} aria-hidden>
              {ARROW[order]}
            </span>
            <span className="unseen">{order === 'number' ? '' : order}</span>
          </ChoiceButton>
        </fieldset>
      </div>
      <p className={classes.why} id={ids.why}>
        {GROUPS.ofTier(booster)} {order !== 'number' && GROUPS.still}
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
      <ChosenWinners {...props} tabs={tabs} hint={GROUPS.nothingChosen.tiers} />
    </div>
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
