import { useId } from 'react';
import type { ChartLayout, Drawn } from './layOutChart.ts';
import { lookOf } from './seriesLook.ts';
import classes from './Drawing.module.css';

interface DrawingProps {
  layout: ChartLayout;
  /** Of the whole, in px. */
  width: number;
  height: number;
}

/** How far a label stands from what it names, in px. */
const GAP = 6;

/** A chart as it is painted, in the colours of its theme; the slider over it says what it shows. */
export function Drawing({ layout, width, height }: DrawingProps) {
  const { frame, series, xTicks, yTicks, zero } = layout;
  return (
    <svg className={classes.drawing} width={width} height={height} aria-hidden focusable={false}>
      <g transform={`translate(${frame.left} ${frame.top})`}>
        {yTicks.map(({ at, name }) => (
          <g key={name} transform={`translate(0 ${at})`}>
            <path className={classes.grid} d={`M0 0H${frame.width}`} />
            <text className={classes.label} x={-GAP} dy="0.35em" textAnchor="end">
              {name}
            </text>
          </g>
        ))}
        {xTicks.map(({ at, name }, index) => (
          <text key={at} className={classes.label} x={at} y={frame.height + GAP + 12} textAnchor="middle">
            {name === xTicks[index - 1]?.name ? '' : name}
          </text>
        ))}
        {zero !== null && <path className={classes.zero} d={`M0 ${zero}H${frame.width}`} />}
        {series.map((drawn, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a series is told by its index
          <Shapes key={index} drawn={drawn} index={index} />
        ))}
      </g>
    </svg>
  );
}

/** The columns of a series, or its line with its dots. */
function Shapes({ drawn: { columns, path, dots }, index }: { drawn: Drawn; index: number }) {
  const hatch = useId();
  const { token, dash, fill } = lookOf(index);
  const colour = `var(${token})`;
  const fills = { solid: colour, hatched: `url(#${hatch})`, open: 'none' };
  if (path !== '')
    return (
      <g>
        <path d={path} fill="none" stroke={colour} strokeWidth={2} strokeDasharray={dash.join(' ')} />
        {dots.map(({ x, y }) => (
          <circle key={x} cx={x} cy={y} r={2.5} fill={colour} />
        ))}
      </g>
    );
  return (
    <g stroke={colour} fill={fills[fill]}>
      <pattern id={hatch} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0 0V5" stroke={colour} strokeWidth={3} />
      </pattern>
      {columns.map((column) => (
        <rect key={column.x} {...column} />
      ))}
    </g>
  );
}
