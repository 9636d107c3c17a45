import { PIPELINES } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { createGameKeys } from '../games/game-keys.ts';
import { gameNotOpen } from '../games/pairs.ts';
import { CallError, notReady } from '../http/http-errors.ts';
import { lockCredits } from '../ledger/stakes.ts';
import { createSlots } from '../slots.ts';
import { createBetRoom } from './bet-room.ts';
import type { BetOrder } from './bet-order.ts';
import { takeBatch } from './take-batch.ts';
import type { BetOutcome, TakenBet } from './take-batch.ts';

/** The most bets in a batch, unless the settings say otherwise. */
const BATCH_MAX = 500;
/** A batch holds at most this many lines, unless it is one bet alone: no more than a few milliseconds of judging. */
const BATCH_LINES_MAX = 2_000;
/** While one batch of a lane is under way, a second is judged beside it once so many bets wait; fewer wait for the first one's commit. */
const SECOND_FROM = 32;
const BATCHES_PER_LANE = 2;
/** Lanes whose players are waited for, a connection each. */
const WAITS_AT_ONCE = 2;
/** Whoever has waited so long for a batch to begin is told to come back: every call is answered within 10 seconds, the batch included. */
const WAIT_MAX_MS = 5_000;

interface Waiting {
  readonly order: BetOrder;
  readonly answer: (outcome: TakenBet | CallError) => void;
  /** By `performance.now`. */
  readonly sinceMs: number;
}

/** The bets of one network on one game that have no answer yet. */
interface Lane {
  readonly key: string;
  readonly networkId: number;
  /** In the order in which they came. */
  waiting: Waiting[];
  batches: number;
  /** Whether a batch is about to be begun. */
  isDue: boolean;
  /** The players of the batches under way: what else they lay comes after. */
  readonly busy: Set<string>;
  /** Bets whose players' wallets were locked elsewhere, in their order. */
  held: Waiting[];
  isHeldUp: boolean;
}

/** What lanes may take at once, and how long a bet may wait for that; the usual where it is left out. */
export interface LaneLimits {
  /** Bets in one transaction. */
  readonly batchMax?: number | undefined;
  readonly waitMaxMs?: number | undefined;
}

/** Takes bets in batches, a lane per network and game, so that no game holds up another. */
export interface BetLanes {
  /** Resolves once the ticket is durable; rejects with a CallError when the bet is refused, and then nothing has changed. */
  place(order: BetOrder): Promise<TakenBet>;
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
  { batchMax = BATCH_MAX, waitMaxMs = WAIT_MAX_MS }: LaneLimits = {},
): BetLanes {
  const lanes = new Map<string, Lane>();
  const games = createGameKeys(services.db, onError);
  const room = createBetRoom();
  const slots = createSlots(PIPELINES);
  const waits = createSlots(WAITS_AT_ONCE);
  const running = new Set<Promise<void>>();

  function run(work: Promise<void>): void {
    running.add(work);
    void work.finally(() => running.delete(work));
  }

  function closeIdle(lane: Lane): void {
    const isIdle =
      lane.waiting.length === 0 && lane.held.length === 0 && lane.batches === 0 && !lane.isHeldUp && !lane.isDue;
    if (isIdle) lanes.delete(lane.key);
  }

  /** Begins a batch where one may be begun. */
  function go(lane: Lane): void {
    const least = lane.batches === 0 ? 1 : SECOND_FROM;
    if (lane.isDue || lane.batches >= BATCHES_PER_LANE || lane.waiting.length < least) return;
    lane.isDue = true;
    run(takeNext(lane));
  }

  async function takeNext(lane: Lane): Promise<void> {
    // What arrives in the same turn of the event loop, and while others have the connections, belongs to this batch.
    await new Promise<void>((next) => setImmediate(next));
    await slots.take();
    refuseLate(lane.waiting);
    const batch = nextBatch(lane, batchMax);
    lane.isDue = false;
    if (batch.length === 0) {
      slots.give();
      closeIdle(lane);
      return;
    }
    lane.batches++;
    for (const { order } of batch) lane.busy.add(order.actor.id);
    // Enough may wait for a second one beside it.
    go(lane);
    try {
      // Whoever came meanwhile has waited as long, and is not asked to wait once more.
      if (await takeOrSplit(lane, batch))
        for (const { answer } of lane.waiting.splice(0)) answer(new CallError('NOT_READY'));
    } finally {
      slots.give();
      lane.batches--;
      const held = new Set(lane.held.map(({ order }) => order.actor.id));
      for (const { order } of batch) if (!held.has(order.actor.id)) lane.busy.delete(order.actor.id);
    }
    if (lane.held.length > 0 && !lane.isHeldUp) run(waitForHeld(lane));
    go(lane);
    closeIdle(lane);
  }

  /** Those who have waited longest come first. */
  function refuseLate(waiting: Waiting[]): void {
    const lateMs = performance.now() - waitMaxMs;
    const inTime = waiting.findIndex(({ sinceMs }) => sinceMs >= lateMs);
    for (const { answer } of waiting.splice(0, inTime < 0 ? waiting.length : inTime)) answer(tooManyWait());
  }

  /**
   * Should a batch fail as a whole, it is halved until the bet that fails is alone: no bet suffers for another. Where the
   * database is away, which it gives, or too slow, all are told to come back.
   */
  async function takeOrSplit(lane: Lane, batch: readonly Waiting[]): Promise<boolean> {
    try {
      const orders = batch.map((waiting) => waiting.order);
      const outcomes = await services.db.pipelined((tx) => takeBatch(services, tx, lane.networkId, orders, 'skip'));
      for (const [place, waiting] of batch.entries()) settle(lane, waiting, outcomes[place]!);
      return false;
    } catch (error) {
      if (batch.length === 1 || error instanceof DatabaseUnavailable) {
        if (!(error instanceof CallError)) onError(error);
        for (const { answer } of batch) answer(error instanceof CallError ? error : notReady(error));
        return error instanceof DatabaseUnavailable && !error.refused;
      }
      const middle = batch.length >> 1;
      const first = await takeOrSplit(lane, batch.slice(0, middle));
      return (await takeOrSplit(lane, batch.slice(middle))) || first;
    }
  }

  function settle(lane: Lane, waiting: Waiting, outcome: BetOutcome): void {
    if (outcome === 'held') lane.held.push(waiting);
    else waiting.answer(outcome);
  }

  /**
   * Waits for the wallets that are locked elsewhere, by a settlement or a transfer, holding nothing else meanwhile: neither the lane nor
   * the draw. Then their bets come first.
   */
  async function waitForHeld(lane: Lane): Promise<void> {
    lane.isHeldUp = true;
    const held = lane.held.splice(0);
    const players = new Set(held.map(({ order }) => order.actor.id));
    try {
      await waits.take();
      refuseLate(held);
      const there = await services.db
        .transaction((tx) => lockCredits(tx, lane.networkId, [...players], 'wait'))
        .finally(() => waits.give());
      const isThere = ({ order }: Waiting): boolean => there.has(order.actor.id);
      lane.waiting.unshift(...held.filter(isThere));
      for (const { order, answer } of held.filter((waiting) => !isThere(waiting))) {
        onError(new Error(`No wallet of account ${order.actor.id} in network ${lane.networkId}.`));
        answer(new CallError('NOT_READY'));
      }
    } catch (error) {
      onError(error);
      for (const { answer } of held) answer(notReady(error));
    } finally {
      for (const player of players) lane.busy.delete(player);
      lane.isHeldUp = false;
    }
    if (lane.held.length > 0) run(waitForHeld(lane));
    go(lane);
    closeIdle(lane);
  }

  function join(key: string, order: BetOrder): Promise<TakenBet> {
    const { networkId } = order.actor;
    let lane = lanes.get(key);
    if (!lane) {
      lane = { key, networkId, waiting: [], batches: 0, isDue: false, busy: new Set(), held: [], isHeldUp: false };
      lanes.set(key, lane);
    }
    const into = lane;
    return new Promise<TakenBet>((resolve, reject) => {
      const answer = (outcome: TakenBet | CallError): void => {
        room.give(key, order);
        if (outcome instanceof CallError) reject(outcome);
        else resolve(outcome);
      };
      into.waiting.push({ order, answer, sinceMs: performance.now() });
      go(into);
    });
  }

  /** A lane and its batches are for games alone: clients may name what they like. */
  async function joinIfGame(key: string, order: BetOrder): Promise<TakenBet> {
    let refusal = gameNotOpen();
    try {
      if (await games.find(order.gameKey)) return join(key, order);
    } catch (error) {
      refusal = notReady(error);
    }
    room.give(key, order);
    throw refusal;
  }

  return {
    place(order) {
      const key = `${order.actor.networkId} ${order.gameKey}`;
      if (!room.take(key, order)) return Promise.reject(tooManyWait());
      return games.has(order.gameKey) ? join(key, order) : joinIfGame(key, order);
    },
    async drain() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

const tooManyWait = (): CallError =>
  new CallError('NOT_READY', { message: 'Too many bets are waiting. Please try again in a moment.' });

/**
 * Takes the next bets of a lane from those that wait, in their order. What players lay who are busy, and what comes after a request that
 * repeats one of this batch, waits for the next: there it finds the first one's ticket.
 */
function nextBatch(lane: Lane, batchMax: number): Waiting[] {
  const requests = new Set<string>();
  const later = new Set(lane.busy);
  const batch: Waiting[] = [];
  const left: Waiting[] = [];
  let lines = 0;
  let at = 0;
  for (; at < lane.waiting.length && batch.length < batchMax; at++) {
    const bet = lane.waiting[at]!;
    const { actor, requestId, lines: own } = bet.order;
    const name = `${actor.id} ${requestId}`;
    if (later.has(actor.id) || requests.has(name)) {
      later.add(actor.id);
      left.push(bet);
      continue;
    }
    if (batch.length > 0 && lines + own.length > BATCH_LINES_MAX) break;
    lines += own.length;
    requests.add(name);
    batch.push(bet);
  }
  lane.waiting = [...left, ...lane.waiting.slice(at)];
  return batch;
}
