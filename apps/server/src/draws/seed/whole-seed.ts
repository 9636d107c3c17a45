import { deriveSeed, rulesHash } from '@drawhouse/rules/derive-seed';
import type { BeaconValue } from '@drawhouse/rules/derive-seed';
import { roundOfDraw, roundTimeMs } from '@drawhouse/rules/beacon-rounds';
import type { FamilyName } from '@drawhouse/rules/catalogue';
import type { DrawTerms } from '@drawhouse/rules/terms';
import { LRUCache } from 'lru-cache';

/** All of a draw that its seed depends on, except the server's own seed. */
export interface SeededDraw extends DrawTerms {
  readonly id: string;
  readonly game_key: string;
  readonly family: FamilyName;
  readonly digits: number;
  readonly closes_at: Date;
  /** When the server saw the close of a draw with beacons in the seals. */
  readonly root_sealed_at: Date | null;
  /** The values of its beacons, in their order; null for those that have not come. Null without a beacon. */
  readonly beacon_signatures: readonly (Buffer | null)[] | null;
}

/** By game and terms: draws of one game have the same for long. */
const hashes = new LRUCache<string, Uint8Array>({ max: 5_000 });

/**
 * Seed of a draw, 32 bytes, derived from the one that the server committed to (`deriveSeed`). Undefined if a beacon's value is missing. Says
 * nothing of when the tickets were fixed: see `isRootInTime`. With `termsId`, the id of its terms, the rules hash is cached for all draws of these
 * terms.
 */
export function wholeSeed(draw: SeededDraw, own: Buffer, termsId?: string): Buffer | undefined {
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

/** The time of the first round of a draw's beacons, in milliseconds: from then on somebody may know a value. Infinity without beacons. */
export function firstRoundMs({ beacons, closes_at }: Pick<SeededDraw, 'beacons' | 'closes_at'>): number {
  return Math.min(...(beacons ?? []).map((beacon) => roundTimeMs(beacon, roundOfDraw(beacon, closes_at.getTime()))));
}

/** Whether the root of a draw's tickets was sealed before a value of its beacons could be known. */
export function isRootInTime(draw: Pick<SeededDraw, 'beacons' | 'closes_at' | 'root_sealed_at'>): boolean {
  const firstMs = firstRoundMs(draw);
  return firstMs === Infinity || (draw.root_sealed_at !== null && draw.root_sealed_at.getTime() < firstMs);
}

function rulesHashOf(draw: SeededDraw, termsId: string | undefined): Uint8Array {
  const { game_key: gameId, family, digits } = draw;
  const key = termsId && `${termsId} ${digits} ${family} ${gameId}`;
  const known = key === undefined ? undefined : hashes.get(key);
  if (known) return known;
  const made = rulesHash({ gameId, family, digits }, draw);
  if (key !== undefined) hashes.set(key, made);
  return made;
}
