import type { Services } from '../../../platform/services.ts';
import { createGameKeys } from '../../../games/catalogue/game-keys.ts';
import { gameNotOpen } from '../../../games/pairs/pairs.ts';
import { CallError, databaseError } from '../../../platform/http/http-errors.ts';
import { newLane, tooManyWait, endWait, refuseLate, takeLocked, type BetLane, type WaitingBet } from './bet-lane.ts';
import { createBetBacklog } from './bet-backlog.ts';
import type { BetOrder } from '../bet-order.ts';
import { createLaneBatches } from './lane-batches.ts';
import type { PlacedBet } from '../judge-bets.ts';
import { createPlayerCache } from '../../../protection/player-cache.ts';
import { takeInTransaction } from '../take-batch.ts';
import { lockCredits } from '../../../ledger/stakes.ts';
import { createSemaphore } from '../../../platform/time/semaphore.ts';

const BATCH_MAX = 500;
/** Every call is answered within 10 seconds, batch included. */
const WAIT_MAX_MS = 5_000;
/** Hand-over stops after this; remaining answers arrive within the same time again. */
const HAND_OVER_MS = 4_000;

export interface LaneLimits {
  readonly batchMax?: number | undefined;
  readonly waitMaxMs?: number | undefined;
  readonly handOverMs?: number | undefined;
  readonly observer?: BetObserver | undefined;
}

export interface BetObserver {
  answered(this: void, outcome: PlacedBet | CallError): void;
  begun(this: void, bets: number): void;
}

function answerBoth(
  { answered }: BetObserver,
  answer: (outcome: PlacedBet | CallError) => void,
): (outcome: PlacedBet | CallError) => void {
  return (outcome) => {
    answered(outcome);
    answer(outcome);
  };
}

export interface BetLanes {
  /** Resolves once the ticket is durable. Rejects with a CallError if refused; nothing has changed then. */
  place(order: BetOrder): Promise<PlacedBet>;
  ask(this: void, order: BetOrder, answer: (outcome: PlacedBet | CallError) => void): void;
  readonly handOverMs: number;
  waiting(this: void): number;
  drain(): Promise<void>;
}

/**
 * Batches adapt to load: bets gather while a batch runs, and a lone bet never waits. One player's bets on one game keep
 * their order. `onError` receives unexpected failures.
 */
export function createBetLanes(
  services: Services,
  onError: (error: unknown) => void,
  { batchMax = BATCH_MAX, waitMaxMs = WAIT_MAX_MS, handOverMs = HAND_OVER_MS, observer }: LaneLimits = {},
): BetLanes {
  const lanes = new Map<string, BetLane>();
  const games = createGameKeys(services.db, onError);
  const backlog = createBetBacklog();
  const players = createPlayerCache();
  const onIdle = ({ key }: BetLane): void => void lanes.delete(key);
  const take = (networkId: number, orders: readonly BetOrder[]) =>
    takeInTransaction(services, networkId, orders, { whereLocked: 'skip', known: players });
  const waitForLocks = createLockedBets(services, waitMaxMs, onError);
  const means = { take, waitForLocks, onError, onIdle, onBatch: observer?.begun };
  const { go, drain } = createLaneBatches({ batchMax, waitMaxMs }, means);

  function join(key: string, order: BetOrder, answer: (outcome: PlacedBet | CallError) => void): void {
    let lane = lanes.get(key);
    if (!lane) {
      lane = newLane(key, order.actor.networkId);
      lanes.set(key, lane);
    }
    lane.waiting.push({ order, answer, sinceMs: performance.now() });
    go(lane);
  }

  /** Clients must not create lanes with invented names. */
  async function joinIfGame(
    key: string,
    order: BetOrder,
    answer: (outcome: PlacedBet | CallError) => void,
  ): Promise<void> {
    let isGame: boolean;
    try {
      isGame = await games.find(order.gameKey);
    } catch (error) {
      answer(databaseError(error));
      return;
    }
    if (isGame) join(key, order, answer);
    else answer(gameNotOpen());
  }

  function ask(order: BetOrder, respond: (outcome: PlacedBet | CallError) => void): void {
    const answer = observer ? answerBoth(observer, respond) : respond;
    const key = `${order.actor.networkId} ${order.gameKey}`;
    if (!backlog.add(key, order)) {
      answer(tooManyWait());
      return;
    }
    const leave = (outcome: PlacedBet | CallError): void => {
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

/** One connection per waiting lane. */
const WAITS_AT_ONCE = 2;

/**
 * Waits for wallets locked by a settlement or transfer without holding the lane or draw lock. Their bets then go first.
 */
function createLockedBets(
  { db }: Pick<Services, 'db'>,
  waitMaxMs: number,
  onError: (error: unknown) => void,
): (lane: BetLane) => Promise<void> {
  const slots = createSemaphore(WAITS_AT_ONCE);
  return async (lane) => {
    const { networkId } = lane;
    const locked = takeLocked(lane);
    const players = [...new Set(locked.map(({ order }) => order.actor.id))];
    let unlocked: WaitingBet[] = [];
    try {
      await slots.acquire();
      refuseLate(locked, performance.now() - waitMaxMs);
      const wallets = await db
        .transaction((tx) => lockCredits(tx, networkId, players, 'wait'))
        .finally(() => slots.release());
      const isThere = ({ order }: WaitingBet): boolean => wallets.has(order.actor.id);
      unlocked = locked.filter(isThere);
      for (const { order, answer } of locked.filter((waiting) => !isThere(waiting))) {
        onError(new Error(`No wallet of account ${order.actor.id} in network ${networkId}.`));
        answer(new CallError('NOT_READY'));
      }
    } catch (error) {
      onError(error);
      for (const { answer } of locked) answer(databaseError(error));
    } finally {
      endWait(lane, players, unlocked);
    }
  };
}
