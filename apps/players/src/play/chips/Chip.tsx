import { decimalText } from '../../lib/amounts.ts';
import { CHIPS, costOf } from '../slip/slipSums.ts';
import { playTexts } from '../playTexts.ts';
import styles from './Chip.module.css';

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

export type Tool = { readonly units: number } | 'eraser';

interface ChipTrayProps {
  unitPrice: number;
  tool: Tool;
  onTool: (tool: Tool) => void;
}

export function ChipTray({ unitPrice, tool, onTool }: ChipTrayProps) {
  return (
    <fieldset className={styles.tray}>
      <legend className={styles.legend}>{playTexts.chips.legend}</legend>
      {CHIPS.map((units) => {
        const points = costOf(units, unitPrice);
        return (
          <label key={units} className={styles.choice}>
            <input
              type="radio"
              name="chip"
              checked={tool !== 'eraser' && tool.units === units}
              onChange={() => onTool({ units })}
            />
            <Chip points={points} units={units} size={44} />
            <span className={styles.unseen}>{playTexts.chips.points(points)}</span>
          </label>
        );
      })}
      <label className={styles.choice}>
        <input type="radio" name="chip" checked={tool === 'eraser'} onChange={() => onTool('eraser')} />
        <svg className={styles.eraser} viewBox="0 0 48 48" width="44" height="44" aria-hidden="true">
          <path d="M12 30 27 13a4 4 0 0 1 5.7-.3l5.5 5a4 4 0 0 1 .3 5.6L25 38h-7l-5.7-5.200A2 2 0 0 1 12 30Z" />
          <path d="M20.5 20.5 31.5 30.5M25 38h14" />
        </svg>
        <span className={styles.unseen}>{playTexts.chips.eraser}</span>
      </label>
    </fieldset>
  );
}
