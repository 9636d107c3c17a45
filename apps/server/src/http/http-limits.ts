import { CallError } from './http-errors.ts';
import { createRateLimit } from './rate-limit.ts';
import type { Rate, RateLimit } from './rate-limit.ts';

/** How much one session, and one address, may ask of the web server. */
export interface HttpLimits {
  /** Calls of one session. A file counts as {@link FILE_COST}. */
  readonly session: Rate;
  /** Calls of one address without a session: signing in, public checks of draws, the API's description. */
  readonly stranger: Rate;
  /** Calls of one address with a token that is not known yet or none: a look-up each. After a restart no token is known. */
  readonly lookUp: Rate;
  /** Pages and files of the web app, and whatever is not there, by address. */
  readonly page: Rate;
  /** All calls of one address together, however many sessions are behind it. */
  readonly address: Rate;
  /** Handshakes and sign-ins of live sockets by address, two for each: thousands of players may come back at once after a restart. */
  readonly handshake: Rate;
  /** Open connections of one address. Not counted behind a proxy, whose own they are. */
  readonly connectionsPerAddress: number;
  /**
   * How long whoever called too often waits for that answer, in milliseconds: a client that calls again at once, on each of its
   * connections, would else keep the server busy with refusals, and everybody behind them.
   */
  readonly refusedAfterMs: number;
  /** By when the headers of a request must be there, and by when all of it, in milliseconds from its first byte. */
  readonly headersMs: number;
  readonly requestMs: number;
}

/** The limits, with what the settings say of them: the calls a second of a session, and of an address without one. */
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

/** What people and programs need, many times over. A thousand players behind one address may bet ten times a second each. */
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

/** What a file costs of a session's budget: it reads thousands of rows. */
const FILE_COST = 20;

/** The budgets of one server; an address is given as `addressKey` has it. Each throws THROTTLED with the seconds to wait when there is nothing left. */
export interface Budgets {
  /** Takes a page, a file of the web app, or anything that is not there. */
  page(address: string): void;
  /** Takes a call of an address, whoever makes it, before anything is looked up. */
  address(address: string): void;
  /** Takes the call from the session's budget where the token was good before, else from the address's for unknown tokens, or for strangers. */
  caller(address: string, token: string | undefined, isFile: boolean): void;
  /** Takes so many calls more from the budget of a token that is known to be good. */
  more(token: string, calls: number): void;
  /** Notes that a token is good: from now on it has a budget of its own. */
  sessionFound(token: string): void;
  /** Forgets a session that has ended: its token is looked up from now on. */
  sessionEnded(token: string): void;
}

/** Makes the budgets. */
export function createBudgets(limits: HttpLimits, nowMs: () => number): Budgets {
  const sessions = createRateLimit(limits.session, nowMs);
  const strangers = createRateLimit(limits.stranger, nowMs);
  const lookUps = createRateLimit(limits.lookUp, nowMs);
  const pages = createRateLimit(limits.page, nowMs);
  const addresses = createRateLimit(limits.address, nowMs);
  return {
    page: (address) => take(pages, address),
    address: (address) => take(addresses, address),
    caller(address, token, isFile) {
      if (token === undefined) take(strangers, address);
      else if (sessions.knows(token)) take(sessions, token, isFile ? FILE_COST : 1);
      else take(lookUps, address);
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
    message: `Too many calls. Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
    retryAfterSeconds: seconds,
  });
}
