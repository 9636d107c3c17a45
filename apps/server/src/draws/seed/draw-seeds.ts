import { roundOfDraw, roundTimeMs } from '@drawhouse/rules/fair/beacon-rounds';
import { type BeaconValue, deriveSeed, rulesHash } from '@drawhouse/rules/fair/derive-seed';
import type { DrawTerms } from '@drawhouse/rules/fair/draw-terms';
import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import { LRUCache } from 'lru-cache';
import type { Tx } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Services } from '../../platform/services.ts';
import { awaitsSecond, type DrawRow, selectDraws } from '../draws.sql.ts';
import { readSeed, type SeedVault } from './seeds.ts';
import { booksReopenedAt } from './beacon-rows.sql.ts';
import type { Beacons } from './beacons.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { LEFT_TO_BEACON } from '../draws-texts.ts';

export interface Seed {
  /** The server's part, later published. */
  readonly own: Buffer;
  /** Null if there is a saved result. */
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

/** Seed inputs other than the server's own seed. */
interface SeededDraw extends DrawTerms {
  readonly id: string;
  readonly game_key: string;
  readonly family: FamilyName;
  readonly digits: number;
  readonly closes_at: Date;
  readonly root_sealed_at: Date | null;
  /** In beacon order; null entries are pending. Null without beacons. */
  readonly beacon_signatures: readonly (Buffer | null)[] | null;
}

/** Many draws share game and terms. */
const hashes = new LRUCache<string, Uint8Array>({ max: 5_000 });

/**
 * Undefined if a beacon value is missing. See `isRootInTime` for ticket finality. `termsId` enables caching of the
 * rules hash.
 */
export function deriveDrawSeed(draw: SeededDraw, own: Buffer, termsId?: string): Buffer | undefined {
  const values: BeaconValue[] = [];
  for (const [place, beacon] of (draw.beacons ?? []).entries()) {
    const signature = draw.beacon_signatures?.[place];
    if (!signature) return undefined;
    values.push({ round: roundOfDraw(beacon, draw.closes_at.getTime()), signature });
  }
  return Buffer.from(
    deriveSeed({ drawId: draw.id, rulesHash: rulesHashOf(draw, termsId), operatorSeed: own, beacons: values }),
  );
}

/** Earliest milliseconds at which a beacon value may be known. Infinity without beacons. */
function firstRoundMs({ beacons, closes_at }: Pick<SeededDraw, 'beacons' | 'closes_at'>): number {
  return Math.min(...(beacons ?? []).map((beacon) => roundTimeMs(beacon, roundOfDraw(beacon, closes_at.getTime()))));
}

/** The ticket root was sealed before any beacon value could be known. */
export function isRootInTime(draw: Pick<SeededDraw, 'beacons' | 'closes_at' | 'root_sealed_at'>): boolean {
  const firstMs = firstRoundMs(draw);
  return firstMs === Infinity || (draw.root_sealed_at !== null && draw.root_sealed_at.getTime() < firstMs);
}

function rulesHashOf(draw: SeededDraw, termsId: string | undefined): Uint8Array {
  const { game_key: gameId, family, digits } = draw;
  const key = termsId && `${termsId} ${digits} ${family} ${gameId}`;
  const hash = key === undefined ? undefined : hashes.get(key);
  if (hash) return hash;
  const computedHash = rulesHash({ gameId, family, digits }, draw);
  if (key !== undefined) hashes.set(key, computedHash);
  return computedHash;
}
