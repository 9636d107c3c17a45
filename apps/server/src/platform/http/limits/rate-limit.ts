export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface RateLimit {
  /** Charges `cost` (default 1, capped at a full burst). Returns 0, or milliseconds to wait; then charges nothing. */
  take(key: string, cost?: number): number;
  knows(key: string): boolean;
  forget(key: string): void;
}

/** Least recently used keys are evicted and regain a full budget. */
const KEYS_MAX = 50_000;

/**
 * Generic cell rate algorithm: stores one instant per key, when its budget is full again. Tolerates a stalled or
 * reversed clock by capping that instant at one burst.
 */
export function createRateLimit(
  { perSecond, burst }: Rate,
  nowMs: () => number,
  keysMax: number = KEYS_MAX,
): RateLimit {
  const eachMs = 1000 / perSecond;
  const burstMs = burst * eachMs;
  const fullAtMs = new Map<string, number>();
  return {
    take(key, cost = 1) {
      const now = nowMs();
      const known = fullAtMs.get(key) ?? now;
      const from = known > now + burstMs ? now : Math.max(known, now);
      const until = from + Math.min(cost, burst) * eachMs;
      const waitMs = until - now - burstMs;
      fullAtMs.delete(key);
      fullAtMs.set(key, waitMs > 0 ? from : until);
      if (fullAtMs.size > keysMax) fullAtMs.delete(fullAtMs.keys().next().value!);
      return Math.max(0, waitMs);
    },
    knows: (key) => fullAtMs.has(key),
    forget: (key) => void fullAtMs.delete(key),
  };
}
