import classes from './fair.module.css';

const MARKS = {
  right: { sign: '✓', says: 'Right' },
  wrong: { sign: '✗', says: 'Wrong' },
  none: { sign: '·', says: 'Not checkable' },
} as const;

export function Mark({ is }: { is: keyof typeof MARKS }) {
  const { sign, says } = MARKS[is];
  return (
    <span className={classes.mark} data-is={is}>
      <span aria-hidden>{sign}</span>
      <span className="unseen">{says}: </span>
    </span>
  );
}
