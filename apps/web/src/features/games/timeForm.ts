import { timeFields } from '@drawhouse/contract/games/times';
import { schemaErrors } from '../../lib/schemaErrors.ts';

/** What is typed in the form of a time. */
export interface TimeForm {
  timecount: number | string;
}

/** What is wrong with it, as the server would say. */
export function timeErrors(values: TimeForm): Record<string, string> {
  return schemaErrors(timeFields, values);
}

/** The seconds that were typed; null while they are none that a time may have. */
export function secondsOf({ timecount }: TimeForm): number | null {
  const read = timeFields.safeParse({ timecount });
  return read.success ? read.data.timecount : null;
}

/**
 * When a game draws by an interval that is saved now: from the first of its boundaries, which are its multiples in Unix time, at or after
 * the end of the running draw.
 */
export function beginsAt(seconds: number, runsUntil: string | null, now: string): string {
  const fromMs = Math.max(Date.parse(now), runsUntil === null ? 0 : Date.parse(runsUntil));
  return new Date(Math.ceil(fromMs / (seconds * 1000)) * seconds * 1000).toISOString();
}

/** An interval as people say it: `45 seconds`, `1 minute 30 seconds`, `24 hours`. */
export function intervalText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(' ');
}
