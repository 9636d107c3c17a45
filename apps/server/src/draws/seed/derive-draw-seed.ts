import { deriveSeed, rulesHash, type BeaconValue } from '@drawhouse/rules/fair/derive-seed';
import { roundOfDraw, roundTimeMs } from '@drawhouse/rules/fair/beacon-rounds';
import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import type { DrawTerms } from '@drawhouse/rules/fair/draw-terms';
import { LRUCache } from 'lru-cache';

/** Seed inputs other than the server's own seed. */
export interface SeededDraw extends DrawTerms {
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
export function firstRoundMs({ beacons, closes_at }: Pick<SeededDraw, 'beacons' | 'closes_at'>): number {
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
