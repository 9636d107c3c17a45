import { pointsText } from '../../lib/amounts.ts';
import { currentAddress } from '../../lib/navigation.ts';
import { noteOpenBets } from '../../lib/openBets.ts';
import { getSession, onSession } from '../../lib/playerSession.ts';
import { isReachable, onReachable } from '@drawhouse/session/server-reach';
import { say } from '../../lib/sayings.ts';
import { earliestServerNow } from '../../lib/serverTime.ts';
import { holdUpdate } from '../../lib/updateHold.ts';
import { noteWallet } from '../../lib/wallet.ts';
import { betStore } from './betStore.ts';
import { isDecided } from './keptBet.ts';
import type { BetAnswer, KeptBet } from './keptBet.ts';
import { createPlacing } from './placing.ts';
import type { Placing, PlacingPorts } from './placing.ts';
import { ApiError } from '@drawhouse/session/api-client';
import { call } from '../../lib/playerApi.ts';
import { routes } from '../../lib/playerRoutes.ts';

const listeners = new Set<() => void>();
const NONE: readonly KeptBet[] = [];
const undecided = new Set<string>();
let owner: string | null = null;
let placing: Placing | null = null;
let releaseUpdate: (() => void) | null = null;

/** The tickets of whoever is signed in: placed from here on, whichever page is shown, until another one signs in. */
export function accountPlacing(): Placing | null {
  return placing;
}

/** The tickets that are kept of whoever is signed in, as they now are. */
export function keptBets(): readonly KeptBet[] {
  return placing?.bets() ?? NONE;
}

/** Hears whenever they have changed. */
export function onKeptBets(listener: () => void): void {
  listeners.add(listener);
}

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
  // While it is not known what became of a ticket, no newer version of the page takes over.
  if (isOpen) releaseUpdate ??= holdUpdate();
  else {
    releaseUpdate?.();
    releaseUpdate = null;
  }
  for (const listener of listeners) listener();
}

/** Says what became of tickets whose board is not the page that is shown, where it was not known before. */
function sayDecided(bets: readonly KeptBet[]): void {
  for (const { requestId, gameId, fate, stake } of bets) {
    if (fate.is === 'finding out') undecided.add(requestId);
    else if (undecided.delete(requestId) && currentAddress().path !== `/play/${gameId}`)
      say(`Your ticket of ${pointsText(stake)} points was ${fate.is}.`);
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
    // Browsers withhold locks on plain http outside localhost.
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

/** An answer is waited for so long; then it is asked what became of the bet. The server answers every call within 10 seconds. */
const WAIT_MS = 12_000;
/** Where the server wants to be asked again, and does not say when. */
const AGAIN_MS = 1_000;
/** With these the server did nothing, and may do it when it is asked again. */
const LATER: readonly string[] = ['NOT_READY', 'THROTTLED', 'REQUEST_TIMEOUT'];
/** With these it is not told whether something was done; the last of them is of a request that this client has not sent. */
const UNTOLD: readonly string[] = [
  'NO_RESPONSE',
  'UNREADABLE',
  'UNKNOWN',
  'INTERNAL',
  'OUTCOME_UNKNOWN',
  'IDEMPOTENCY_CONFLICT',
];

/** What a failed call says of a bet that it was to place, or that it asked for. */
function answerOfFailure(error: unknown, asked: boolean): BetAnswer {
  if (!(error instanceof ApiError)) return { says: 'nothing' };
  const { code, message, fields, retryAfterS } = error;
  if (LATER.includes(code)) return { says: 'later', waitMs: retryAfterS === null ? AGAIN_MS : retryAfterS * 1_000 };
  if (asked) {
    if (code === 'NOT_PLACED') return { says: 'not placed' };
    // There was a ticket; it has been cleared since.
    return code === 'NOT_FOUND' ? { says: 'placed', ticket: null } : { says: 'nothing' };
  }
  if (UNTOLD.includes(code)) return { says: 'nothing' };
  return { says: 'refused', refusal: { code, message, fields } };
}

/** Sends a bet, always for the draw that it names. `took` hears of the wallet after it. */
async function sendBet(bet: KeptBet, took: (walletBalance: number) => void): Promise<BetAnswer> {
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

/** Asks what became of a bet. */
async function askForBet({ requestId }: KeptBet): Promise<BetAnswer> {
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
