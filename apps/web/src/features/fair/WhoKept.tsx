import { chainName } from '@drawhouse/rules/drand-chain';
import { lazy, Suspense } from 'react';
import { isLate, isShared } from './drawFinding.ts';
import type { FairDraw } from './fairDraw.ts';
import { formatPlainPoints } from './fairFormat.ts';
import { keptTexts } from './keptTexts.ts';
import classes from './fair.module.css';

const KeptParts = lazy(async () => ({ default: (await import('./KeptParts.tsx')).KeptParts }));

/** Who kept the seed of a draw: the server alone, or others too, with what of theirs this browser has checked. */
export function WhoKept({ draw }: { draw: FairDraw }) {
  const shared = isShared(draw);
  return (
    <section aria-labelledby="kept">
      <h2 id="kept">{keptTexts.title}</h2>
      <p>
        <strong>{keptWords(draw)}.</strong> {shared ? keptTexts.shared : keptTexts.self}
      </p>
      {draw.knowable && (
        <p className={classes.source} data-kind="declared">
          {isLate(draw) ? keptTexts.mayHaveBeen : keptTexts.knowable} {draw.knowable.resultLabel}, booster{' '}
          {draw.knowable.booster}.{' '}
          {draw.knowable.pays === null ? '' : `It would have paid ${formatPlainPoints(draw.knowable.pays)} points.`}
        </p>
      )}
      {shared && (
        <Suspense fallback={null}>
          <KeptParts draw={draw} />
        </Suspense>
      )}
    </section>
  );
}

/** In a few words: `Self-kept`, `Kept with other.example and a round of drand`. */
function keptWords({ keepers, beacon }: Pick<FairDraw, 'keepers' | 'beacon'>): string {
  const others = [
    ...keepers.map(({ name }) => name),
    ...(beacon ? [`round ${beacon.round} of ${chainName(beacon.hash)}`] : []),
  ];
  return others.length === 0 ? 'Self-kept' : `Kept with ${others.join(' and ')}`;
}
