import styles from './Chip.module.css';
import { decimalText } from '../../lib/amounts.ts';
import { CHIPS } from '../slip/slipSums.ts';

const MARKS = 8;

/** Decorative: adjacent text states the amount. */
export function Chip({ points, units, size }: { points: number; units: number; size: number }) {
  const text = chipText(points);
  return (
    <svg
      className={styles.chip}
      data-look={chipLook(units)}
      viewBox="0 0 48 48"
      width={size}
      height={size}
      aria-hidden="true"
    >
      <circle className={styles.rim} cx="24" cy="24" r="23" />
      {Array.from({ length: MARKS }, (_, mark) => (
        <path
          key={mark}
          className={styles.mark}
          d="M21 1.2h6l-1 7h-4Z"
          transform={`rotate(${(mark * 360) / MARKS} 24 24)`}
        />
      ))}
      <circle className={styles.ring} cx="24" cy="24" r="15.5" />
      <text className={styles.text} x="24" y="24" fontSize={fitting(text)}>
        {text}
      </text>
    </svg>
  );
}

function fitting(text: string): number {
  return Math.min(15, 42 / (text.length * 0.62));
}

/** `K` in every language: longer words do not fit a chip. */
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1, roundingMode: 'trunc' });

/** `5`, `2.5`, `1,250`; from ten thousand shortened and rounded down: `12.5K`. */
export function chipText(points: number): string {
  return points < 10_000 ? decimalText(points) : short.format(points);
}

export function chipLook(units: number): number {
  return CHIPS.findLastIndex((least) => units >= least);
}
