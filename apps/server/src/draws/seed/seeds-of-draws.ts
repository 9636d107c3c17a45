import type { Tx } from '../../db/database.ts';
import { CallError } from '../../http/http-errors.ts';
import { roundOfDraw } from '@drawhouse/rules/beacon-rounds';
import type { Services } from '../../services.ts';
import { awaitsSecond } from '../draws.sql.ts';
import type { DrawRow } from '../draws.sql.ts';
import { readSeed } from '../seeds.ts';
import type { SeedVault } from '../seeds.ts';
import { booksReopenedAt } from './beacon-rows.sql.ts';
import type { Beacons } from './known-beacons.ts';
import { firstRoundMs, isRootInTime, wholeSeed } from './whole-seed.ts';

/** The seed of a draw. */
export interface Seed {
  /** The server's own, which is published. */
  readonly own: Buffer;
  /** The one that the result follows from; null if a saved result stands. */
  readonly whole: Buffer | null;
}

/** No seed will come, and the draw is void: the server's can't be read, a beacon's value did not come in time, or the root was not sealed before it. */
export interface NoSeed {
  readonly cause: 'seed' | 'beacon' | 'root';
  /** The server's own, if it can be read. */
  readonly own: Buffer | undefined;
}

/** Finds the seed of a locked, closed draw. `waiting`: it may still come. */
export type SeedOf = (tx: Tx, draw: DrawRow) => Promise<Seed | 'waiting' | NoSeed>;

/** Makes what finds the seeds of draws. Values of beacons are waited for until `deadlineMs` after the draw time or, if later, the reopening of the books. */
export function createSeedOf(
  { clock }: Pick<Services, 'clock'>,
  vault: SeedVault,
  beacons: Pick<Beacons, 'hasFailed'>,
  deadlineMs: number,
): SeedOf {
  /** A server that was down asks once before it gives up. */
  async function isLate(tx: Tx, draw: DrawRow): Promise<boolean> {
    const nowMs = clock.now().getTime();
    if (draw.awaits_until && draw.awaits_until.getTime() > nowMs) return false;
    const reopened = await booksReopenedAt(tx, draw.network_id);
    if (reopened && reopened.getTime() + deadlineMs > nowMs) return false;
    return (draw.beacons ?? []).some(
      (beacon, place) =>
        !draw.beacon_signatures?.[place] && beacons.hasFailed(beacon, roundOfDraw(beacon, draw.closes_at.getTime())),
    );
  }
  return async (tx, draw) => {
    const own = readSeed(vault, draw);
    if (!own) return { cause: 'seed', own };
    if (draw.source === 'declared' || standsSaved(draw)) return { own, whole: null };
    if (!isRootInTime(draw)) return clock.now().getTime() < firstRoundMs(draw) ? 'waiting' : { cause: 'root', own };
    const whole = wholeSeed(draw, own);
    if (!whole) return (await isLate(tx, draw)) ? { cause: 'beacon', own } : 'waiting';
    return { own, whole };
  };
}

/** Whether a closed draw has a saved result that stands at its draw time. */
function standsSaved(draw: DrawRow): boolean {
  return draw.saved_result !== null && draw.result_mode !== 'generated' && !awaitsSecond(draw);
}

const LEFT_TO_BEACON = {
  save: 'A result of a draw with a beacon can be saved only before betting’s scheduled close.',
  void: 'A draw with a beacon can be voided only before betting’s scheduled close.',
  generate: 'A result is saved for this draw, and stands. A draw with a beacon is generated only without one.',
} as const;

/**
 * Throws DRAW_STATE if a person may not do this with a draw because of its beacons: after betting's scheduled close, when their values may be
 * known, nobody saves a result or voids the draw, and nobody ever chooses between a saved result and the generated one.
 */
export function requireBeforeBeacons(
  { beacons, closes_at, saved_result: saved }: Pick<DrawRow, 'beacons' | 'closes_at' | 'saved_result'>,
  now: Date,
  act: keyof typeof LEFT_TO_BEACON,
): void {
  if (!beacons || (act === 'generate' ? saved === null : closes_at > now)) return;
  throw new CallError('DRAW_STATE', { message: LEFT_TO_BEACON[act] });
}
