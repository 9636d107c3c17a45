import type { Services } from '../services.ts';
import { createGameKeys } from '../games/game-keys.ts';
import { gameNotOpen } from '../games/pairs.ts';
import { CallError, notReady } from '../http/http-errors.ts';
import { newLane, tooManyWait, endWait, refuseLate, takeLocked } from './bet-lane.ts';
import type { BetLane, WaitingBet } from './bet-lane.ts';
import { createBetBacklog } from './bet-backlog.ts';
import type { BetOrder } from './bet-order.ts';
import { createLaneBatches } from './lane-batches.ts';
import type { TakenBet } from './judge-bets.ts';
import { createKnownPlayers } from '../protection/known-players.ts';
import { takeInTransaction } from './take-batch.ts';
import { lockCredits } from '../ledger/stakes.ts';
import { createSemaphore } from '../semaphore.ts';

/** The most bets in a batch, unless the settings say otherwise. */
const BATCH_MAX = 500;
/** Whoever has waited so long for a batch to begin is told to come back: every call is answered within 10 seconds, the batch included. */
const WAIT_MAX_MS = 5_000;
/** After so long no more of a call's tickets are handed over: each that was has its answer within as long again. */
const HAND_OVER_MS = 4_000;

/** What lanes may take at once, how long a bet may wait for that, and how long they are handed the many of one call; the usual where it is left out. */
export interface LaneLimits {
  /** Bets in one transaction. */
  readonly batchMax?: number | undefined;
  readonly waitMaxMs?: number | undefined;
  readonly handOverMs?: number | undefined;
  /** Hears of what lanes do; nobody does where it is left out. */
  readonly heard?: BetHearer | undefined;
}

/** Hears of what lanes do with bets. */
export interface BetHearer {
  /** A bet has its answer. */
  answered(this: void, outcome: TakenBet | CallError): void;
  /** A batch of so many bets is begun. */
  begun(this: void, bets: number): void;
}

/** Tells an outcome whoever hears of all, then whoever asked. */
function tellBoth(
  { answered }: BetHearer,
  tell: (outcome: TakenBet | CallError) => void,
): (outcome: TakenBet | CallError) => void {
  return (outcome) => {
    answered(outcome);
    tell(outcome);
  };
}

/** Takes bets in batches, a lane per network and game, so that no game holds up another. */
export interface BetLanes {
  /** Resolves once the ticket is durable; rejects with a CallError when the bet is refused, and then nothing has changed. */
  place(order: BetOrder): Promise<TakenBet>;
  /** The same, that answers once. */
  ask(this: void, order: BetOrder, answer: (outcome: TakenBet | CallError) => void): void;
  /** So long after a call began its tickets are handed over. */
  readonly handOverMs: number;
  /** How many bets have no answer yet. */
  waiting(this: void): number;
  /** Waits until every bet that was accepted for taking has its answer. */
  drain(): Promise<void>;
}

/**
 * Builds the lanes. While batches of a lane are under way the next one gathers, so the size of a batch follows the load by itself, and
 * a single bet waits for nothing. The bets of one player on one game are taken in their order. `onError` hears why a bet could not
 * be taken that no rule refused.
 */
export function createBetLanes(
  services: Services,
  onError: (error: unknown) => void,
  { batchMax = BATCH_MAX, waitMaxMs = WAIT_MAX_MS, handOverMs = HAND_OVER_MS, heard }: LaneLimits = {},
): BetLanes {
  const lanes = new Map<string, BetLane>();
  const games = createGameKeys(services.db, onError);
  const backlog = createBetBacklog();
  const known = createKnownPlayers();
  const onIdle = ({ key }: BetLane): void => void lanes.delete(key);
  const take = (networkId: number, orders: readonly BetOrder[]) =>
    takeInTransaction(services, networkId, orders, { whereLocked: 'skip', known });
  const waitForLocks = createLockedBets(services, waitMaxMs, onError);
  const means = { take, waitForLocks, onError, onIdle, onBatch: heard?.begun };
  const { go, drain } = createLaneBatches({ batchMax, waitMaxMs }, means);

  function join(key: string, order: BetOrder, answer: (outcome: TakenBet | CallError) => void): void {
    let lane = lanes.get(key);
    if (!lane) {
      lane = newLane(key, order.actor.networkId);
      lanes.set(key, lane);
    }
    lane.waiting.push({ order, answer, sinceMs: performance.now() });
    go(lane);
  }

  /** A lane and its batches are for games alone: clients may name what they like. */
  async function joinIfGame(
    key: string,
    order: BetOrder,
    answer: (outcome: TakenBet | CallError) => void,
  ): Promise<void> {
    let isGame: boolean;
    try {
      isGame = await games.find(order.gameKey);
    } catch (error) {
      answer(notReady(error));
      return;
    }
    if (isGame) join(key, order, answer);
    else answer(gameNotOpen());
  }

  function ask(order: BetOrder, tell: (outcome: TakenBet | CallError) => void): void {
    const answer = heard ? tellBoth(heard, tell) : tell;
    const key = `${order.actor.networkId} ${order.gameKey}`;
    if (!backlog.add(key, order)) {
      answer(tooManyWait());
      return;
    }
    const leave = (outcome: TakenBet | CallError): void => {
      backlog.remove(key, order);
      answer(outcome);
    };
    if (games.has(order.gameKey)) join(key, order, leave);
    else void joinIfGame(key, order, leave);
  }

  return {
    ask,
    place: (order) =>
      new Promise((resolve, reject) =>
        ask(order, (outcome) => (outcome instanceof CallError ? reject(outcome) : resolve(outcome))),
      ),
    handOverMs,
    waiting: backlog.count,
    drain,
  };
}

/** Lanes whose players are waited for, a connection each. */
const WAITS_AT_ONCE = 2;

/**
 * Makes what waits for the wallets of a lane's players that are locked elsewhere, by a settlement or a transfer, holding nothing else
 * meanwhile: neither the lane nor the draw. Then their bets come first. `onError` hears why one could not be waited for.
 */
function createLockedBets(
  { db }: Pick<Services, 'db'>,
  waitMaxMs: number,
  onError: (error: unknown) => void,
): (lane: BetLane) => Promise<void> {
  const waits = createSemaphore(WAITS_AT_ONCE);
  return async (lane) => {
    const { networkId } = lane;
    const locked = takeLocked(lane);
    const players = [...new Set(locked.map(({ order }) => order.actor.id))];
    let there: WaitingBet[] = [];
    try {
      await waits.acquire();
      refuseLate(locked, performance.now() - waitMaxMs);
      const wallets = await db
        .transaction((tx) => lockCredits(tx, networkId, players, 'wait'))
        .finally(() => waits.release());
      const isThere = ({ order }: WaitingBet): boolean => wallets.has(order.actor.id);
      there = locked.filter(isThere);
      for (const { order, answer } of locked.filter((waiting) => !isThere(waiting))) {
        onError(new Error(`No wallet of account ${order.actor.id} in network ${networkId}.`));
        answer(new CallError('NOT_READY'));
      }
    } catch (error) {
      onError(error);
      for (const { answer } of locked) answer(notReady(error));
    } finally {
      endWait(lane, players, there);
    }
  };
}
