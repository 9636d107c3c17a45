import type { Services } from '../db/services.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { CallError, notReady } from '../http/errors.ts';
import { takeBatch } from './take-batch.ts';
import type { BetOrder } from './bet-order.ts';
import type { BetOutcome, TakenBet } from './take-batch.ts';

/** A batch holds at most this many bets and, unless it is one bet alone, this many lines: no more than a few milliseconds of judging. */
const BATCH_MAX = { bets: 500, lines: 2_000 };
/** With so much waiting in one network, new bets are told to come back. Lines count too: it is they that take memory and time. */
const LANE_MAX = { bets: 20_000, lines: 400_000 };
/** The lines of one player that may wait: whoever lays more at once can't fill the lane before everybody else of the network. */
const PLAYER_LINES_MAX = 20_000;

interface Waiting {
  readonly order: BetOrder;
  readonly answer: (outcome: BetOutcome) => void;
}

/** The bets of one network that have no answer yet. */
interface Lane {
  readonly waiting: Waiting[];
  bets: number;
  lines: number;
  readonly linesOfPlayer: Map<string, number>;
}

/** Takes bets in batches, one lane per network, so that a busy network never holds up another. */
export interface BetLanes {
  /** Resolves once the ticket is durable; rejects with a CallError when the bet is refused, and then nothing has changed. */
  place(order: BetOrder): Promise<TakenBet>;
  /** Waits until every bet that was accepted for taking has its answer. */
  drain(): Promise<void>;
}

/**
 * Builds the lanes. While one batch of a network is being committed the next one gathers, so the size of a batch follows the
 * load by itself, and a single bet waits for nothing. `onError` hears why a bet could not be taken that no rule refused.
 */
export function createBetLanes(services: Services, onError: (error: unknown) => void): BetLanes {
  const lanes = new Map<number, Lane>();
  const running = new Set<Promise<void>>();

  async function runLane(networkId: number, { waiting }: Lane): Promise<void> {
    while (waiting.length > 0) {
      const away = await takeOrSplit(networkId, nextBatch(waiting));
      // Whoever came meanwhile has waited as long, and is not asked to wait once more.
      if (away) for (const { answer } of waiting.splice(0)) answer(new CallError('NOT_READY'));
    }
    lanes.delete(networkId);
  }

  /**
   * Should a batch fail as a whole, it is halved until the bet that fails is alone: no bet suffers for another. Where the
   * database is away, which it gives, or too slow, all are told to come back.
   */
  async function takeOrSplit(networkId: number, batch: Waiting[]): Promise<boolean> {
    try {
      const orders = batch.map((waiting) => waiting.order);
      const outcomes = await services.db.transaction((tx) => takeBatch(services, tx, networkId, orders));
      for (const [index, waiting] of batch.entries()) waiting.answer(outcomes[index]!);
      return false;
    } catch (error) {
      if (batch.length === 1 || error instanceof DatabaseUnavailable) {
        if (!(error instanceof CallError)) onError(error);
        for (const { answer } of batch) answer(error instanceof CallError ? error : notReady(error));
        return error instanceof DatabaseUnavailable && !error.refused;
      }
      const middle = batch.length >> 1;
      const first = await takeOrSplit(networkId, batch.slice(0, middle));
      return (await takeOrSplit(networkId, batch.slice(middle))) || first;
    }
  }

  return {
    place(order) {
      const { networkId } = order.actor;
      const open = lanes.get(networkId);
      const lane = open ?? { waiting: [], bets: 0, lines: 0, linesOfPlayer: new Map<string, number>() };
      if (!hasRoom(lane, order)) return Promise.reject(new CallError('NOT_READY', { message: TOO_MANY_WAIT }));
      count(lane, order, 1);
      return new Promise<TakenBet>((resolve, reject) => {
        const answer = (outcome: BetOutcome): void => {
          count(lane, order, -1);
          if (outcome instanceof CallError) reject(outcome);
          else resolve(outcome);
        };
        lane.waiting.push({ order, answer });
        if (open) return;
        lanes.set(networkId, lane);
        // Not at once: what arrives in the same turn of the event loop belongs to the first batch.
        const run = new Promise<void>((next) => setImmediate(next)).then(() => runLane(networkId, lane));
        running.add(run);
        void run.finally(() => running.delete(run));
      });
    },
    async drain() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

const TOO_MANY_WAIT = 'Too many bets are waiting. Please try again in a moment.';

function hasRoom({ bets, lines, linesOfPlayer }: Lane, { actor, lines: { length } }: BetOrder): boolean {
  const ofPlayer = linesOfPlayer.get(actor.id) ?? 0;
  return bets < LANE_MAX.bets && lines + length <= LANE_MAX.lines && ofPlayer + length <= PLAYER_LINES_MAX;
}

/** Counts a bet in (1) or out (-1). */
function count(lane: Lane, { actor, lines: { length } }: BetOrder, sign: 1 | -1): void {
  lane.bets += sign;
  lane.lines += sign * length;
  const ofPlayer = (lane.linesOfPlayer.get(actor.id) ?? 0) + sign * length;
  if (ofPlayer > 0) lane.linesOfPlayer.set(actor.id, ofPlayer);
  else lane.linesOfPlayer.delete(actor.id);
}

/**
 * Takes the next bets from those that wait, in their order. A request that repeats one of this batch waits for the next, where it
 * finds the first one's ticket.
 */
function nextBatch(waiting: Waiting[]): Waiting[] {
  const seen = new Set<string>();
  const batch: Waiting[] = [];
  const repeats: Waiting[] = [];
  let lines = 0;
  for (const bet of waiting) {
    const { actor, requestId, lines: own } = bet.order;
    const name = `${actor.id} ${requestId}`;
    if (seen.has(name)) {
      repeats.push(bet);
      continue;
    }
    lines += own.length;
    if (batch.length > 0 && (batch.length >= BATCH_MAX.bets || lines > BATCH_MAX.lines)) break;
    seen.add(name);
    batch.push(bet);
  }
  waiting.splice(0, batch.length + repeats.length, ...repeats);
  return batch;
}
