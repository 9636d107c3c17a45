import { FILE_TIMEOUTS, type Timeouts } from '../../platform/db/connection/timeouts.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import { createSemaphore } from '../../platform/time/semaphore.ts';
import { drawFailed } from '../states/draw-steps.ts';
import type { DrawRow } from '../draws.sql.ts';
import { lockDue, type DueDraw } from './due-draws.sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/** Draws with tickets. Large draws have their own limit, so small ones never wait for them. */
const AT_WORK = { few: 3, many: 2 };
const MANY_TICKETS = 10_000;
/** Then leaves the draw to the next step. */
const LOCK_WAIT_MS = 500;

export type Advance = (tx: Tx, draw: DrawRow) => Promise<boolean>;

/** Advances each draw in its own transaction, a few at a time. */
export interface DrawWorkers {
  has(drawId: string): boolean;
  isIdle(): boolean;
  begin(draw: DueDraw, ticketCount: number): void;
  idle(this: void): Promise<void>;
}

interface AtWorkParts {
  readonly failed: (error: Error) => void;
  readonly busy: () => void;
  readonly observer?: DrawObserver | undefined;
  readonly patience?: Timeouts | undefined;
}

/** Not a failure: the lock owner advances the draw, or a later step retries. */
class Busy extends Error {}

export function createDrawWorkers(
  services: Services,
  advance: Advance,
  { failed, busy, observer, patience = FILE_TIMEOUTS }: AtWorkParts,
): DrawWorkers {
  const lanes = { few: createSemaphore(AT_WORK.few).run, many: createSemaphore(AT_WORK.many).run };
  const atWork = new Map<string, Promise<void>>();

  async function moveAllSteps(draw: DueDraw): Promise<void> {
    const lateMs = (at: Date): number => services.clock.now().getTime() - at.getTime();
    let [settlingSinceMs, sinceMs] = [Infinity, performance.now()];
    let last: DrawRow | undefined;
    const step = () => moveOneStep(services, patience, advance, draw);
    for (let previous = await step(); previous; previous = await step()) {
      if (previous.draw_status === 'open') observer?.onStep('close', lateMs(previous.closes_at));
      else if (previous.draw_status === 'closed') observer?.onStep('draw', lateMs(previous.draws_at));
      else settlingSinceMs = Math.min(settlingSinceMs, sinceMs);
      sinceMs = performance.now();
      last = previous;
    }
    if (!last || settlingSinceMs === Infinity) return;
    observer?.onStep('settle', lateMs(last.draws_at));
    observer?.settled(performance.now() - settlingSinceMs);
  }

  async function moveOn(draw: DueDraw): Promise<void> {
    try {
      await moveAllSteps(draw);
    } catch (error) {
      if (error instanceof Busy) busy();
      else failed(drawFailed(draw, error));
    }
  }

  return {
    has: (drawId) => atWork.has(drawId),
    isIdle: () => atWork.size === 0,
    begin(draw, ticketCount) {
      if (atWork.has(draw.id)) return;
      const lane = ticketCount >= MANY_TICKETS ? lanes.many : lanes.few;
      const work = lane(() => moveOn(draw)).finally(() => atWork.delete(draw.id));
      atWork.set(draw.id, work);
    },
    async idle() {
      while (atWork.size > 0) await Promise.all(atWork.values());
    },
  };
}

/** Returns the previous draw; undefined if no step was due. */
async function moveOneStep(
  { db, clock }: Services,
  patience: Timeouts,
  advance: Advance,
  draw: DueDraw,
): Promise<DrawRow | undefined> {
  return db.transaction(
    async (tx) => {
      const locked = await lockDue(tx, draw, clock.now()).catch((error: unknown) => {
        throw isLockTimeout(error) ? new Busy() : error;
      });
      if (!locked) return undefined;
      await tx.query(
        sql`select set_config('lock_timeout', ${String(patience.lockMs)}, true), set_config('max_parallel_workers_per_gather', '0', true)`,
      );
      return (await advance(tx, locked)) ? locked : undefined;
    },
    { ...patience, lockMs: LOCK_WAIT_MS },
  );
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && (error.cause as { code?: string }).code === '55P03';
}

export type TimedStep = 'close' | 'draw' | 'settle';

export interface DrawObserver {
  /** Milliseconds past the scheduled time. */
  onStep(this: void, step: TimedStep, lateMs: number): void;
  settled(this: void, tookMs: number): void;
}
