import type { Change } from '@drawhouse/contract/activity/activity';
import { hundredthsIn, pointsText } from '@drawhouse/contract/frame/primitives';
import type { Hundredths } from '@drawhouse/contract/frame/primitives';

/** What one thing was and is, in words; none where it stays what it was. `of` names whose it is, where a row of the log tells of several. */
export function changeOf(what: string, before: string | null, after: string | null, of?: string): Change[] {
  return before === after ? [] : [{ what, ...(of !== undefined && { of }), before, after }];
}

/** A balance that has become what it is by an amount that came in, or below zero went out. In hundredths. */
export function balanceChange(what: string, now: Hundredths, by: Hundredths): Change[] {
  return changeOf(what, pointsText(now - by), pointsText(now));
}

/** Points of an answer as the log writes them: `1,234.50`; null where there are none. */
export function pointsWords(points: number | null): string | null {
  if (points === null) return null;
  return pointsText(hundredthsIn(points));
}

/** A percentage as the log writes it: `2.5 %`; null where there is none. */
export function percentWords(percent: number | null): string | null {
  return percent === null ? null : `${percent} %`;
}
