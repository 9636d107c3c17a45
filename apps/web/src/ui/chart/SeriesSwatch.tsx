import { useId } from 'react';
import type { ChartSeries } from './chartPoints.ts';
import classes from './TimeChart.module.css';

export function SeriesSwatch({ as, index }: { as: NonNullable<ChartSeries['as']>; index: number }) {
  const hatch = useId();
  const { token, dash, fill } = swatchOf(index);
  const colour = `var(${token})`;
  const fills = { solid: colour, hatched: `url(#${hatch})`, open: 'none' };
  return (
    <svg className={classes.swatch} width={18} height={12} aria-hidden focusable={false}>
      {as === 'columns' ? (
        <>
          <pattern id={hatch} width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <path d="M0 0V4" stroke={colour} strokeWidth={2.5} />
          </pattern>
          <rect x={2.5} y={0.5} width={12} height={11} rx={1} fill={fills[fill]} stroke={colour} />
        </>
      ) : (
        <path d="M0 6H18" stroke={colour} strokeWidth={2} strokeDasharray={dash.join(' ')} />
      )}
    </svg>
  );
}

/** Dash and fill distinguish them without color. */
const SWATCHES = [
  { token: '--dh-accent', dash: [], fill: 'solid' },
  { token: '--dh-warn', dash: [7, 4], fill: 'hatched' },
  { token: '--dh-text', dash: [2, 3], fill: 'open' },
] as const;

export function swatchOf(index: number): (typeof SWATCHES)[number] {
  return SWATCHES[index % SWATCHES.length]!;
}
