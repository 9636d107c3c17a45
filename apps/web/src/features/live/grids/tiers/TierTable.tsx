import type { PanelRow } from '@drawhouse/contract/live/live';
import { Button } from '@mantine/core';
import { useState, type FocusEvent, type KeyboardEvent } from 'react';
import { formatPoints } from '../../../../lib/format/format.ts';
import { Sheet } from '../../../../ui/dialog/Dialog.tsx';
import { useWidth } from '../../../../ui/useWidth.ts';
import { drawnoOf, rowTarget } from '../gridKeys.ts';
import { tierNet, type NetOrder } from '../groupMath.ts';
import { groupTexts } from '../gridTexts.ts';
import { kindsOf, TierRow, type Tier } from './TierRow.tsx';
import { useRankedRows } from '../ranking.ts';
import classes from './TiersGrid.module.css';

/** Pixels. In narrower lists, bet kinds move to the row's sheet. */
const KINDS_FROM = 640;

interface TierTableProps {
  title: string;
  rows: readonly PanelRow[];
  order: NetOrder;
  tier: Tier;
  scope: string;
  selected: string | null;
  drawn: string | null;
  disabled: boolean;
  onToggle: (drawno: string) => void;
}

/** Freezes the order while hovered or focused. */
export function TierTable({ title, rows, order, tier, scope, selected, drawn, disabled, onToggle }: TierTableProps) {
  const { ref, width } = useWidth();
  const [focused, setFocused] = useState<string | null>(null);
  const [details, setDetails] = useState<string | null>(null);
  const compact = width < KINDS_FROM;
  const isSorted = order !== 'number';
  const { shown, hold, release } = useRankedRows(rows, isSorted);
  const reachable = focused ?? selected ?? shown[0]?.drawno;

  function onFocus(event: FocusEvent<HTMLElement>) {
    setFocused(drawnoOf(event));
    if (event.target.matches(':focus-visible')) hold();
  }

  return (
    <div
      ref={ref}
      role="toolbar"
      tabIndex={-1}
      aria-label={groupTexts.numbersOf}
      className={classes.scroll}
      data-compact={compact || undefined}
      onPointerEnter={isSorted ? hold : undefined}
      onPointerLeave={isSorted ? release : undefined}
      onFocus={onFocus}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && release()}
      onKeyDown={moveAmongRows}
    >
      <table className={classes.table} aria-label={title}>
        <TierHead compact={compact} order={order} kinds={kindsOf(rows[0]).map(({ name }) => name)} />
        <tbody>
          {shown.map((each) => (
            <TierRow
              key={each.drawno}
              row={each}
              booster={tier.booster}
              collection={tier.collection}
              cutoff={tier.cutoff}
              scope={scope}
              selected={each.drawno === selected}
              sealed={each.drawno === drawn}
              disabled={disabled}
              reachable={each.drawno === reachable}
              compact={compact}
              onToggle={onToggle}
              onDetails={setDetails}
            />
          ))}
        </tbody>
      </table>
      <TierSheet
        title={title}
        row={rows.find(({ drawno }) => drawno === details)}
        tier={tier}
        selected={selected}
        disabled={disabled}
        onToggle={onToggle}
        onClose={() => setDetails(null)}
      />
    </div>
  );
}

function moveAmongRows(event: KeyboardEvent<HTMLElement>) {
  const row = event.target instanceof Element ? event.target.closest('tr') : null;
  if (!row) return;
  const all = {
    numbers: [...event.currentTarget.querySelectorAll<HTMLElement>('th button')],
    buttons: [...row.querySelectorAll('button')],
  };
  const target = rowTarget(
    event.key,
    {
      row: [...row.parentElement!.children].indexOf(row),
      button: all.buttons.indexOf(event.target as HTMLButtonElement),
    },
    { row: all.numbers.length, button: all.buttons.length },
  );
  if (target === null) return;
  event.preventDefault();
  all[target.among][target.index]?.focus();
}

interface TierHeadProps {
  compact: boolean;
  order: NetOrder;
  kinds: readonly string[];
}

function TierHead({ compact, order, kinds }: TierHeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col">{groupTexts.number}</th>
        {!compact &&
          kinds.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        <th scope="col">{groupTexts.total}</th>
        <th scope="col">{groupTexts.payout}</th>
        <th scope="col" aria-sort={order === 'number' ? undefined : order}>
          {groupTexts.net}
        </th>
        <th scope="col">{compact ? <span className="unseen">{groupTexts.cutoff}</span> : groupTexts.cutoff}</th>
        {compact && (
          <th scope="col">
            <span className="unseen">{groupTexts.moreHead}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

interface TierSheetProps extends Pick<TierTableProps, 'title' | 'tier' | 'selected' | 'disabled' | 'onToggle'> {
  row: PanelRow | undefined;
  onClose: () => void;
}

function TierSheet({ title, row, tier, selected, disabled, onToggle, onClose }: TierSheetProps) {
  return (
    <Sheet
      opened={row !== undefined}
      onClose={onClose}
      position="bottom"
      title={row && `${title} ${row.drawno}`}
      styles={{ content: { height: 'auto', maxHeight: '85dvh' } }}
    >
      {row && (
        <>
          <dl className={classes.details}>
            {detailsOf(row, tier).map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <Button
            fullWidth
            size="md"
            disabled={disabled}
            variant={row.drawno === selected ? 'default' : 'filled'}
            onClick={() => {
              onToggle(row.drawno);
              onClose();
            }}
          >
            {row.drawno === selected ? groupTexts.takeBack : groupTexts.choose}
          </Button>
        </>
      )}
    </Sheet>
  );
}

function detailsOf(row: PanelRow, tier: Tier): { name: string; value: string }[] {
  const { payout, net, keeps } = tierNet(row, tier);
  return [
    ...kindsOf(row).map(({ name, sum }) => ({ name, value: formatPoints(sum) })),
    { name: groupTexts.total, value: formatPoints(row.sum) },
    { name: groupTexts.payout, value: formatPoints(payout) },
    { name: groupTexts.net, value: formatPoints(net) },
    { name: `${groupTexts.cutoff} ${formatPoints(tier.cutoff)}`, value: keeps ? groupTexts.keeps : groupTexts.misses },
  ];
}
