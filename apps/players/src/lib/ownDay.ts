import type { ShownProtection } from '@drawhouse/contract/players/protection';
import { countText, dateText } from './amounts.ts';

/** Why no bets are taken from a player, and until when; the minutes of a day are given back when it ends. */
export type Pause =
  | { readonly what: 'break' | 'exclusion'; readonly until: string }
  | { readonly what: 'time'; readonly minutes: number };

const MINUTE_MS = 60_000;

/** What keeps a player from betting at an instant, by what the server said of its protection; null where nothing does. */
export function pauseAt({ breakUntil, excludedUntil, limits, serverTime }: ShownProtection, now: number): Pause | null {
  for (const [what, until] of [['exclusion', excludedUntil] as const, ['break', breakUntil] as const])
    if (until !== null && now < Date.parse(until)) return { what, until };
  const time = limits.find(({ limit }) => limit === 'minutesPerDay');
  if (!time || time.value === null || time.left === null) return null;
  // Whoever reads this has been signed in since it was said.
  const isUsed = now - Date.parse(serverTime) >= time.left * MINUTE_MS;
  return isUsed ? { what: 'time', minutes: time.value } : null;
}

/** The same in a sentence. */
export function pauseText(pause: Pause): string {
  if (pause.what === 'time')
    return `The ${countText(pause.minutes)} ${pause.minutes === 1 ? 'minute' : 'minutes'} that you may be signed in today are used until the day ends.`;
  return `You are ${pause.what === 'break' ? 'on a break' : 'excluded'} until ${dateText(pause.until)}.`;
}

/** Whether any limit holds for a player, whoever has set it. */
export function hasLimits({ limits }: Pick<ShownProtection, 'limits'>): boolean {
  return limits.some(({ value }) => value !== null);
}
