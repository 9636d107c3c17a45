import type { Team } from '../../cluster/team.ts';
import { CallError } from '../http-errors.ts';
import { HTTP_TEXTS } from '../http-texts.ts';

export interface HttpLimits {
  readonly session: Rate;
  /** Per address, without session: sign-in, public draw checks, API description. */
  readonly stranger: Rate;
  /** Per address. Unknown or missing tokens need a lookup; after a restart all are unknown. */
  readonly lookUp: Rate;
  readonly page: Rate;
  readonly address: Rate;
  /** Live-socket handshakes and sign-ins, two per client. Thousands of players may reconnect after a restart. */
  readonly handshake: Rate;
  /** Not applied behind a proxy. */
  readonly connectionsPerAddress: number;
  /** Milliseconds before a THROTTLED answer. Slows clients that retry immediately on every connection. */
  readonly refusedAfterMs: number;
  readonly headersMs: number;
  readonly requestMs: number;
}

export function httpLimits(settings: {
  sessionCallsPerSecond?: number | undefined;
  addressCallsPerSecond?: number | undefined;
}): HttpLimits {
  const { sessionCallsPerSecond = 100, addressCallsPerSecond = 20 } = settings;
  return {
    ...OTHER_LIMITS,
    session: { perSecond: sessionCallsPerSecond, burst: 3 * sessionCallsPerSecond },
    stranger: { perSecond: addressCallsPerSecond, burst: 10 * addressCallsPerSecond },
  };
}

/** A thousand players behind one address may each bet ten times a second. */
const OTHER_LIMITS: Omit<HttpLimits, 'session' | 'stranger'> = {
  lookUp: { perSecond: 200, burst: 2_000 },
  page: { perSecond: 200, burst: 2_000 },
  address: { perSecond: 15_000, burst: 30_000 },
  handshake: { perSecond: 500, burst: 10_000 },
  connectionsPerAddress: 5_000,
  refusedAfterMs: 1_000,
  headersMs: 10_000,
  requestMs: 20_000,
};

/** A file reads thousands of rows. */
const FILE_COST = 20;

/** All processes of a server share the budgets. Addresses are keys from `addressKey`. Methods throw THROTTLED. */
export interface Budgets {
  page(address: string): void;
  address(address: string): void;
  /** Charges the session's budget for known tokens, else the address's for unknown tokens or strangers. */
  caller(address: string, token: string | undefined, isFile: boolean): void;
  more(token: string, calls: number): void;
  sessionFound(token: string): void;
  sessionEnded(token: string): void;
}

export function createBudgets(limits: HttpLimits, nowMs: () => number, team?: Team): Budgets {
  const limit = (name: 'session' | 'stranger' | 'lookUp' | 'page' | 'address'): RateLimit =>
    createRateLimit(limits[name], nowMs, { shared: { name, team } });
  const sessions = limit('session');
  const strangers = limit('stranger');
  const sessionReads = limit('lookUp');
  const pages = limit('page');
  const addresses = limit('address');
  return {
    page: (address) => take(pages, address),
    address: (address) => take(addresses, address),
    caller(address, token, isFile) {
      if (token === undefined) take(strangers, address);
      else if (sessions.knows(token)) take(sessions, token, isFile ? FILE_COST : 1);
      else take(sessionReads, address);
    },
    more: (token, calls) => void (calls > 0 && take(sessions, token, calls)),
    sessionFound: (token) => void (sessions.knows(token) || sessions.take(token, 0)),
    sessionEnded: (token) => sessions.forget(token),
  };
}

function take(limit: RateLimit, key: string, cost?: number): void {
  const waitMs = limit.take(key, cost);
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  throw new CallError('THROTTLED', {
    message: HTTP_TEXTS.tooManyCalls(seconds),
    retryAfterSeconds: seconds,
  });
}

const NAME_MAX = 64;
export const NAMES_MAX = 20;
const DEPTH_MAX = 4;

export function namesIn(...sent: readonly unknown[]): string[] {
  const names = new Set<string>();
  const visit = (value: unknown, depth: number): void => {
    if (names.size >= NAMES_MAX) return;
    if (typeof value === 'string' && value !== '' && value.length <= NAME_MAX) names.add(value.toLowerCase());
    if (typeof value !== 'object' || value === null || depth === 0) return;
    for (const part of Object.values(value)) visit(part, depth - 1);
  };
  visit(sent, DEPTH_MAX);
  return [...names];
}

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

interface RateLimit {
  take(key: string, cost?: number): number;
  knows(key: string): boolean;
  forget(key: string): void;
}

/** Evicted keys regain a full budget. */
const KEYS_MAX = 50_000;

interface RateLimitOptions {
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
