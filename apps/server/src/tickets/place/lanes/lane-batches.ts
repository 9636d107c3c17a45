import { PIPELINES } from '../../../platform/db/database.ts';
import { CallError, databaseError } from '../../../platform/http/http-errors.ts';
import { createSemaphore } from '../../../platform/time/semaphore.ts';
import { beginBatch, endBatch, isIdle, mayBegin, refuseLate, type BetLane, type WaitingBet } from './bet-lane.ts';
import type { BetOrder } from '../bet-order.ts';
import type { BetOutcome } from '../judge-bets.ts';
import { DatabaseUnavailable } from '../../../platform/db/connection/unavailable.ts';

interface BatchDeps {
  readonly take: (networkId: number, orders: readonly BetOrder[]) => Promise<BetOutcome[]>;
  readonly waitForLocks: (lane: BetLane) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly onIdle: (lane: BetLane) => void;
  readonly onBatch?: ((bets: number) => void) | undefined;
}

export interface LaneBatches {
  go(this: void, lane: BetLane): void;
  drain(this: void): Promise<void>;
}

export function createLaneBatches(
  { batchMax, waitMaxMs }: { readonly batchMax: number; readonly waitMaxMs: number },
  { take, waitForLocks, onError, onIdle, onBatch }: BatchDeps,
): LaneBatches {
  const pipelines = createSemaphore(PIPELINES);
  const running = new Set<Promise<void>>();

  function run(work: Promise<void>): void {
    running.add(work);
    void work.finally(() => running.delete(work));
  }

  function go(lane: BetLane): void {
    if (!mayBegin(lane)) return;
    lane.isDue = true;
    run(takeNext(lane));
  }

  function goOn(lane: BetLane): void {
    if (lane.locked.length > 0 && !lane.isWaitingForLock) run(waitForLocks(lane).then(() => goOn(lane)));
    go(lane);
    if (isIdle(lane)) onIdle(lane);
  }

  async function takeNext(lane: BetLane): Promise<void> {
    // Joins bets of the same event-loop turn and those arriving while connections are busy.
    await new Promise<void>((next) => setImmediate(next));
    await pipelines.acquire();
    refuseLate(lane.waiting, performance.now() - waitMaxMs);
    const batch = beginBatch(lane, batchMax);
    if (batch.length === 0) {
      pipelines.release();
      if (isIdle(lane)) onIdle(lane);
      return;
    }
    onBatch?.(batch.length);
    go(lane);
    const locked: WaitingBet[] = [];
    try {
      // Newer bets waited on the same outage.
      if (await takeWithBisection(batch, (part) => takePart(lane, part, locked), fail))
        for (const { answer } of lane.waiting.splice(0)) answer(new CallError('NOT_READY'));
    } finally {
      pipelines.release();
      lane.locked.push(...locked);
      endBatch(lane, batch);
    }
    goOn(lane);
  }

  /** To keep order, skips bets whose player had a locked bet in an earlier part, even if unlocked since. */
  async function takePart(lane: BetLane, part: readonly WaitingBet[], locked: WaitingBet[]): Promise<void> {
    const lockedPlayers = new Set(locked.map(({ order }) => order.actor.id));
    const isLocked = ({ order }: WaitingBet): boolean => lockedPlayers.has(order.actor.id);
    const free = part.filter((waiting) => !isLocked(waiting));
    const orders = free.map(({ order }) => order);
    const outcomes = orders.length > 0 ? await take(lane.networkId, orders) : [];
    locked.push(...part.filter(isLocked));
    for (const [index, waiting] of free.entries()) {
      const outcome = outcomes[index]!;
      if (outcome === 'locked') locked.push(waiting);
      else waiting.answer(outcome);
    }
  }

  function fail(part: readonly WaitingBet[], error: unknown): void {
    if (!(error instanceof CallError)) onError(error);
    for (const { answer } of part) answer(error instanceof CallError ? error : databaseError(error));
  }

  return {
    go,
    async drain() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/**
 * Halves a failing batch until the failing bet is alone and reports it to `failed`. If the database is down or too
 * slow, all remaining bets of that part fail. Returns true if the database is down.
 */
export async function takeWithBisection<Bet>(
  batch: readonly Bet[],
  take: (part: readonly Bet[]) => Promise<void>,
  failed: (part: readonly Bet[], error: unknown) => void,
): Promise<boolean> {
  try {
    await take(batch);
    return false;
  } catch (error) {
    if (batch.length === 1 || error instanceof DatabaseUnavailable) {
      failed(batch, error);
      return error instanceof DatabaseUnavailable && !error.refused;
    }
    const middle = batch.length >> 1;
    const first = await takeWithBisection(batch.slice(0, middle), take, failed);
    return (await takeWithBisection(batch.slice(middle), take, failed)) || first;
  }
}
