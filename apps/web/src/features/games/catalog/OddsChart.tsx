import { BOOSTER_WEIGHT_SUM } from '@drawhouse/rules/fair/booster';
import { VisuallyHidden } from '@mantine/core';
import classes from './GameReturns.module.css';
import { barHeights } from '../../../lib/format/proportions.ts';
import { formatShare } from '../../../lib/format/returns.ts';

const HEIGHT = 24;
const BAR = 4;
const STEP = 5;
/** Even rare values stay visible. */
const LEAST = 1.5;
const SPELLED_OUT = 0.0005;

export function OddsChart({ weights }: { weights: readonly number[] }) {
  const text = oddsText(weights);
  return (
    <>
      <VisuallyHidden>{text}</VisuallyHidden>
      <svg
        className={classes.chart}
        aria-hidden
        width={weights.length * STEP}
        height={HEIGHT}
        viewBox={`0 0 ${weights.length * STEP} ${HEIGHT}`}
      >
        <title>{text}</title>
        <path className={classes.base} d={`M0 ${HEIGHT - 0.5}H${weights.length * STEP}`} />
        {barHeights(weights, { highest: HEIGHT - 1, least: LEAST }).map((height, index) => {
          const booster = index + 1;
          return <rect key={booster} x={index * STEP} y={HEIGHT - 1 - height} width={BAR} height={height} rx={0.5} />;
        })}
      </svg>
    </>
  );
}

/** `Booster 1: 94.7 %, 2: 5.0 %, others: 0.3 %`. */
export function oddsText(weights: readonly number[]): string {
  const shares = weights.map((weight, index) => ({ name: String(index + 1), share: weight / BOOSTER_WEIGHT_SUM }));
  const named = shares.filter(({ share }) => share >= SPELLED_OUT);
  const rest = shares.reduce((sum, { share }) => (share < SPELLED_OUT ? sum + share : sum), 0);
  const parts = [...named, ...(rest > 0 ? [{ name: 'others', share: rest }] : [])];
  return `Booster ${parts.map(({ name, share }) => `${name}: ${share < SPELLED_OUT ? 'below 0.1 %' : formatShare(share)}`).join(', ')}`;
}
