import { rowsName, STAYS } from '@drawhouse/contract/clearing/clearing';
import type { Cleared, Counted } from '@drawhouse/contract/clearing/clearing';
import { formatBytes, formatCalendarDay, formatCount } from '../../lib/format/format.ts';

export const clearingTexts = {
  title: 'Clear History',
  start: 'Start date',
  end: 'End date',
  models: 'What is cleared',
  clear: 'Clear Selected History',
  about:
    'History between two days goes for good; what is left stays provable, statements show a line in its place, and the turnover of days stays. A backup of the network is taken first. History can be cleared once a day.',
  daysOf: (timeZone: string, retentionDays: number) =>
    `Days of ${timeZone}, both included. Today is never cleared${retentionDays === 0 ? '' : `, nor the ${retentionDays} days before it`}.`,
  all: 'All',
  none: 'None',
  confirm: 'Clear history',
  question: (days: NonNullable<Counted['days']>) => `Clear the history of ${daysText(days)}?`,
  nothing: 'There is nothing to clear',
  noReturn: 'A backup is taken first. What is cleared comes back by restoring that backup alone.',
  heads: { model: 'Model', rows: 'Goes', cleared: 'Cleared', bytes: 'About', left: 'Stays' },
  room: 'The room is used again by what comes next; the files of the database do not get smaller by themselves.',
  last: 'The last clearing',
  lastBy: (by: string, at: string) => `By ${by}, ${at}.`,
  backup: 'Backup taken before it:',
  failed: 'Clearing failed',
  partly: 'What it had cleared by then stays cleared. Begun again, it goes on.',
  history: 'Cleared so far',
  never: 'Nothing was cleared yet.',
  other: 'History can be cleared when that has ended.',
  goesOn: 'It goes on when this page is left.',
} as const;

export function daysText({ first, last }: { readonly first: string; readonly last: string }): string {
  return first === last ? formatCalendarDay(first) : `${formatCalendarDay(first)} to ${formatCalendarDay(last)}`;
}

/** `1,204 tickets`. */
export function rowsText({ model, rows }: Pick<Cleared, 'model' | 'rows'>): string {
  return `${formatCount(rows)} ${rowsName(model, rows)}`;
}

/** Empty for 0. */
export function roomText(bytes: number): string {
  return bytes === 0 ? '' : formatBytes(bytes);
}

export function leftLines({ left }: Pick<Cleared, 'left'>): string[] {
  return left.map(({ rows, why }) => `${formatCount(rows)} ${STAYS[why]}`);
}
