import type { fairDraw } from '@drawhouse/contract/draws/draws';
import type { RouteResult } from '@drawhouse/contract/frame/route';
import { roundOfDraw } from '@drawhouse/rules/beacon-rounds';
import type { DrawRow } from '../draws.sql.ts';
import { generateResult } from '../generate-result.ts';
import { wholeSeed } from './whole-seed.ts';

type FairDraw = RouteResult<typeof fairDraw>;

/** The beacons of a draw with their rounds and values, as everybody may read them. */
export function publishedBeacons({
  beacons,
  beacon_signatures,
  closes_at,
}: Pick<DrawRow, 'beacons' | 'beacon_signatures' | 'closes_at'>): FairDraw['beacons'] {
  return (beacons ?? []).map((beacon, place) => ({
    ...beacon,
    round: roundOfDraw(beacon, closes_at.getTime()),
    signature: beacon_signatures?.[place]?.toString('hex') ?? null,
  }));
}

/** The result that a void draw with beacons would have had; null while a part of its seed is not public. */
export function wouldHaveBeen(draw: DrawRow): FairDraw['wouldHaveBeen'] {
  if (draw.draw_status !== 'void' || !draw.seed || !draw.beacons) return null;
  const seed = wholeSeed(draw, draw.seed);
  if (!seed) return null;
  const { result, booster, label } = generateResult(draw, seed);
  return { result, resultLabel: label, booster };
}
