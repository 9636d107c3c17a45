import type { Logger } from 'pino';
import type { Tx } from '../platform/db/database.ts';
import type { Timeouts } from '../platform/db/connection/timeouts.ts';
import { planOnce, arrayOf, sql } from '../platform/db/sql/sql.ts';
import type { Services } from '../platform/services.ts';
import {
  createTransactionLimit,
  runPerNetwork,
  runInChunks,
  createStepFailures,
  drawFailed,
} from '../draws/states/draw-steps.ts';
import { createDrawWorkers, type Advance, type DrawObserver, type TimedStep } from '../draws/schedule/draw-workers.ts';
import {
  dueDraws,
  nextDueAt,
  type DueDraw,
  closeEmpty,
  lockTicketless,
  settleEmpty,
  type LockedDraw,
} from '../draws/schedule/due-draws.sql.ts';
import { reopenAbandoned } from '../activity/network-work/closed-books.ts';
import { createOpener } from '../draws/schedule/open-draws.ts';
import { createPreparedResults, type Drawable, type PreparedResults } from '../draws/results/generate-result.ts';
import {
  createEarlyDraws,
  beginStep,
  newSchedule,
  newTries,
  nextStepMs,
  recordLockConflict,
  passOver,
  sortDue,
  type StepTries,
} from '../draws/schedule/schedule-state.ts';
import type { Beacons } from '../draws/seed/beacons.ts';
import type { SeedVault } from '../draws/seed/seeds.ts';
import { panelChanged } from '../games/pairs/pairs.ts';
import { readTerms } from '../draws/draw-terms.ts';

export interface Schedule {
  /** Safe on several servers concurrently. After finishing, throws if any draw failed. */
  tick(): Promise<void>;
  /** Draws with tickets run in the background. Also throws their failures since the last step. */
  step(): Promise<void>;
  /** At most a second, to notice changes by others. */
  untilNextMs(): Promise<number>;
  idle(): Promise<void>;
}

interface ScheduleParts {
  readonly services: Services;
  readonly vault: SeedVault;
  readonly beacons: Beacons;
  readonly observer?: DrawObserver | undefined;
  readonly logger: Pick<Logger, 'warn'>;
  readonly drawPatience?: Timeouts | undefined;
}

/** Batches ticketless draws; runs others in separate transactions through `advance`. */
export function createSchedule(
  { services, vault, beacons, observer, logger, drawPatience: patience }: ScheduleParts,
  advance: Advance,
): Schedule {
  const { db, clock } = services;
  const state = newSchedule();
  beacons.onValue(() => recordLockConflict(state));
  const turns = createTransactionLimit();
  const opener = createOpener({ services, vault, beacons }, turns);
  const failures = createStepFailures();
  const empty = { services, results: createPreparedResults(vault, clock) };
  const early = createEarlyDraws(logger);
  const busy = (): void => recordLockConflict(state);
  const atWork = createDrawWorkers(services, advance, { failed: failures.add, busy, observer, patience });

  async function moveDue(tries: StepTries): Promise<boolean> {
    const now = clock.now();
    const due = early.leave(await dueDraws(db, now)).filter((draw) => !atWork.has(draw.id));
    const { open, closed, alone: single } = sortDue(due, tries);
    for (const draw of single) atWork.begin(draw, draw.ticket_count ?? 0);
    const together = (
      draws: readonly DueDraw[],
      steps: readonly TimedStep[],
      act: (tx: Tx, networkId: number, some: readonly DueDraw[]) => Promise<BulkOutcome>,
    ) =>
      runInChunks(
        turns,
        draws,
        async (some) => {
          const undone = await db.pipelined(async (tx) => {
            await planOnce(tx);
            return runPerNetwork(some, (networkId, ready) => act(tx, networkId, ready));
          });
          for (const { draw, tickets: count } of undone.flatMap(({ alone }) => alone)) atWork.begin(draw, count);
          notifySteps(observer, steps, { undone, nowMs: clock.now().getTime() });
        },
        ([draw], error) => {
          passOver(tries, draw!);
          failures.add(drawFailed(draw!, error));
        },
      );
    await Promise.all([
      together(open, ['close'], (tx, networkId, draws) => closeWithoutTickets(empty, tx, networkId, draws)),
      together(closed, ['draw', 'settle'], (tx, networkId, draws) => settleWithoutTickets(empty, tx, networkId, draws)),
    ]);
    return open.length + closed.length > 0;
  }

  /** Returns true if draws were at work when it looked for sealed closes, and so may have closed since. */
  async function doDue(tries: StepTries): Promise<boolean> {
    await reopenAbandoned(db, clock.now());
    await beacons.fetchDue(tries.requestedRounds);
    for (let more = true; more;) [more] = await Promise.all([moveDue(tries), opener.openDue(tries, failures.add)]);
    const isWorking = !atWork.isIdle();
    await beacons.noteSealed();
    return isWorking;
  }

  return {
    async tick() {
      const tries = newTries();
      for (let more = true; more;) {
        const isWorking = await doDue(tries);
        more = isWorking || !beacons.isIdle() || beacons.hasNews();
        await Promise.all([atWork.idle(), beacons.idle()]);
      }
      failures.throwAll();
    },
    async step() {
      await doDue(beginStep(state));
      failures.throwAll();
    },
    async untilNextMs() {
      const dueAt = await nextDueAt(db, clock.now());
      return nextStepMs(state, clock.now(), dueAt);
    },
    async idle() {
      await Promise.all([atWork.idle(), beacons.idle()]);
    },
  };
}

function notifySteps(
  observer: DrawObserver | undefined,
  steps: readonly TimedStep[],
  { undone, nowMs }: { readonly undone: readonly BulkOutcome[]; readonly nowMs: number },
): void {
  if (!observer) return;
  for (const { done } of undone)
    for (const { due_at: at } of done) for (const step of steps) observer.onStep(step, nowMs - at.getTime());
}

interface EmptyDrawParts {
  readonly services: Services;
  readonly results: PreparedResults;
}

/** Excludes draws locked elsewhere. */
interface BulkOutcome {
  /**
   * Need individual steps: with tickets (counted up to a bound), seed pending or unreadable, or closing in the future.
   */
  readonly alone: readonly { readonly draw: DueDraw; readonly tickets: number }[];
  readonly done: readonly DueDraw[];
}

const COUNTED_TICKETS = 10_000;

/** Closes in one transaction. Also prepares their results. */
async function closeWithoutTickets(
  { services, results }: EmptyDrawParts,
  tx: Tx,
  networkId: number,
  draws: readonly DueDraw[],
): Promise<BulkOutcome> {
  // Pipelined in order: under the locks no new tickets arrive.
  const [locked, counts] = await Promise.all([
    lockTicketless(tx, networkId, draws, 'open'),
    countTickets(tx, networkId, draws, COUNTED_TICKETS),
  ]);
  const empty = locked.filter((draw) => !counts.has(draw.id));
  await closeEmpty(tx, networkId, empty, services.clock.now());
  for (const draw of empty) panelChanged(services, tx, draw);
  const drawable = await withTerms(tx, empty);
  tx.onCommit(() => results.prepare(drawable));
  const closed = new Set(empty.map(({ id }) => id));
  return {
    done: draws.filter(({ id }) => closed.has(id)),
    alone: draws.filter(({ id }) => counts.has(id)).map((draw) => ({ draw, tickets: counts.get(draw.id)! })),
  };
}

/** Settles closed draws without saved result, in one transaction. */
async function settleWithoutTickets(
  { services, results }: EmptyDrawParts,
  tx: Tx,
  networkId: number,
  draws: readonly DueDraw[],
): Promise<BulkOutcome> {
  const locked = await withTerms(tx, await lockTicketless(tx, networkId, draws, 'closed'));
  const settled = locked.flatMap((draw) => results.resultOf(draw) ?? []);
  const done = new Set(settled.map(({ id }) => id));
  for (const draw of locked) if (done.has(draw.id)) panelChanged(services, tx, draw);
  await settleEmpty(tx, networkId, settled, services.clock.now());
  const lockedIds = new Set(locked.map(({ id }) => id));
  return {
    done: draws.filter(({ id }) => done.has(id)),
    alone: draws.filter(({ id }) => lockedIds.has(id) && !done.has(id)).map((draw) => ({ draw, tickets: 0 })),
  };
}

async function withTerms(tx: Tx, draws: readonly LockedDraw[]): Promise<readonly Drawable[]> {
  const terms = await readTerms(tx, new Set(draws.map((draw) => draw.terms_id)));
  return draws.map((draw) => ({ ...draw, own: terms.get(draw.terms_id)! }));
}

async function countTickets(
  tx: Tx,
  networkId: number,
  draws: readonly { readonly id: string }[],
  upTo: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ id: string; count: bigint }>(
    sql`select * from (
       select draw.id, (select count(*) from (
           select from tickets t where t.network_id = ${networkId} and t.draw_id = draw.id limit ${upTo}) as counted) as count
       from unnest(${arrayOf(draws.map((draw) => draw.id))}::uuid[]) as draw (id)) as counts
     where count > 0`.named('tickets-count'),
  );
  return new Map(rows.map((row) => [row.id, Number(row.count)]));
}
