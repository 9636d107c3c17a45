import { timeFields } from '@drawhouse/contract/games/times';
import { schemaErrors } from '../../../lib/form/schemaErrors.ts';

export interface TimeForm {
  timecount: number | string;
}

export function timeErrors(values: TimeForm): Record<string, string> {
  return schemaErrors(timeFields, values);
}

export function secondsOf({ timecount }: TimeForm): number | null {
  const read = timeFields.safeParse({ timecount });
  return read.success ? read.data.timecount : null;
}

/** Returns the first boundary (a multiple in Unix time) at or after the end of the running draw. */
export function beginsAt(seconds: number, runsUntil: string | null, now: string): string {
  const fromMs = Math.max(Date.parse(now), runsUntil === null ? 0 : Date.parse(runsUntil));
  return new Date(Math.ceil(fromMs / (seconds * 1000)) * seconds * 1000).toISOString();
}

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
