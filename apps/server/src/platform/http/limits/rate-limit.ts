import type { Team } from '../../cluster/team.ts';

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface RateLimit {
  /** Default cost 1, capped at a full burst. Returns 0, or milliseconds to wait; then charges nothing. */
  take(key: string, cost?: number): number;
  knows(key: string): boolean;
  forget(key: string): void;
}

/** Evicted keys regain a full budget. */
const KEYS_MAX = 50_000;

export interface RateLimitOptions {
  readonly keysMax?: number;
  readonly shared?: { readonly name: string; readonly team: Team | undefined };
}

/**
 * Generic cell rate algorithm: stores one instant per key, when its budget is full again. Tolerates a stalled or
 * reversed clock by capping that instant at one burst.
 */
export function createRateLimit(
  { perSecond, burst }: Rate,
  nowMs: () => number,
  { keysMax = KEYS_MAX, shared }: RateLimitOptions = {},
): RateLimit {
  const eachMs = 1000 / perSecond;
  const burstMs = burst * eachMs;
  const fullAtMs = new Map<string, number>();
  // Charges of other processes arrive late, so together they may exceed a burst.
  const mostMs = shared?.team ? 2 * burstMs : burstMs;

  function store(key: string, atMs: number): void {
    fullAtMs.delete(key);
    fullAtMs.set(key, atMs);
    if (fullAtMs.size > keysMax) fullAtMs.delete(fullAtMs.keys().next().value!);
  }

  function fullFrom(key: string, now: number): number {
    const known = fullAtMs.get(key) ?? now;
    return known > now + mostMs ? now : Math.max(known, now);
  }

  const report = shared?.team?.shareRate(shared.name, burst, (key, cost) => {
    const now = nowMs();
    store(key, Math.min(fullFrom(key, now) + cost * eachMs, now + mostMs));
  });
  return {
    take(key, cost = 1) {
      const now = nowMs();
      const from = fullFrom(key, now);
      const until = from + Math.min(cost, burst) * eachMs;
      const waitMs = until - now - burstMs;
      store(key, waitMs > 0 ? from : until);
      if (waitMs <= 0 && cost > 0) report?.(key, Math.min(cost, burst));
      return Math.max(0, waitMs);
    },
    knows: (key) => fullAtMs.has(key),
    forget: (key) => void fullAtMs.delete(key),
  };
}
