import { generateDraw } from '@drawhouse/rules/fair';
import type { Result } from '@drawhouse/rules/rules';
import type { Logger } from 'pino';
import type { Tx } from '../db/database.ts';
import type { Patience } from '../db/patience.ts';
import type { BeaconSettings } from '../beacon-settings.ts';
import type { Services } from '../services.ts';
import { rulesOf } from '../games/games.sql.ts';
import { panelChanged } from '../games/pairs.ts';
import { CallError } from '../http/http-errors.ts';
import { awaitsSecond, endOf, selectDraws } from './draws.sql.ts';
import type { DrawRow } from './draws.sql.ts';
import type { TicketCounts } from './empty-draws.ts';
import type { DrawHearer } from './draw-hearer.ts';
import { createSchedule } from './run-schedule.ts';
import { createBeacons } from './seed/known-beacons.ts';
import type { Beacons } from './seed/known-beacons.ts';
import { createSeedOf } from './seed/seeds-of-draws.ts';
import type { Seed, SeedOf } from './seed/seeds-of-draws.ts';
import type { Schedule } from './run-schedule.ts';
import { isBeforeClose, readSeed } from './seeds.ts';
import type { SeedVault } from './seeds.ts';
import { logUnconfirmed, logVoided } from './system-log.ts';
import type { VoidReason } from './system-log.ts';

/** What happens to the tickets of a draw when its state changes. Draws know no tickets; the tickets feature gives these. */
export interface TicketHooks extends TicketCounts {
  /** When betting closes: the root of the tree over all tickets, how many there are, and when the latest was placed. */
  sealTickets(tx: Tx, draw: DrawRow): Promise<{ root: Buffer; count: number; latest: Date | null }>;
  /**
   * When the result is known: wins, commissions and rollups. Gives the time that they count at; `in pieces` where so many are to be paid that it has only
   * begun; null where a sum is larger than the books can hold, and nothing was done.
   */
  settleTickets(tx: Tx, draw: DrawRow): Promise<Date | 'in pieces' | null>;
  /** Pays the next players of a draw that is settled in pieces. Gives the time that it counts at once all are paid, null until then. */
  settlePiece(tx: Tx, draw: DrawRow): Promise<Date | null>;
  /**
   * When a result is saved: moves what the table lacks to pay it from the admin's credit to the table, or back what it had too much of. Gives what the
   * draw holds of it then, in hundredths. Throws NOT_COVERED. Where another result, or none, comes of it, the two hooks around this one return it.
   */
  coverResult(tx: Tx, draw: DrawRow, declared: { result: Result; booster: number; actorId: string }): Promise<bigint>;
  /** When the draw is voided: every stake goes back. */
  refundTickets(tx: Tx, draw: DrawRow): Promise<void>;
  /** What is staked on each bet of the draw, in hundredths, by bet key. */
  stakesOf(tx: Tx, draw: DrawRow): Promise<Map<string, bigint>>;
}

/** Why a draw is void. */
type VoidCause = NonNullable<DrawRow['void_cause']>;

/** A draw that has its result. */
export type DrawnRow = DrawRow & { result: Result; result_label: string; booster: number };

/** What moves draws through their states. Each step is one transaction that can be repeated after a crash. */
export interface DrawMachine extends Schedule {
  readonly services: Services;
  /** What it was built on. */
  readonly hooks: TicketHooks;
  readonly beacons: Pick<Beacons, 'list' | 'troubles'>;
  /** Closes betting on a locked draw that is open, at a time after that of its last ticket. Gives it as it then is. */
  close(tx: Tx, draw: DrawRow): Promise<DrawRow>;
  /**
   * Closes betting on a locked draw, gives it its result now, whatever was saved, and settles it. Returns it as drawn; `waiting` if its seed is
   * not known yet, and nothing but the close was done. Throws DRAW_STATE if its seed can't be read or its wins can't be paid.
   */
  generate(tx: Tx, draw: DrawRow): Promise<DrawnRow | 'waiting'>;
  /**
   * Gives every stake of a locked draw that has no result back and publishes its seed. False where that can't be read, or is withheld: a restore voids draws
   * of a copy, while the same ones may be open in the network.
   */
  voidDraw(tx: Tx, draw: DrawRow, cause: VoidCause): Promise<boolean>;
  /** Publishes the seeds of void draws of a network that were withheld, as far as they can be read: once the copy has taken the place of the network. */
  publishWithheld(tx: Tx, networkId: number, drawIds: readonly string[]): Promise<void>;
}

/** What each step of a draw needs. */
interface Means {
  readonly services: Services;
  readonly vault: SeedVault;
  readonly hooks: TicketHooks;
  readonly seedOf: SeedOf;
}

/** Optional observers and limits of a machine. */
interface MachineOptions {
  /** None if left out. */
  readonly beacons?: BeaconSettings | undefined;
  readonly logger?: Pick<Logger, 'warn'>;
  /** Hears of what the schedule does; nobody does where it is left out. */
  readonly heard?: DrawHearer | undefined;
  /** How long a step of a draw with tickets waits for the database; the usual where it is left out. */
  readonly drawPatience?: Patience | undefined;
}

const NO_BEACONS: BeaconSettings = { beacons: [], deadlineMs: 60_000 };

const QUIET: Pick<Logger, 'warn'> = { warn: () => {} };

/** Builds the machine of draw states on the given hooks. */
export function createDrawMachine(
  services: Services,
  vault: SeedVault,
  hooks: TicketHooks,
  { beacons: settings = NO_BEACONS, logger = QUIET, heard, drawPatience }: MachineOptions = {},
): DrawMachine {
  const beacons = createBeacons(services, settings.beacons, logger);
  const means = { services, vault, hooks, seedOf: createSeedOf(services, vault, beacons, settings.deadlineMs) };
  const schedule = { services, vault, beacons, beaconDeadlineMs: settings.deadlineMs, tickets: hooks, heard };
  return {
    services,
    hooks,
    beacons,
    ...createSchedule({ ...schedule, logger, drawPatience }, (tx, draw) => advance(means, tx, draw)),
    close: (tx, draw) => close(means, tx, draw),
    generate: (tx, draw) => generate(means, tx, draw),
    voidDraw: (tx, draw, cause) => voidDraw(means, tx, draw, cause),
    publishWithheld: (tx, networkId, drawIds) => publishWithheld(means, tx, networkId, drawIds),
  };
}

/**
 * Takes a locked draw one step on. Voids it if its seed can't be read, since nothing would prove its result, or if its wins exceed what a
 * wallet holds, since it could never be settled. Returns false if nothing is due: no seed is unsealed before the draw's close.
 */
async function advance(means: Means, tx: Tx, draw: DrawRow): Promise<boolean> {
  if (draw.draw_status === 'open') {
    await close(means, tx, draw);
    return true;
  }
  if (draw.draw_status === 'settling') {
    await settleOn(means, tx, draw);
    return true;
  }
  const { services, vault, seedOf } = means;
  if (isBeforeClose(draw, services.clock.now())) return false;
  if (draw.draw_status === 'drawn') {
    const own = readSeed(vault, draw);
    if (!own) await voidAndLog(means, tx, draw, 'seed');
    else if (!(await settle(means, tx, draw, own))) await voidAndLog(means, tx, draw, 'wins');
    return true;
  }
  if (standsSaved(draw) && readSeed(vault, draw)) {
    await declare(means, tx, draw);
    return true;
  }
  const seed = await seedOf(tx, draw);
  if (seed === 'waiting') return false;
  if (typeof seed === 'string') await voidAndLog(means, tx, draw, seed);
  else await logUnconfirmed(services, tx, await generateFrom(means, tx, draw, seed));
  return true;
}

async function voidAndLog(means: Means, tx: Tx, draw: DrawRow, cause: VoidReason): Promise<void> {
  await voidDraw(means, tx, draw, cause);
  await logVoided(means.services, tx, draw, cause);
}

async function close({ services, hooks }: Means, tx: Tx, draw: DrawRow): Promise<DrawRow> {
  const { root, count, latest } = await hooks.sealTickets(tx, draw);
  const now = services.clock.now();
  // The lock lets no ticket in any more; the last may be of this millisecond, or of another server whose clock is ahead.
  const closedAt = latest && latest >= now ? new Date(latest.getTime() + 1) : now;
  await tx.query(
    `update draws set status = 'closed', ticket_root = $3, ticket_count = $4, closed_at = $5
     where network_id = $1 and id = $2`,
    [draw.network_id, draw.id, count > 0 ? root : null, count, closedAt],
  );
  panelChanged(services, tx, draw);
  return { ...draw, draw_status: 'closed', ticket_root: root, ticket_count: count, closed_at: closedAt };
}

/** Whether a closed draw has a saved result that stands at its draw time. */
function standsSaved(draw: DrawRow): boolean {
  return draw.saved_result !== null && draw.result_mode !== 'generated' && !awaitsSecond(draw);
}

/** Gives a closed draw its saved result. */
async function declare(means: Means, tx: Tx, draw: DrawRow): Promise<DrawnRow> {
  const { saved_result: result, saved_booster: booster } = draw;
  return drawResult(means, tx, draw, { result: result!, booster: booster!, source: 'declared' });
}

/** Gives a closed draw the result that follows from its seed. */
async function generateFrom(means: Means, tx: Tx, draw: DrawRow, { whole }: Seed): Promise<DrawnRow> {
  const drawn = generateDraw({ rules: rulesOf(draw), weights: draw.weights, seed: whole, drawId: draw.id });
  return drawResult(means, tx, draw, { ...drawn, source: 'generated' });
}

async function drawResult(
  { services }: Means,
  tx: Tx,
  draw: DrawRow,
  { result, booster, source }: Pick<DrawnRow, 'result' | 'booster' | 'source'>,
): Promise<DrawnRow> {
  const label = rulesOf(draw).resultLabel(result);
  await tx.query(
    `update draws set status = 'drawn', result = $3, result_label = $4, booster = $5, source = $6 where network_id = $1 and id = $2`,
    [draw.network_id, draw.id, JSON.stringify(result), label, booster, source],
  );
  panelChanged(services, tx, draw);
  return { ...draw, draw_status: 'drawn', result, result_label: label, booster, source };
}

/** Settles a drawn draw, or begins to where it has many tickets, and gives whether its wins can be paid. */
async function settle({ services, hooks }: Means, tx: Tx, draw: DrawRow, seed: Buffer): Promise<boolean> {
  const came = await hooks.settleTickets(tx, draw);
  if (came === null) return false;
  // From now on the seed is public.
  const [status, at] = came === 'in pieces' ? ['settling', null] : ['settled', came];
  await tx.query(
    `update draws set status = $5, seed = $3, sealed_seed = null, finished_at = $4, cover = case source when 'declared' then cover end
     where network_id = $1 and id = $2`,
    [draw.network_id, draw.id, seed, at, status],
  );
  panelChanged(services, tx, draw);
  return true;
}

/** Takes a locked draw that is being settled one step on. */
async function settleOn({ services, hooks }: Means, tx: Tx, draw: DrawRow): Promise<void> {
  const at = await hooks.settlePiece(tx, draw);
  if (at === null) return;
  await tx.query(`update draws set status = 'settled', finished_at = $3 where network_id = $1 and id = $2`, [
    draw.network_id,
    draw.id,
    at,
  ]);
  panelChanged(services, tx, draw);
}

async function generate(means: Means, tx: Tx, draw: DrawRow): Promise<DrawnRow | 'waiting'> {
  const closed = draw.draw_status === 'open' ? await close(means, tx, draw) : draw;
  const seed = await means.seedOf(tx, closed);
  if (seed === 'waiting') return seed;
  if (typeof seed === 'string')
    throw new CallError('DRAW_STATE', {
      message: 'This draw has no seed that a result could follow from. It is void at its draw time.',
    });
  const drawn = await generateFrom(means, tx, closed, seed);
  if (!(await settle(means, tx, drawn, seed.own)))
    throw new CallError('DRAW_STATE', {
      message: 'The wins of this draw come to more than the books can hold. It is void at its draw time.',
    });
  return drawn;
}

async function voidDraw(means: Means, tx: Tx, draw: DrawRow, cause: VoidCause): Promise<boolean> {
  const { services, vault, hooks } = means;
  const closed = draw.draw_status === 'open' ? await close(means, tx, draw) : draw;
  await hooks.refundTickets(tx, closed);
  const isWithheld = cause === 'restore' && isBeforeClose(closed, services.clock.now());
  const seed = isWithheld ? undefined : readSeed(vault, closed);
  await tx.query(
    `update draws set status = 'void', seed = $3, sealed_seed = case when $3::bytea is null then sealed_seed end, finished_at = $4,
            void_cause = $5, cover = null, result = null, result_label = null, booster = null, source = null
     where network_id = $1 and id = $2`,
    [draw.network_id, draw.id, seed ?? null, endOf(closed, services.clock.now()), cause],
  );
  panelChanged(services, tx, draw);
  return seed !== undefined;
}

async function publishWithheld({ vault }: Means, tx: Tx, networkId: number, drawIds: readonly string[]): Promise<void> {
  if (drawIds.length === 0) return;
  const draws = await selectDraws(
    tx,
    `where d.network_id = $1 and d.id = any($2::uuid[]) and d.status = 'void' and d.sealed_seed is not null order by d.id for update of d`,
    [networkId, drawIds],
  );
  for (const draw of draws) {
    const seed = readSeed(vault, draw);
    if (!seed) continue;
    await tx.query('update draws set seed = $3, sealed_seed = null where network_id = $1 and id = $2', [
      networkId,
      draw.id,
      seed,
    ]);
  }
}
