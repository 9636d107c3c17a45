import type { Change } from '@drawhouse/contract/activity/activity';
import { hundredthsIn, pointsText } from '@drawhouse/contract/frame/primitives';
import type { Hundredths } from '@drawhouse/contract/frame/primitives';

/** Empty if unchanged. `of` names the subject when a log row covers several. */
export function changeOf(what: string, before: string | null, after: string | null, of?: string): Change[] {
  return before === after ? [] : [{ what, ...(of !== undefined && { of }), before, after }];
}

/** In hundredths. Negative `by` means the balance fell. */
export function balanceChange(what: string, now: Hundredths, by: Hundredths): Change[] {
  return changeOf(what, pointsText(now - by), pointsText(now));
}

/** Log format: `1,234.50`. Null without points. */
export function pointsWords(points: number | null): string | null {
  if (points === null) return null;
  return pointsText(hundredthsIn(points));
}

export function percentWords(percent: number | null): string | null {
  return percent === null ? null : `${percent} %`;
}
