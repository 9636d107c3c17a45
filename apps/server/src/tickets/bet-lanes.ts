import type { Services } from '../db/services.ts';
import { CallError } from '../http/errors.ts';
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
      await takeOrSplit(networkId, batch);
    }
    lanes.delete(networkId);
  }

  /** Should a batch fail as a whole, it is halved until the bet that fails is alone: no bet suffers for another. */
  async function takeOrSplit(networkId: string, batch: Waiting[]): Promise<void> {
    try {
      const orders = batch.map((waiting) => waiting.order);
      const outcomes = await services.db.transaction((tx) => takeBatch(services, tx, networkId, orders));
      for (const [index, waiting] of batch.entries()) waiting.answer(outcomes[index]!);
    } catch (error) {
      if (batch.length === 1) {
        if (!(error instanceof CallError)) onError(error);
        batch[0]!.answer(error instanceof CallError ? error : new CallError('NOT_READY'));
        return;
      }
      const middle = batch.length >> 1;
      await takeOrSplit(networkId, batch.slice(0, middle));
      await takeOrSplit(networkId, batch.slice(middle));
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
