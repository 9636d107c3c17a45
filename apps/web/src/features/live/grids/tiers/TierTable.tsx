import type { PanelRow } from '@drawhouse/contract/live/live';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { FocusEvent, KeyboardEvent } from 'react';
import { formatPoints } from '../../../../lib/format.ts';
import { Sheet } from '../../../../ui/Dialog.tsx';
import { useWidth } from '../../../../ui/useWidth.ts';
import { arrowTarget } from '../gridKeys.ts';
import { drawnoOf } from '../numbers/drawnoOf.ts';
import { standingOf } from '../groupMath.ts';
import type { NetOrder } from '../groupMath.ts';
import { GROUPS } from '../groupTexts.ts';
import { kindsOf, TierRow } from './TierRow.tsx';
import type { Tier } from './TierRow.tsx';
import classes from './TiersGrid.module.css';

/** Numbers that are sorted by their net change places this often, and not with each bet. */
const RANKED_EVERY_MS = 1_000;
/** The width of the list in px below which the kinds of bets stand in the sheet of a row. */
const KINDS_FROM = 640;

interface TierTableProps {
  /** The tier. */
  title: string;
  /** Its numbers in the order in which they stand. */
  rows: readonly PanelRow[];
  order: NetOrder;
  tier: Tier;
  /** Sums that change with it do not glow. */
  scope: string;
  selected: string | null;
  /** The number that has won. */
  drawn: string | null;
  disabled: boolean;
  onToggle: (drawno: string) => void;
}

/**
 * The numbers of a tier, one beneath the other. While a row is pointed at, or reached by keyboard, their order stands still, so that none moves
 * away beneath a finger.
 */
export function TierTable({ title, rows, order, tier, scope, selected, drawn, disabled, onToggle }: TierTableProps) {
  const { ref, width } = useWidth();
  const [held, setHeld] = useState(false);
  const [ranking, setRanking] = useState(() => rows.map(({ drawno }) => drawno));
  const latest = useRef(rows);
  const [focused, setFocused] = useState<string | null>(null);
  const [details, setDetails] = useState<string | null>(null);
  const compact = width < KINDS_FROM;
  const byDrawno = new Map(rows.map((row) => [row.drawno, row]));
  const isSorted = order !== 'number';
  const shown = isSorted ? ranking.flatMap((drawno) => byDrawno.get(drawno) ?? []) : rows;
  const reachable = focused ?? selected ?? shown[0]?.drawno;
  const hold = () => setHeld(true);
  const release = () => setHeld(false);

  useEffect(() => {
    latest.current = rows;
  });
  useEffect(() => {
    if (!isSorted || held) return;
    const timer = setInterval(() => setRanking(latest.current.map(({ drawno }) => drawno)), RANKED_EVERY_MS);
    return () => clearInterval(timer);
  }, [isSorted, held]);

  function onFocus(event: FocusEvent<HTMLElement>) {
    setFocused(drawnoOf(event));
    if (event.target.matches(':focus-visible')) hold();
  }

  function move(event: KeyboardEvent<HTMLElement>) {
    const row = event.target instanceof Element ? event.target.closest('tr') : null;
    if (!row) return;
    const sideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    const all = sideways
      ? [...row.querySelectorAll('button')]
      : [...event.currentTarget.querySelectorAll<HTMLElement>('th button')];
    const index = sideways
      ? all.indexOf(event.target as HTMLButtonElement)
      : [...row.parentElement!.children].indexOf(row);
    const target = arrowTarget(event.key, index, all.length, 1);
    if (target === null) return;
    event.preventDefault();
    all[target]?.focus();
  }

  const row = details === null ? undefined : byDrawno.get(details);
  return (
    <div
      ref={ref}
      role="toolbar"
      tabIndex={-1}
      aria-label={GROUPS.numbersOf}
      className={classes.scroll}
      data-compact={compact || undefined}
      onPointerEnter={isSorted ? hold : undefined}
      onPointerLeave={isSorted ? release : undefined}
      onFocus={onFocus}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && release()}
      onKeyDown={move}
    >
      <table className={classes.table} aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{GROUPS.number}</th>
            {!compact &&
              kindsOf(rows[0]).map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            <th scope="col">{GROUPS.total}</th>
            <th scope="col">{GROUPS.payout}</th>
            <th scope="col" aria-sort={isSorted ? order : undefined}>
              {GROUPS.net}
            </th>
            <th scope="col">{compact ? <span className="unseen">{GROUPS.cutoff}</span> : GROUPS.cutoff}</th>
            {compact && (
              <th scope="col">
                <span className="unseen">{GROUPS.moreHead}</span>
              </th>
            )}
          </tr>
        </thead>
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
      <Sheet
        opened={row !== undefined}
        onClose={() => setDetails(null)}
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
                setDetails(null);
              }}
            >
              {row.drawno === selected ? GROUPS.takeBack : GROUPS.choose}
            </Button>
          </>
        )}
      </Sheet>
    </div>
  );
}

function detailsOf(row: PanelRow, tier: Tier): { name: string; value: string }[] {
  const { payout, net, keeps } = standingOf(row, tier);
  return [
    ...kindsOf(row).map(({ name, sum }) => ({ name, value: formatPoints(sum) })),
    { name: GROUPS.total, value: formatPoints(row.sum) },
    { name: GROUPS.payout, value: formatPoints(payout) },
    { name: GROUPS.net, value: formatPoints(net) },
    { name: `${GROUPS.cutoff} ${formatPoints(tier.cutoff)}`, value: keeps ? GROUPS.keeps : GROUPS.misses },
  ];
}
