import { chipLook, chipText } from './chipText.ts';
import styles from './Chip.module.css';

/** How many marks a chip has around its edge. */
const MARKS = 8;

/** A drawn chip with its amount. To those who hear it is nothing: what stands beside it says the amount. */
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

/** A text fits into the middle of a chip, in units of its drawing. */
function fitting(text: string): number {
  return Math.min(15, 42 / (text.length * 0.62));
}
