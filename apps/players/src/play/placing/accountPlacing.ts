import { currentAddress } from '../../lib/navigation.ts';
import { noteOpenBets, holdUpdate } from '../../lib/betting/openBets.ts';
import { getSession, onSession } from '../../lib/session/playerSession.ts';
import { createSignal } from '@drawhouse/session/page-store';
import { isReachable, onReachable } from '@drawhouse/session/server-reach';
import { showToast } from '../../lib/toast.ts';
import { earliestServerNow } from '../../lib/server/serverTime.ts';
import { noteOpenDraw } from '../../lib/betting/useLobby.ts';
import { noteWallet } from '../../lib/betting/wallet.ts';
import { betStore } from './betStore.ts';
import { isDecided, type BetAnswer, type PendingBet } from './pendingBet.ts';
import { createPlacing, type Placing, type PlacingPorts } from './placing.ts';
import { ApiError } from '@drawhouse/session/api-client';
import { call } from '../../lib/server/playerApi.ts';
import { routes } from '../../lib/server/playerRoutes.ts';
import { lazyTexts } from '../lazyTexts.ts';

const changes = createSignal();
const NONE: readonly PendingBet[] = [];
const undecided = new Set<string>();
/** Decided while the board was open, not yet shown. */
const news = new Set<string>();
let owner: string | null = null;
let placing: Placing | null = null;
let releaseUpdate: (() => void) | null = null;

/** Places for the current account, on every page, until another account signs in. */
export function accountPlacing(): Placing | null {
  return placing;
}

export function storedBets(): readonly PendingBet[] {
  return placing?.bets() ?? NONE;
}

export const onBetsChanged = changes.listen;

export function isNews({ requestId }: Pick<PendingBet, 'requestId'>): boolean {
  return news.has(requestId);
}

export function noteSeen({ requestId }: Pick<PendingBet, 'requestId'>): void {
  news.delete(requestId);
}

follow();
onSession(follow);
onReachable(() => {
  if (isReachable()) placing?.skipWaits();
});

function follow(): void {
  const accountId = getSession()?.user?._id ?? null;
  if (accountId === owner) return;
  owner = accountId;
  placing?.stop();
  placing = null;
  if (accountId !== null) placing = createPlacing(browserPorts(accountId), notify);
  notify();
}

function notify(): void {
  const bets = placing?.bets() ?? NONE;
  const open = bets.filter((bet) => !isDecided(bet));
  const isOpen = open.length > 0;
  noteOpenBets(open);
  announceOutcomes(bets);
  // A pending bet blocks updates.
  if (isOpen) releaseUpdate ??= holdUpdate();
  else {
    releaseUpdate?.();
    releaseUpdate = null;
  }
  changes.notify();
}

function announceOutcomes(bets: readonly PendingBet[]): void {
  for (const { requestId, gameId, outcome, stake } of bets) {
    if (outcome.kind === 'pending') undecided.add(requestId);
    else if (undecided.delete(requestId)) {
      if (currentAddress().pathname === `/play/${gameId}`) news.add(requestId);
      else showToast(lazyTexts.status.toast[outcome.kind](stake));
    }
  }
}

function browserPorts(accountId: string): PlacingPorts {
  const store = betStore(localStorage, accountId);
  const report = (answer: Promise<BetAnswer>, onAnswer: (answer: BetAnswer) => void): void => {
    answer.then(onAnswer, () => onAnswer({ kind: 'unknown' }));
  };
  const now = earliestServerNow();
  if (now !== null) store.sweep(now);
  return {
    save: (bet) => store.save(bet),
    stored: () => store.stored(),
    remove: (requestId) => store.remove(requestId),
    watch: (onChange) => {
      const onStorage = ({ key }: StorageEvent) => {
        if (key === null || key.startsWith(store.prefix)) onChange();
      };
      window.addEventListener('storage', onStorage);
      return () => window.removeEventListener('storage', onStorage);
    },
    send: (bet, onAnswer) => {
      const onPlaced = (walletBalance: number) => {
        noteWallet({ walletBalance });
        noteOpenDraw(bet.drawId);
      };
      report(sendBet(bet, onPlaced), onAnswer);
    },
    ask: (bet, onAnswer) => report(askForBet(bet), onAnswer),
    schedule: (ms, then) => {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
    serverNow: earliestServerNow,
    // On plain http outside localhost, browsers offer no locks.
    lock: 'locks' in navigator ? (requestId, held) => holdBet(store.prefix + requestId, held) : null,
  };
}

function holdBet(name: string, onLocked: (release: () => void) => void): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  navigator.locks
    .request(name, () => {
      onLocked(resolve);
      return promise;
    })
    .catch(() => undefined);
}

/** After this time, the client asks for the outcome. The server answers within 10 seconds. */
const WAIT_MS = 12_000;
const AGAIN_MS = 1_000;
/** The server did nothing; retrying may succeed. */
const RETRYABLE: readonly string[] = ['NOT_READY', 'THROTTLED', 'REQUEST_TIMEOUT'];
/** Outcome unknown. The last code concerns a request this client did not send. */
const OUTCOME_UNKNOWN: readonly string[] = [
  'NO_RESPONSE',
  'UNREADABLE',
  'UNKNOWN',
  'INTERNAL',
  'OUTCOME_UNKNOWN',
  'IDEMPOTENCY_CONFLICT',
];

function answerOfFailure(error: unknown, isLookup: boolean): BetAnswer {
  if (!(error instanceof ApiError)) return { kind: 'unknown' };
  const { code, message, fields, retryAfterS } = error;
  if (RETRYABLE.includes(code)) return { kind: 'retry', waitMs: retryAfterS === null ? AGAIN_MS : retryAfterS * 1_000 };
  if (isLookup) {
    if (code === 'NOT_PLACED') return { kind: 'not placed' };
    // The ticket existed but was cleared.
    return code === 'NOT_FOUND' ? { kind: 'placed', ticket: null } : { kind: 'unknown' };
  }
  if (OUTCOME_UNKNOWN.includes(code)) return { kind: 'unknown' };
  return { kind: 'refused', refusal: { code, message, fields } };
}

async function sendBet(bet: PendingBet, onPlaced: (walletBalance: number) => void): Promise<BetAnswer> {
  const { gameId, drawId, requestId } = bet;
  try {
    const body = { gameId, drawId, requestId, lines: [...bet.lines] };
    const answer = await call(routes.placeBet, { body }, { signal: AbortSignal.timeout(WAIT_MS) });
    onPlaced(answer.walletBalance);
    return { kind: 'placed', ticket: answer.ticket };
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
    return { kind: 'placed', ticket };
  } catch (error) {
    return answerOfFailure(error, true);
  }
}
