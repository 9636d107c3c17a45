import { beaconProblems } from '@drawhouse/rules/verify-beacon';
import { withProblems } from './drawFinding.ts';
import type { DrawFinding } from './drawFinding.ts';
import { DrawVerdict } from './DrawVerdict.tsx';
import type { FairDraw } from './fairDraw.ts';

/** The verdict on a draw with beacons, once their signatures are verified. Loaded by itself, since that takes a large library. */
export function BeaconVerdict({ draw, finding }: { draw: FairDraw; finding: DrawFinding }) {
  return <DrawVerdict draw={draw} finding={withProblems(finding, beaconProblems(draw.beacons))} />;
}
