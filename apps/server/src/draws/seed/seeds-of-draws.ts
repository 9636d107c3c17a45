import type { Tx } from '../../db/database.ts';
import { CallError } from '../../http/http-errors.ts';
import { roundOfDraw } from '@drawhouse/rules/beacon-rounds';
import type { Services } from '../../services.ts';
import type { DrawRow } from '../draws.sql.ts';
import { readSeed } from '../seeds.ts';
import type { SeedVault } from '../seeds.ts';
import { booksReopenedAt } from './beacon-rows.sql.ts';
import type { Beacons } from './known-beacons.ts';
import { wholeSeed } from './whole-seed.ts';

/** The seed of a draw. */
export interface Seed {
  /** The server's own, which is published. */
  readonly own: Buffer;
  /** The one that the result follows from. */
  readonly whole: Buffer;
}

/** Why a draw has no seed and is void: the server's can't be read, a beacon's value did not come in time, or the tickets were not fixed before it. */
export type NoSeed = 'seed' | 'beacon' | 'root';

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
    if (!own) return 'seed';
    const whole = wholeSeed(draw, own);
    if (whole === 'root') return 'root';
    if (whole === 'waiting') return (await isLate(tx, draw)) ? 'beacon' : 'waiting';
    return { own, whole };
  };
}

/**
 * Throws DRAW_STATE if the value of a draw's beacon may be known soon, which is once betting has closed by its schedule: nobody then decides
 * about the draw by hand.
 */
export function requireUnknowable({ beacons, closes_at }: Pick<DrawRow, 'beacons' | 'closes_at'>, now: Date): void {
  if (!beacons || closes_at > now) return;
  throw new CallError('DRAW_STATE', {
    message: 'Betting on this draw has closed, and its beacon decides it now. Nobody can change it any more.',
  });
}
