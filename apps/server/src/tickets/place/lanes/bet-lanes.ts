import type { Services } from '../../../platform/services.ts';
import { createGameKeys } from '../../../games/catalogue/game-source.ts';
import { gameNotOpen } from '../../../games/pairs/pairs.ts';
import { CallError, databaseError } from '../../../platform/http/http-errors.ts';
import { type BetLane, endWait, newLane, refuseLate, takeLocked, tooManyWait, type WaitingBet } from './bet-lane.ts';
import { type BetOrder, senderOf } from '../bet-order.ts';
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
  /** Resolves once the ticket is durable. */
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

/** Approximate memory per waiting bet, including its answer, and per line. */
const BYTES = { bet: 1_000, line: 200 };

interface Load {
  bets: number;
  bytes: number;
}

/** Per server, lane, player and API key. One sender cannot fill a lane. */
const SERVER_MAX: Load = { bets: 50_000, bytes: 160_000_000 };
const LANE_MAX: Load = { bets: 20_000, bytes: 80_000_000 };
const PLAYER_MAX: Load = { bets: 2_000, bytes: 20 * (BYTES.bet + 1_000 * BYTES.line) };
const API_KEY_MAX: Load = { bets: 10_000, bytes: 20_000_000 };

interface BetBacklog {
  add(lane: string, order: BetOrder): boolean;
  remove(lane: string, order: BetOrder): void;
  count(this: void): number;
}

export function createBetBacklog(): BetBacklog {
  const server: Load = { bets: 0, bytes: 0 };
  const lanes = new Map<string, Load>();
  const players = new Map<string, Load>();
  const apiKeys = new Map<string, Load>();
  return {
    add(lane, order) {
      const bytes = bytesOf(order);
      const ofLane = lanes.get(lane) ?? { bets: 0, bytes: 0 };
      const ofPlayer = players.get(order.actor.id) ?? { bets: 0, bytes: 0 };
      if (!fits(server, SERVER_MAX, bytes) || !fits(ofLane, LANE_MAX, bytes) || !fits(ofPlayer, PLAYER_MAX, bytes))
        return false;
      if (order.apiKey !== undefined) {
        const ofKey = apiKeys.get(keyOf(order)) ?? { bets: 0, bytes: 0 };
        if (!fits(ofKey, API_KEY_MAX, bytes)) return false;
        add(ofKey, 1, bytes);
        apiKeys.set(keyOf(order), ofKey);
      }
      for (const load of [server, ofLane, ofPlayer]) add(load, 1, bytes);
      lanes.set(lane, ofLane);
      players.set(order.actor.id, ofPlayer);
      return true;
    },
    remove(lane, order) {
      const bytes = bytesOf(order);
      add(server, -1, -bytes);
      leaveLoad(lanes, lane, bytes);
      leaveLoad(players, order.actor.id, bytes);
      if (order.apiKey !== undefined) leaveLoad(apiKeys, keyOf(order), bytes);
    },
    count: () => server.bets,
  };
}

const bytesOf = ({ lines }: BetOrder): number => BYTES.bet + lines.length * BYTES.line;
const keyOf = (order: BetOrder): string => `${order.actor.networkId} ${senderOf(order)}`;

const fits = (load: Load, max: Load, bytes: number): boolean => load.bets < max.bets && load.bytes + bytes <= max.bytes;

function add(load: Load, bets: number, bytes: number): void {
  load.bets += bets;
  load.bytes += bytes;
}

function leaveLoad(loads: Map<string, Load>, key: string, bytes: number): void {
  const load = loads.get(key)!;
  add(load, -1, -bytes);
  if (load.bets === 0) loads.delete(key);
}
