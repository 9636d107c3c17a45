import type { ResultData } from '@drawhouse/contract/draws';
import type { Panel, PanelRow } from '@drawhouse/contract/live';

const clockFormat = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** The time of day with seconds in the reader's zone: `22:33:07`. */
export function formatClock(iso: string): string {
  return clockFormat.format(new Date(iso));
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: '2-digit', month: 'short' });

/** The same, with the day where it is not the day of `now`, which may be any time of that day: `22:33:07 on Tue, 24 Nov`. */
export function formatMoment(iso: string, now: string): string {
  const day = dayFormat.format(new Date(iso));
  return day === dayFormat.format(new Date(now)) ? formatClock(iso) : `${formatClock(iso)} on ${day}`;
}

/** What an outcome is called where there is no room for both: `7`, or `3 Sun` where its label says more. */
export function outcomeName(row: { drawno: string; label: string }): string {
  return row.label === row.drawno || row.label === '' ? row.drawno : `${row.drawno} ${row.label}`;
}

/** A result as one outcome to look at: the row that was drawn, or the card of its rank and suit; null where several numbers were. */
export function drawnOutcome(
  { data, dataCardTypes }: Pick<Panel, 'data' | 'dataCardTypes'>,
  result: ResultData,
): Pick<PanelRow, 'drawno' | 'label' | 'color' | 'image'> | null {
  const row = 'drawno' in result && data.find(({ drawno }) => drawno === result.drawno);
  if (!row) return null;
  if (!('suit' in result)) return row;
  const suit = dataCardTypes.find(({ drawno }) => drawno === result.suit)?.label ?? '';
  return { ...row, label: row.label + suit, color: result.color };
}
