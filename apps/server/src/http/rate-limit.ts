/** How much may be done: this many a second in the long run, and this many at once after a rest. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** A budget for each of many keys, such as sessions or addresses. */
export interface RateLimit {
  /**
   * Takes `cost` (1 unless said) from the budget of a key; what costs more than a burst takes all of one. Gives 0, or the milliseconds after
   * which it would be there; then nothing is taken.
   */
  take(key: string, cost?: number): number;
  /** Whether this key has taken anything and is not forgotten since. */
  knows(key: string): boolean;
  forget(key: string): void;
}

/** More keys than this are not remembered; the one that is longest unused goes first, and has its whole budget again. */
const KEYS_MAX = 50_000;

/**
 * Limits how often things are done by key, by the generic cell rate algorithm: for each key one number is kept, the instant at which its
 * budget is whole again. `nowMs` may stand still or jump back; what would be whole later than after one burst is whole then.
 */
export function createRateLimit(
  { perSecond, burst }: Rate,
  nowMs: () => number,
  keysMax: number = KEYS_MAX,
): RateLimit {
  const eachMs = 1000 / perSecond;
  const burstMs = burst * eachMs;
  /** In the order of use, the longest unused first. */
  const wholeAgainAtMs = new Map<string, number>();
  return {
    take(key, cost = 1) {
      const now = nowMs();
      const known = wholeAgainAtMs.get(key) ?? now;
      const from = known > now + burstMs ? now : Math.max(known, now);
      const until = from + Math.min(cost, burst) * eachMs;
      const waitMs = until - now - burstMs;
      wholeAgainAtMs.delete(key);
      wholeAgainAtMs.set(key, waitMs > 0 ? from : until);
      if (wholeAgainAtMs.size > keysMax) wholeAgainAtMs.delete(wholeAgainAtMs.keys().next().value!);
      return Math.max(0, waitMs);
    },
    knows: (key) => wholeAgainAtMs.has(key),
    forget: (key) => void wholeAgainAtMs.delete(key),
  };
}
