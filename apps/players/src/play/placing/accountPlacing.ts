import { pointsText } from '../../lib/amounts.ts';
import { currentAddress } from '../../lib/navigation.ts';
import { noteOpenBets, holdUpdate } from '../../lib/betting/openBets.ts';
import { getSession, onSession } from '../../lib/session/playerSession.ts';
import { createSignal } from '@drawhouse/session/page-store';
import { isReachable, onReachable } from '@drawhouse/session/server-reach';
import { showToast } from '../../lib/toast.ts';
import { earliestServerNow } from '../../lib/server/serverTime.ts';
import { noteWallet } from '../../lib/betting/wallet.ts';
import { betStore } from './betStore.ts';
import { isDecided } from './pendingBet.ts';
import type { BetAnswer, PendingBet } from './pendingBet.ts';
import { createPlacing } from './placing.ts';
import type { Placing, PlacingPorts } from './placing.ts';
import { ApiError } from '@drawhouse/session/api-client';
import { call } from '../../lib/server/playerApi.ts';
import { routes } from '../../lib/server/playerRoutes.ts';

const changes = createSignal();
const NONE: readonly PendingBet[] = [];
const undecided = new Set<string>();
let owner: string | null = null;
let placing: Placing | null = null;
let releaseUpdate: (() => void) | null = null;

/** Placing for the current account, on every page, until another account signs in. */
export function accountPlacing(): Placing | null {
  return placing;
}

export function keptBets(): readonly PendingBet[] {
  return placing?.bets() ?? NONE;
}

export const onKeptBets = changes.listen;

follow();
onSession(follow);
onReachable(() => {
  if (isReachable()) placing?.hurry();
});

function follow(): void {
  const accountId = getSession()?.user?._id ?? null;
  if (accountId === owner) return;
  owner = accountId;
  placing?.stop();
  placing = null;
  if (accountId !== null) placing = createPlacing(browserPorts(accountId), tell);
  tell();
}

function tell(): void {
  const bets = placing?.bets() ?? NONE;
  const open = bets.filter((bet) => !isDecided(bet));
  const isOpen = open.length > 0;
  noteOpenBets(open);
  sayDecided(bets);
  // A pending bet blocks updates.
  if (isOpen) releaseUpdate ??= holdUpdate();
  else {
    releaseUpdate?.();
    releaseUpdate = null;
  }
  changes.tell();
}

function sayDecided(bets: readonly PendingBet[]): void {
  for (const { requestId, gameId, fate, stake } of bets) {
    if (fate.is === 'finding out') undecided.add(requestId);
    else if (undecided.delete(requestId) && currentAddress().path !== `/play/${gameId}`)
      showToast(`Your ticket of ${pointsText(stake)} points was ${fate.is}.`);
  }
}

function browserPorts(accountId: string): PlacingPorts {
  const store = betStore(localStorage, accountId);
  const hear = (answer: Promise<BetAnswer>, answered: (answer: BetAnswer) => void): void => {
    answer.then(answered, () => answered({ says: 'nothing' }));
  };
  const now = earliestServerNow();
  if (now !== null) store.sweep(now);
  return {
    keep: (bet) => store.keep(bet),
    kept: () => store.kept(),
    drop: (requestId) => store.drop(requestId),
    watch: (changed) => {
      const heard = ({ key }: StorageEvent) => {
        if (key === null || key.startsWith(store.prefix)) changed();
      };
      window.addEventListener('storage', heard);
      return () => window.removeEventListener('storage', heard);
    },
    send: (bet, answered) => {
      const took = (walletBalance: number) => noteWallet({ walletBalance });
      hear(sendBet(bet, took), answered);
    },
    ask: (bet, answered) => hear(askForBet(bet), answered),
    later: (ms, then) => {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
    serverNow: earliestServerNow,
    // On plain http outside localhost, browsers offer no locks.
    hold: 'locks' in navigator ? (requestId, held) => holdBet(store.prefix + requestId, held) : null,
  };
}

function holdBet(name: string, held: (release: () => void) => void): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  navigator.locks
    .request(name, () => {
      held(resolve);
      return promise;
    })
    .catch(() => undefined);
}

/** Timeout before querying the outcome. The server answers within 10 seconds. */
const WAIT_MS = 12_000;
/** Retry delay unless the server names one. */
const AGAIN_MS = 1_000;
/** The server did nothing; retrying may succeed. */
const LATER: readonly string[] = ['NOT_READY', 'THROTTLED', 'REQUEST_TIMEOUT'];
/** Outcome unknown. The last code concerns a request this client did not send. */
const UNTOLD: readonly string[] = [
  'NO_RESPONSE',
  'UNREADABLE',
  'UNKNOWN',
  'INTERNAL',
  'OUTCOME_UNKNOWN',
  'IDEMPOTENCY_CONFLICT',
];

function answerOfFailure(error: unknown, asked: boolean): BetAnswer {
  if (!(error instanceof ApiError)) return { says: 'nothing' };
  const { code, message, fields, retryAfterS } = error;
  if (LATER.includes(code)) return { says: 'later', waitMs: retryAfterS === null ? AGAIN_MS : retryAfterS * 1_000 };
  if (asked) {
    if (code === 'NOT_PLACED') return { says: 'not placed' };
    // The ticket existed but was cleared.
    return code === 'NOT_FOUND' ? { says: 'placed', ticket: null } : { says: 'nothing' };
  }
  if (UNTOLD.includes(code)) return { says: 'nothing' };
  return { says: 'refused', refusal: { code, message, fields } };
}

/** Always for the named draw. `took` receives the new balance. */
async function sendBet(bet: PendingBet, took: (walletBalance: number) => void): Promise<BetAnswer> {
  const { gameId, drawId, requestId } = bet;
  try {
    const body = { gameId, drawId, requestId, lines: [...bet.lines] };
    const answer = await call(routes.placeBet, { body }, { signal: AbortSignal.timeout(WAIT_MS) });
    took(answer.walletBalance);
    return { says: 'placed', ticket: answer.ticket };
  } catch (error) {
    return answerOfFailure(error, false);
  }
}

async function askForBet({ requestId }: PendingBet): Promise<BetAnswer> {
  try {
    const { ticket } = await call(
      routes.betOfRequest,
      { params: { requestId } },
      { signal: AbortSignal.timeout(WAIT_MS) },
    );
    return { says: 'placed', ticket };
  } catch (error) {
    return answerOfFailure(error, true);
  }
}
