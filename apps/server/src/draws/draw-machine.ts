import { randomBytes } from 'node:crypto';
import { commitment, generateDraw } from '@drawhouse/rules/fair';
import { paysOf } from '@drawhouse/rules/pays';
import { PATIENT } from '../db/database.ts';
import type { Tx } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { rulesOf } from '../games/games.sql.ts';
import type { PairRow } from '../games/games.sql.ts';
import { lockToOpen, panelChanged } from '../games/pairs.ts';
import { oddsOf } from '../games/percentages.ts';
import { termsId } from './draw-terms.ts';
import type { DrawTerms } from './draw-terms.ts';
import { awaitsSecond, endOf, insertDraws, pairsWithoutDraw, selectDraws } from './draws.sql.ts';
import type { DrawRow, IdlePair, NewDraw } from './draws.sql.ts';
import { logUnconfirmed } from './log-unconfirmed.ts';
import { drawToOpen } from './schedule.ts';
import type { SeedVault } from './seeds.ts';

const SEED_BYTES = 32;

/** What happens to the tickets of a draw when its state changes. Draws know no tickets; the tickets feature gives these. */
export interface TicketHooks {
  /** When betting closes: the root of the tree over all tickets, how many there are, and when the latest was placed. */
  sealTickets(tx: Tx, draw: DrawRow): Promise<{ root: Buffer; count: number; latest: Date | null }>;
  /** When the result is known: wins, commissions and rollups. Gives the time that they count at. */
  settleTickets(tx: Tx, draw: DrawRow): Promise<Date>;
  /** When the draw is voided: every stake goes back. */
  refundTickets(tx: Tx, draw: DrawRow): Promise<void>;
  /** What is staked on each bet of the draw, in hundredths, by bet key. */
  stakesOf(tx: Tx, draw: DrawRow): Promise<Map<string, bigint>>;
}

/** What moves draws through their states. Each step is one transaction that can be repeated after a crash. */
export interface DrawMachine {
  readonly services: Services;
  /** What it was built on. */
  readonly hooks: TicketHooks;
  /**
   * Does all that is due now: opens, closes, draws and settles. Several servers may do it at once. Throws, when all the rest
   * is done, if a draw failed.
   */
  tick(): Promise<void>;
  /** Closes betting on a locked draw that is open, at a time after that of its last ticket. */
  close(tx: Tx, draw: DrawRow): Promise<void>;
  /** Gives a locked draw its result: the saved one, or the generated one where there is none that stands. */
  drawResult(tx: Tx, draw: DrawRow, choice: 'saved' | 'generated'): Promise<void>;
  /** Settles a locked draw that is drawn. */
  settle(tx: Tx, draw: DrawRow): Promise<void>;
  /** Gives every stake of a locked draw that has no result back and publishes its seed. */
  voidDraw(tx: Tx, draw: DrawRow): Promise<void>;
}

/** Builds the machine of draw states on the given hooks. */
export function createDrawMachine(services: Services, vault: SeedVault, hooks: TicketHooks): DrawMachine {
  const { db, clock, newId } = services;

  /** The second up to which draws were opened: intervals are whole seconds. */
  let openedSecond = 0;
  const drawsBegan = (): boolean => Math.floor(clock.now().getTime() / 1000) > openedSecond;

  async function openDue(failures: Error[]): Promise<void> {
    const now = clock.now();
    openedSecond = Math.floor(now.getTime() / 1000);
    const due = (await pairsWithoutDraw(db, now)).filter((pair) => drawToOpen(now, pair.interval_seconds, pair));
    if (due.length === 0) return;
    // All in one: at a full minute those of all networks open together, and nobody bets before.
    const failed = await open(due).catch(async (error: unknown) => {
      if (isAway(error)) throw error;
      const each: Error[] = [];
      for (const pair of due)
        await open([pair]).then(
          (more) => each.push(...more),
          (reason: unknown) => {
            if (isAway(reason)) throw reason;
            each.push(openingFailed(pair, reason));
          },
        );
      return each;
    });
    failures.push(...failed);
  }

  /**
   * Opens the draws of pairs under their locks, so that neither another server nor a change of the interval comes between looking and
   * opening. A pair that somebody else has locked is left to them, or to the next tick. Gives what failed by itself.
   */
  async function open(pairs: readonly PairRow[]): Promise<Error[]> {
    return db.transaction(async (tx) => {
      const failed: Error[] = [];
      const now = clock.now();
      const mine = await pairsWithoutDraw(tx, now, await lockToOpen(tx, pairs));
      const rows = mine.flatMap((pair): NewDraw[] => {
        try {
          const draw = newDraw(pair, now);
          if (draw) panelChanged(services, tx, pair);
          return draw ? [draw] : [];
        } catch (error) {
          failed.push(openingFailed(pair, error));
          return [];
        }
      });
      await insertDraws(tx, rows);
      return failed;
    });
  }

  /** The draw of a pair that is to be opened now, if there is one. */
  function newDraw(pair: IdlePair, now: Date): NewDraw | undefined {
    const times = drawToOpen(now, pair.interval_seconds, pair);
    if (!times) return undefined;
    const rules = rulesOf(pair);
    const terms: DrawTerms = {
      rules_version: rules.version,
      unit_price: pair.unit_price,
      pays: paysOf(rules),
      weights: oddsOf(pair).weights,
    };
    const id = newId();
    const seed = randomBytes(SEED_BYTES);
    return {
      network_id: pair.network_id,
      id,
      game_id: pair.game_id,
      number: times.number,
      opens_at: times.opensAt,
      closes_at: times.closesAt,
      draws_at: times.drawsAt,
      commitment: commitment(seed),
      sealed_seed: vault.seal(seed, id).toString('hex'),
      terms_id: termsId(terms),
      terms,
    };
  }

  /**
   * Takes one due draw after the other, each in its own transaction, past those that another server works on. A draw that
   * fails is passed over until the next tick, so that it holds up no other draw and no other network.
   */
  async function forEachDue(
    failures: Error[],
    where: string,
    act: (tx: Tx, draw: DrawRow) => Promise<void>,
  ): Promise<void> {
    const failed: string[] = [];
    for (let more = true; more;) {
      const taken: DrawRow[] = [];
      // Settling many draws may take seconds, in which the next ones of all games have begun.
      if (drawsBegan()) await openDue(failures);
      try {
        more = await db.transaction(async (tx) => {
          const [draw] = await selectDraws(
            tx,
            `where ${where} and d.id <> all($2::uuid[]) order by d.draws_at limit 1 for update of d skip locked`,
            [clock.now(), failed],
          );
          if (!draw) return false;
          taken.push(draw);
          await act(tx, draw);
          return true;
        }, PATIENT);
      } catch (error) {
        const draw = taken.at(-1);
        // Without a draw it is the database that fails, and would again.
        if (!draw || isAway(error)) throw error;
        failed.push(draw.id);
        failures.push(failureOf(`draw ${draw.id} of ${draw.game_key}`, error));
      }
    }
  }

  async function close(tx: Tx, draw: DrawRow): Promise<void> {
    const { root, count, latest } = await hooks.sealTickets(tx, draw);
    const now = clock.now();
    // The lock lets no ticket in any more; the last may be of this millisecond, or of another server whose clock is ahead.
    const closedAt = latest && latest >= now ? new Date(latest.getTime() + 1) : now;
    await tx.query(
      `update draws set status = 'closed', ticket_root = $3, ticket_count = $4, closed_at = $5
       where network_id = $1 and id = $2`,
      [draw.network_id, draw.id, root, count, closedAt],
    );
    Object.assign(draw, { draw_status: 'closed', closed_at: closedAt });
    panelChanged(services, tx, draw);
  }

  async function drawResult(tx: Tx, draw: DrawRow, choice: 'saved' | 'generated'): Promise<void> {
    if (draw.draw_status === 'open') await close(tx, draw);
    const rules = rulesOf(draw);
    const stands =
      choice === 'saved' && draw.saved_result !== null && draw.result_mode !== 'generated' && !awaitsSecond(draw);
    const { result, booster } = stands
      ? { result: draw.saved_result!, booster: draw.saved_booster! }
      : generateDraw({ rules, weights: draw.weights, seed: vault.unseal(draw.sealed_seed, draw.id), drawId: draw.id });
    const source = stands ? 'declared' : 'generated';
    const label = rules.resultLabel(result);
    await tx.query(
      `update draws set status = 'drawn', result = $3, result_label = $4, booster = $5, source = $6 where network_id = $1 and id = $2`,
      [draw.network_id, draw.id, JSON.stringify(result), label, booster, source],
    );
    Object.assign(draw, { draw_status: 'drawn', result, result_label: label, booster, source });
    panelChanged(services, tx, draw);
  }

  /** Ends a draw: from now on its seed is public. */
  async function finish(tx: Tx, draw: DrawRow, status: 'settled' | 'void', at: Date): Promise<void> {
    await tx.query(`update draws set status = $3, seed = $4, finished_at = $5 where network_id = $1 and id = $2`, [
      draw.network_id,
      draw.id,
      status,
      vault.unseal(draw.sealed_seed, draw.id),
      at,
    ]);
    panelChanged(services, tx, draw);
  }

  async function settle(tx: Tx, draw: DrawRow): Promise<void> {
    await finish(tx, draw, 'settled', await hooks.settleTickets(tx, draw));
  }

  return {
    services,
    hooks,
    async tick() {
      const failures: Error[] = [];
      await openDue(failures);
      await forEachDue(failures, "d.status = 'open' and d.closes_at <= $1", close);
      await forEachDue(failures, "d.status in ('open', 'closed') and d.draws_at <= $1", async (tx, draw) => {
        await drawResult(tx, draw, 'saved');
        await logUnconfirmed(services, tx, draw);
      });
      await forEachDue(failures, "d.status = 'drawn' and $1::timestamptz is not null", settle);
      const [first] = failures;
      if (failures.length > 1)
        throw new Error(`${failures.length} steps failed, first ${first!.message}`, { cause: first });
      if (first) throw first;
    },
    close,
    drawResult,
    settle,
    async voidDraw(tx, draw) {
      if (draw.draw_status === 'open') await close(tx, draw);
      await hooks.refundTickets(tx, draw);
      await finish(tx, draw, 'void', endOf(draw, clock.now()));
    },
  };
}

/** Whether it is the database that is away. One that refuses a statement for its time or room is there: the next draw may fare better. */
function isAway(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && !error.refused;
}

function openingFailed(pair: PairRow, error: unknown): Error {
  return failureOf(`opening a draw of ${pair.game_key} of ${pair.admin_username}`, error);
}

function failureOf(what: string, error: unknown): Error {
  return new Error(`${what}: ${(error as Error).message}`, { cause: error });
}
