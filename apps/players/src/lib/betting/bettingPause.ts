import type { ShownProtection } from '@drawhouse/contract/players/protection';
import { dateText } from '../amounts.ts';
import { playerTexts } from '../playerTexts.ts';

/** `time`: daily minutes used up. */
export type Pause =
  | { readonly what: 'break' | 'exclusion'; readonly until: string }
  | { readonly what: 'time'; readonly minutes: number };

const texts = playerTexts.pauses;

const MINUTE_MS = 60_000;

/** Null: no pause. Uses the last known protection. */
export function pauseAt({ breakUntil, excludedUntil, limits, serverTime }: ShownProtection, now: number): Pause | null {
  for (const [what, until] of [['exclusion', excludedUntil] as const, ['break', breakUntil] as const])
    if (until !== null && now < Date.parse(until)) return { what, until };
  const time = limits.find(({ limit }) => limit === 'minutesPerDay');
  if (!time || time.value === null || time.left === null) return null;
  // Assumes the user stayed signed in since.
  const isUsed = now - Date.parse(serverTime) >= time.left * MINUTE_MS;
  return isUsed ? { what: 'time', minutes: time.value } : null;
}

export function pauseText(pause: Pause): string {
  return pause.what === 'time' ? texts.time(pause.minutes) : texts[pause.what](dateText(pause.until));
}

export function hasLimits({ limits }: Pick<ShownProtection, 'limits'>): boolean {
  return limits.some(({ value }) => value !== null);
}
