import { withSignatures } from './drawFinding.ts';
import type { DrawFinding } from './drawFinding.ts';
import { DrawVerdict } from './DrawVerdict.tsx';
import type { FairDraw } from './fairDraw.ts';
import { keptSignatures } from './keptSignatures.ts';

/** The verdict on a draw of whose seed others keep parts: it says that the draw checks out only where their signatures do too. */
export function KeptVerdict({ draw, finding }: { draw: FairDraw; finding: DrawFinding }) {
  return <DrawVerdict draw={draw} finding={withSignatures(finding, keptSignatures(draw))} />;
}
