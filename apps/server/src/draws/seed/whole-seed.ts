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
  readonly closed_at: Date | null;
  /** The values of its beacons, in their order; null for those that have not come. Null without a beacon. */
  readonly beacon_signatures: readonly (Buffer | null)[] | null;
}

/** By game and terms: draws of one game have the same for long. */
const hashes = new LRUCache<string, Uint8Array>({ max: 5_000 });

/**
 * The seed of a draw, 32 bytes, derived from the one that the server committed to (`deriveSeed`). `waiting` if a beacon's value is missing. `root` if betting closed only after a value could be known, so that the tickets
 * were not fixed before it. With `termsId`, the id of its terms, the rules hash is cached for all draws of these terms.
 */
export function wholeSeed(draw: SeededDraw, own: Buffer, termsId?: string): Buffer | 'waiting' | 'root' {
  const values: BeaconValue[] = [];
  for (const [place, beacon] of (draw.beacons ?? []).entries()) {
    const round = roundOfDraw(beacon, draw.closes_at.getTime());
    if (!draw.closed_at || draw.closed_at.getTime() >= roundTimeMs(beacon, round)) return 'root';
    const signature = draw.beacon_signatures?.[place];
    if (!signature) return 'waiting';
    values.push({ round, signature });
  }
  return derived(draw, own, { values, termsId });
}

/** The seed of a draw by the values of its beacons, whenever betting closed: what a void draw would have had. Undefined if one is missing. */
export function seedItWouldHave(draw: SeededDraw, own: Buffer): Buffer | undefined {
  const values = (draw.beacons ?? []).flatMap((beacon, place) => {
    const signature = draw.beacon_signatures?.[place];
    return signature ? [{ round: roundOfDraw(beacon, draw.closes_at.getTime()), signature }] : [];
  });
  return values.length === (draw.beacons ?? []).length ? derived(draw, own, { values }) : undefined;
}

function derived(
  draw: SeededDraw,
  own: Buffer,
  { values, termsId }: { readonly values: readonly BeaconValue[]; readonly termsId?: string | undefined },
): Buffer {
  return Buffer.from(
    deriveSeed({ drawId: draw.id, rulesHash: rulesHashOf(draw, termsId), operatorSeed: own, beacons: values }),
  );
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
