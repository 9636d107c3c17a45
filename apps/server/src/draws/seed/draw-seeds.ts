import type { Tx } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { roundOfDraw } from '@drawhouse/rules/fair/beacon-rounds';
import type { Services } from '../../platform/services.ts';
import { awaitsSecond, selectDraws, type DrawRow } from '../draws.sql.ts';
import { readSeed, type SeedVault } from './seeds.ts';
import { booksReopenedAt } from './beacon-rows.sql.ts';
import type { Beacons } from './beacons.ts';
import { firstRoundMs, isRootInTime, deriveDrawSeed } from './derive-draw-seed.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { LEFT_TO_BEACON } from '../draws-texts.ts';

export interface Seed {
  /** The server's part, later published. */
  readonly own: Buffer;
  /** Null if a saved result stands. */
  readonly whole: Buffer | null;
}

export interface NoSeed {
  readonly cause: 'seed' | 'beacon' | 'root' | 'outside';
  readonly own: Buffer | undefined;
}

/** Expects a locked, closed draw. `waiting`: the seed may still arrive. */
export type SeedOf = (tx: Tx, draw: DrawRow) => Promise<Seed | 'waiting' | NoSeed>;

/** Waits until `deadlineMs` after the draw time or the reopening of the books, whichever is later. */
export function createSeedOf(
  { clock }: Pick<Services, 'clock'>,
  vault: SeedVault,
  beacons: Pick<Beacons, 'hasFailed'>,
  deadlineMs: number,
): SeedOf {
  /** Waits for one request after downtime before giving up. */
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
    if (draw.source === 'declared') return { own, whole: null };
    // Only entering its result settles the draw.
    if (draw.outside !== null) return clock.now() < draw.awaits_until! ? 'waiting' : { cause: 'outside', own };
    if (isSaved(draw)) return { own, whole: null };
    if (!isRootInTime(draw)) return clock.now().getTime() < firstRoundMs(draw) ? 'waiting' : { cause: 'root', own };
    const whole = deriveDrawSeed(draw, own);
    if (!whole) return (await isLate(tx, draw)) ? { cause: 'beacon', own } : 'waiting';
    return { own, whole };
  };
}

function isSaved(draw: DrawRow): boolean {
  return draw.saved_result !== null && draw.result_mode !== 'generated' && !awaitsSecond(draw);
}

/**
 * Throws DRAW_STATE after the scheduled close, when beacon values may be known: no saving, no voiding. Also forbids
 * choosing between a saved and a generated result.
 */
export function requireBeforeBeacons(
  { beacons, closes_at, saved_result: saved }: Pick<DrawRow, 'beacons' | 'closes_at' | 'saved_result'>,
  now: Date,
  act: keyof typeof LEFT_TO_BEACON,
): void {
  if (!beacons || (act === 'generate' ? saved === null : closes_at > now)) return;
  throw new CallError('DRAW_STATE', { message: LEFT_TO_BEACON[act] });
}

/** Publishes seeds of draws voided by a restore. Skips unreadable ones. */
export async function publishSeeds(vault: SeedVault, tx: Tx, networkId: number): Promise<void> {
  const draws = await selectDraws(
    tx,
    sql`where d.network_id = ${networkId} and d.void_cause = 'restore' and d.sealed_seed is not null order by d.id for update of d`,
  );
  for (const draw of draws) {
    const seed = readSeed(vault, draw);
    if (!seed) continue;
    await tx.query(
      sql`update draws set seed = ${seed}, sealed_seed = null where network_id = ${networkId} and id = ${draw.id}`,
    );
  }
}
