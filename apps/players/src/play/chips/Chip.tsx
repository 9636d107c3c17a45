import { chipLook, chipText } from './chipText.ts';
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
