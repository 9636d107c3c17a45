import type { Logger } from 'pino';
import type { Tx } from '../platform/db/database.ts';
import type { Timeouts } from '../platform/db/connection/timeouts.ts';
import type { BeaconSettings } from '../config/outside-services.ts';
import type { PanelKey, Services } from '../platform/services.ts';
import { openAhead, type AheadDraw } from '../draws/schedule/open-ahead.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { DrawnRow, DrawRow } from '../draws/draws.sql.ts';
import { generateResult } from '../draws/results/generate-result.ts';
import type { DrawObserver } from '../draws/schedule/draw-workers.ts';
import { createSchedule, type Schedule } from './run-schedule.ts';
import { Beacons } from '../draws/seed/beacons.ts';
import { createSeedOf, publishSeeds, type Seed, type SeedOf } from '../draws/seed/draw-seeds.ts';
import { continueCorrections, correctTickets, type CorrectedSums } from './correct/correct-tickets.ts';
import { readSeed, type SeedVault } from '../draws/seed/seeds.ts';
import { storeClose, storeResult, storeVoid } from '../draws/states/update-draw.ts';
import { readTicketTrees } from '../tickets/prove/ticket-tree.ts';
import { refundTickets, settleDraw, continueSettlement } from './pay/settle-draw.ts';
import { PIECE_SIZES, type PieceSizes } from './pay/settle-in-pieces.ts';
import { logUnconfirmed, logVoided, type VoidReason } from '../draws/states/system-log.ts';
import { SETTLEMENT_TEXTS } from './settlement-texts.ts';

type VoidCause = NonNullable<DrawRow['void_cause']>;

/** Each step is one transaction and can be repeated after a crash. */
export interface DrawMachine extends Schedule {
  readonly services: Services;
  readonly beacons: Pick<Beacons, 'list' | 'troubles'>;
  /** The draw is locked and open. It closes later than its last ticket. */
  close(tx: Tx, draw: DrawRow): Promise<DrawRow>;
  /**
   * Closes, draws and settles a locked draw now, ignoring any saved result. Returns `waiting` after closing alone if
   * the seed is pending. Throws DRAW_STATE if the seed is unreadable or wins exceed wallet limits.
   */
  generate(tx: Tx, draw: DrawRow): Promise<DrawnRow | 'waiting'>;
  /** Pays the tickets of a locked draw by its corrected result, or the first piece of them. */
  correct(tx: Tx, draw: DrawnRow, nth: number): Promise<CorrectedSums>;
  continueCorrections(): Promise<void>;
  /** Settles a locked draw by its outside result. */
  enter(tx: Tx, draw: DrawRow): Promise<void>;
  /**
   * Returns all stakes of a locked draw without result and publishes its seed. False if the seed is unreadable, or
   * withheld because a restore voids the draw: see `publishSeeds`.
   */
  voidDraw(tx: Tx, draw: DrawRow, cause: VoidCause): Promise<boolean>;
  publishSeeds(tx: Tx, networkId: number): Promise<void>;
  openAhead(this: void, key: PanelKey, numbers: readonly number[]): Promise<readonly AheadDraw[]>;
}

interface MachineDeps {
  readonly services: Services;
  readonly vault: SeedVault;
  readonly pieceSizes: PieceSizes;
  readonly seedOf: SeedOf;
}

interface MachineOptions {
  readonly beacons?: BeaconSettings | undefined;
  readonly logger?: Pick<Logger, 'warn'>;
  readonly observer?: DrawObserver | undefined;
  readonly drawPatience?: Timeouts | undefined;
  readonly pieceSizes?: Partial<PieceSizes> | undefined;
}

const NO_BEACONS: BeaconSettings = { beacons: [], deadlineMs: 60_000 };

const QUIET: Pick<Logger, 'warn'> = { warn: () => {} };

export function createDrawMachine(
  services: Services,
  vault: SeedVault,
  { beacons: settings = NO_BEACONS, logger = QUIET, observer, drawPatience, pieceSizes }: MachineOptions = {},
): DrawMachine {
  const beacons = new Beacons(settings, { ...services, logger });
  const means: MachineDeps = {
    services,
    vault,
    pieceSizes: { ...PIECE_SIZES, ...pieceSizes },
    seedOf: createSeedOf(services, vault, beacons, settings.deadlineMs),
  };
  const schedule = { services, vault, beacons, observer };
  return {
    services,
    beacons,
    ...createSchedule({ ...schedule, logger, drawPatience }, (tx, draw) => advance(means, tx, draw)),
    close: (tx, draw) => close(means, tx, draw),
    generate: (tx, draw) => generate(means, tx, draw),
    enter: (tx, draw) => enter(means, tx, draw),
    correct: (tx, draw, nth) => correctTickets(means, tx, draw, nth),
    continueCorrections: () => continueCorrections(means),
    voidDraw: (tx, draw, cause) => voidDraw(means, tx, draw, cause),
    openAhead: (key, numbers) => openAhead(schedule, key, numbers),
    publishSeeds: (tx, networkId) => publishSeeds(vault, tx, networkId),
  };
}

/**
 * Voids the draw if no seed can prove its result, or if its wins exceed wallet limits and could never be paid. Returns
 * false if nothing is due.
 */
async function advance(means: MachineDeps, tx: Tx, draw: DrawRow): Promise<boolean> {
  if (draw.draw_status === 'open') {
    await close(means, tx, draw);
    return true;
  }
  if (draw.draw_status === 'settling') {
    await continueSettlement(means, tx, draw);
    return true;
  }
  const seed = await means.seedOf(tx, draw);
  if (seed === 'waiting') return false;
  if ('cause' in seed) await voidAndLog(means, tx, draw, seed);
  else if (draw.draw_status === 'drawn') {
    if (!(await settleDraw(means, tx, draw, seed.own))) await voidAndLog(means, tx, draw, { ...seed, cause: 'wins' });
  } else await logUnconfirmed(means.services, tx, await drawResult(means, tx, draw, seed));
  return true;
}

async function voidAndLog(
  means: MachineDeps,
  tx: Tx,
  draw: DrawRow,
  { cause, own }: { readonly cause: VoidReason; readonly own: Buffer | undefined },
): Promise<void> {
  await voidClosed(means, tx, draw, { cause, seed: own });
  await logVoided(means.services, tx, draw, cause);
}

async function close({ services }: MachineDeps, tx: Tx, draw: DrawRow): Promise<DrawRow> {
  const { root, count, latest } = (await readTicketTrees(tx, draw.network_id, [draw.id])).get(draw.id)!;
  const now = services.clock.now();
  // The lock stops new tickets. The last one may share this millisecond or carry a faster clock's time.
  const closedAt = latest && latest >= now ? new Date(latest.getTime() + 1) : now;
  return storeClose(services, tx, draw, { ticket_root: root, ticket_count: count, closed_at: closedAt });
}

async function drawResult({ services }: MachineDeps, tx: Tx, draw: DrawRow, { whole }: Seed): Promise<DrawnRow> {
  const { saved_result: result, saved_booster: booster } = draw;
  return whole
    ? storeResult(services, tx, draw, { ...generateResult(draw, whole), source: 'generated' })
    : storeResult(services, tx, draw, { result: result!, booster: booster!, source: 'declared' });
}

async function generate(means: MachineDeps, tx: Tx, draw: DrawRow): Promise<DrawnRow | 'waiting'> {
  const closed = draw.draw_status === 'open' ? await close(means, tx, draw) : draw;
  const seed = await means.seedOf(tx, { ...closed, saved_result: null });
  if (seed === 'waiting') return seed;
  if ('cause' in seed)
    throw new CallError('DRAW_STATE', {
      message: SETTLEMENT_TEXTS.seedUnreadable,
    });
  const drawn = await drawResult(means, tx, closed, seed);
  if (!(await settleDraw(means, tx, drawn, seed.own)))
    throw new CallError('DRAW_STATE', {
      message: SETTLEMENT_TEXTS.winsTooLarge,
    });
  return drawn;
}

async function enter(means: MachineDeps, tx: Tx, draw: DrawRow): Promise<void> {
  const own = readSeed(means.vault, draw);
  if (!own) throw new CallError('DRAW_STATE', { message: SETTLEMENT_TEXTS.seedUnreadable });
  const drawn = await drawResult(means, tx, draw, { own, whole: null });
  if (!(await settleDraw(means, tx, drawn, own)))
    throw new CallError('DRAW_STATE', { message: SETTLEMENT_TEXTS.winsTooLarge });
}

async function voidDraw(means: MachineDeps, tx: Tx, draw: DrawRow, cause: VoidCause): Promise<boolean> {
  const closed = draw.draw_status === 'open' ? await close(means, tx, draw) : draw;
  // The same draw may still be open in the live network.
  const seed = cause === 'restore' ? undefined : readSeed(means.vault, closed);
  await voidClosed(means, tx, closed, { cause, seed });
  return seed !== undefined;
}

async function voidClosed(
  { services }: MachineDeps,
  tx: Tx,
  draw: DrawRow,
  { cause, seed }: { readonly cause: VoidCause; readonly seed: Buffer | undefined },
): Promise<void> {
  await refundTickets(services, tx, draw);
  await storeVoid(services, tx, draw, { seed, at: services.clock.now(), cause });
}
