import type { Services } from '../db/services.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { CallError, notReady } from '../http/errors.ts';
import { takeBatch } from './take-batch.ts';
import type { BetOrder, BetOutcome, TakenBet } from './take-batch.ts';

/** A batch holds at most this many bets. */
const BATCH_MAX = 500;
/** With more bets waiting in one network, new ones are told to come back. */
const WAITING_MAX = 20_000;

interface Waiting {
  readonly order: BetOrder;
  readonly answer: (outcome: BetOutcome) => void;
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
  const lanes = new Map<string, Waiting[]>();
  const running = new Set<Promise<void>>();

  async function runLane(networkId: string, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) {
      const { batch, later } = nextBatch(waiting);
      waiting.splice(0, waiting.length, ...later);
      const away = await takeOrSplit(networkId, batch);
      // Whoever came meanwhile has waited as long, and is not asked to wait once more.
      if (away) for (const { answer } of waiting.splice(0)) answer(new CallError('NOT_READY'));
    }
    lanes.delete(networkId);
  }

  /**
   * Should a batch fail as a whole, it is halved until the bet that fails is alone: no bet suffers for another. Where the
   * database is away, which it gives, or too slow, all are told to come back.
   */
  async function takeOrSplit(networkId: string, batch: Waiting[]): Promise<boolean> {
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
      const lane = lanes.get(networkId);
      if (lane && lane.length >= WAITING_MAX) return Promise.reject(new CallError('NOT_READY'));
      return new Promise<TakenBet>((resolve, reject) => {
        const answer = (outcome: BetOutcome): void =>
          outcome instanceof CallError ? reject(outcome) : resolve(outcome);
        if (lane) {
          lane.push({ order, answer });
          return;
        }
        const waiting = [{ order, answer }];
        lanes.set(networkId, waiting);
        // Not at once: what arrives in the same turn of the event loop belongs to the first batch.
        const run = new Promise<void>((next) => setImmediate(next)).then(() => runLane(networkId, waiting));
        running.add(run);
        void run.finally(() => running.delete(run));
      });
    },
    async drain() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** The next bets to take. A request that repeats one of this batch waits for the next, where it finds the first one's ticket. */
function nextBatch(waiting: readonly Waiting[]): { batch: Waiting[]; later: Waiting[] } {
  const seen = new Set<string>();
  const batch: Waiting[] = [];
  const later: Waiting[] = [];
  for (const bet of waiting) {
    const name = `${bet.order.actor.id} ${bet.order.requestId}`;
    if (batch.length < BATCH_MAX && !seen.has(name)) batch.push(bet);
    else later.push(bet);
    seen.add(name);
  }
  return { batch, later };
}
