import { beaconProblems } from '@drawhouse/rules/fair/beacon-signature';
import { withProblems, type DrawFinding } from './drawFinding.ts';
import { DrawVerdict } from './DrawVerdict.tsx';
import type { FairDraw } from './fairDraw.ts';

/** Lazy, because verification needs a large library. */
export function BeaconVerdict({ draw, finding }: { draw: FairDraw; finding: DrawFinding }) {
  return <DrawVerdict draw={draw} finding={withProblems(finding, beaconProblems(draw.beacons))} />;
}
