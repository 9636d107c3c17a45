import type { Cleared, Counted } from '@drawhouse/contract/clearing/clearing';
import { formatBytes, formatCalendarDay, formatCount } from '../../lib/format/format.ts';
import { KEEP_REASONS, rowsName } from '@drawhouse/contract/clearing/clearing-texts';

export const clearingTexts = {
  title: 'Clear History',
  start: 'Start date',
  end: 'End date',
  models: 'Records to clear',
  clear: 'Clear Selected History',
  about:
    'Deletes history between two days for good. The rest stays provable, statements show a line in its ' +
    'place, and daily turnover is kept. A backup of the network is taken first. History can be cleared ' +
    'once a day.',
  daysOf: (timeZone: string, retentionDays: number) =>
    `Days in ${timeZone}, both included. Today is never cleared${retentionDays === 0 ? '' : `, nor the ${retentionDays} days before it`}.`,
  all: 'All',
  none: 'None',
  confirm: 'Clear history',
  question: (days: NonNullable<Counted['days']>) => `Clear the history of ${daysText(days)}?`,
  nothing: 'Nothing to clear',
  noReturn: 'A backup is taken first. Cleared history only comes back by restoring that backup.',
  heads: { model: 'Model', rows: 'To clear', cleared: 'Cleared', bytes: 'Approx. size', left: 'Kept' },
  room: 'The freed space is reused. Database files do not shrink.',
  last: 'The last clearing',
  lastBy: (by: string, at: string) => `By ${by}, ${at}.`,
  backup: 'Backup taken before it:',
  failed: 'Clearing failed',
  partly: 'Everything cleared before the failure stays cleared. Start again to continue.',
  history: 'Cleared so far',
  never: 'Nothing cleared yet.',
  other: 'You can clear history when that has finished.',
  goesOn: 'It continues if you leave this page.',
  close: 'Close',
  cancel: 'Cancel',
  endIsBeforeStart: 'The end is before the start',
} as const;

export function daysText({ first, last }: { readonly first: string; readonly last: string }): string {
  return first === last ? formatCalendarDay(first) : `${formatCalendarDay(first)} to ${formatCalendarDay(last)}`;
}

export function rowsText({ model, rows }: Pick<Cleared, 'model' | 'rows'>): string {
  return `${formatCount(rows)} ${rowsName(model, rows)}`;
}

export function freedSpaceText(bytes: number): string {
  return bytes === 0 ? '' : formatBytes(bytes);
}

export function leftLines({ left }: Pick<Cleared, 'left'>): string[] {
  return left.map(({ rows, why }) => `${formatCount(rows)} ${KEEP_REASONS[why]}`);
}
