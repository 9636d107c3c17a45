import { PATIENT } from '../db/database.ts';
import type { Tx } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { limited } from '../slots.ts';
import { inChunks, isAway, stepFailed } from './draw-steps.ts';
import type { DrawRow } from './draws.sql.ts';
import { dueDraws, lockDue, nextDueAt } from './due-draws.sql.ts';
import type { DueDraw } from './due-draws.sql.ts';
import { closeWithoutTickets, settleWithoutTickets } from './empty-draws.ts';
import type { TicketCounts, Undone } from './empty-draws.ts';
import { openDue } from './open-draws.ts';
import type { SeedVault } from './seeds.ts';

/** Draws with tickets that are at work at once: those with many apart, so that they hold up no others. */
const AT_WORK = { few: 3, many: 2 };
const MANY_TICKETS = 10_000;
/** Draws without tickets that somebody else has locked are tried together so often, then each by itself. */
const TRIES = 3;
/** Whoever waits longer for the lock of a draw leaves it to the next step. */
const LOCK_WAIT_MS = 500;
/** What is left so is tried again after this. */
const AGAIN_MS = 50;
/** Intervals are whole seconds, so whatever opens, opens at one; and a game that was switched on is seen within one. */
const SECOND_MS = 1_000;

/** What does that which is due, again and again. */
export interface Schedule {
  /**
   * Does all that is due now: opens, closes, draws and settles. Several servers may do it at once. Throws, when all the rest
   * is done, if a draw failed.
   */
  tick(): Promise<void>;
  /**
   * The same, but does not wait for draws with tickets, which are at work a few at a time: the next step comes before a large one is settled.
   * Throws too what of those failed since the last step.
   */
  step(): Promise<void>;
  /** In how many milliseconds the next step is due: for a draw, or within a second to see what somebody else may have changed. */
  untilNextMs(): Promise<number>;
  /** Waits until no draw is at work. */
  idle(): Promise<void>;
}

/** Whoever holds the lock of a draw moves it on, or it is tried again: no failure. */
class Busy extends Error {}

/** The schedule of draws: many without tickets in one transaction, each of the others in its own, by `advance`. */
export function createSchedule(
  services: Services,
  vault: SeedVault,
  tickets: TicketCounts,
  advance: (tx: Tx, draw: DrawRow) => Promise<void>,
): Schedule {
  const { db, clock } = services;
  const lanes = { few: limited(AT_WORK.few), many: limited(AT_WORK.many) };
  const atWork = new Map<string, Promise<void>>();
  /** What failed since the last step. A draw that fails is passed over until the next one. */
  let failures: Error[] = [];
  let wasBusy = false;

  /** Begins with all steps of one draw that are due, each a transaction, unless they are at work. */
  function begin(draw: DueDraw, ticketCount: number): void {
    if (atWork.has(draw.id)) return;
    const lane = ticketCount >= MANY_TICKETS ? lanes.many : lanes.few;
    const work = lane(() => moveOn(draw))
      .catch((error: unknown) => void failures.push(isAway(error) ? (error as Error) : drawFailed(draw, error)))
      .finally(() => atWork.delete(draw.id));
    atWork.set(draw.id, work);
  }

  async function moveOn(draw: DueDraw): Promise<void> {
    try {
      while (await moveOneStep(draw));
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      wasBusy = true;
    }
  }

  /** Takes the next step of a draw, if one is due. Throws Busy. */
  async function moveOneStep(draw: DueDraw): Promise<boolean> {
    return db.transaction(
      async (tx) => {
        const locked = await lockDue(tx, draw, clock.now()).catch((error: unknown) => {
          throw isLockTimeout(error) ? new Busy() : error;
        });
        if (!locked) return false;
        await tx.query("select set_config('lock_timeout', $1, true)", [String(PATIENT.lockMs)]);
        await advance(tx, locked);
        return true;
      },
      { ...PATIENT, lockMs: LOCK_WAIT_MS },
    );
  }

  /** Takes every draw that is due one step on, together where it has no tickets. Gives whether there may be more. */
  async function moveDue(tries: Map<string, number>): Promise<boolean> {
    const due = (await dueDraws(db, clock.now())).filter((draw) => !atWork.has(draw.id));
    const together = { open: [] as DueDraw[], closed: [] as DueDraw[] };
    for (const draw of due) {
      const { id, draw_status: status, ticket_count: count } = draw;
      const tried = tries.get(id + status) ?? 0;
      if (tried > TRIES) continue;
      tries.set(id + status, tried + 1);
      const isTogether = status === 'open' || (status === 'closed' && count === 0 && !draw.saved);
      if (isTogether && tried < TRIES) together[status].push(draw);
      else begin(draw, count ?? 0);
    }
    const beginAlone = ({ alone }: Undone): void => {
      for (const { draw, tickets: count } of alone) begin(draw, count);
    };
    const failed = ([draw]: readonly DueDraw[], error: unknown): void => {
      tries.set(draw!.id + draw!.draw_status, TRIES + 1);
      failures.push(drawFailed(draw!, error));
    };
    await Promise.all([
      inChunks(
        together.open,
        async (draws) => beginAlone(await db.transaction((tx) => closeWithoutTickets(services, tickets, tx, draws))),
        failed,
      ),
      inChunks(
        together.closed,
        async (draws) => beginAlone(await db.transaction((tx) => settleWithoutTickets(services, vault, tx, draws))),
        failed,
      ),
    ]);
    return together.open.length + together.closed.length > 0;
  }

  async function doDue(tries: Map<string, number>): Promise<void> {
    // Where there is much to catch up with, the next draws of all games may begin meanwhile.
    for (let more = true; more;)
      [more] = await Promise.all([moveDue(tries), openDue(services, vault, tries, failures)]);
  }

  function throwFailures(): void {
    const found = failures;
    failures = [];
    const [first] = found;
    const away = found.find(isAway);
    if (away) throw away;
    if (found.length > 1) throw new Error(`${found.length} steps failed, first ${first!.message}`, { cause: first });
    if (first) throw first;
  }

  async function idle(): Promise<void> {
    while (atWork.size > 0) await Promise.all(atWork.values());
  }

  return {
    async tick() {
      const tries = new Map<string, number>();
      for (await doDue(tries); atWork.size > 0; await doDue(tries)) await idle();
      throwFailures();
    },
    async step() {
      wasBusy = false;
      await doDue(new Map());
      throwFailures();
    },
    async untilNextMs() {
      const due = await nextDueAt(db, clock.now());
      const nowMs = clock.now().getTime();
      const secondMs = SECOND_MS - (nowMs % SECOND_MS);
      return Math.max(0, Math.min(secondMs, due ? due.getTime() - nowMs : Infinity, wasBusy ? AGAIN_MS : Infinity));
    },
    idle,
  };
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && (error.cause as { code?: string }).code === '55P03';
}

function drawFailed(draw: DueDraw, error: unknown): Error {
  return stepFailed(`draw ${draw.id} of network ${draw.network_id}`, error);
}
