import { SIGNS } from '@drawhouse/pictures/pockets';
import classes from './WheelGrid.module.css';

/** Matches the pictures: red diamond, black disc, green star. */
export function ColorSign({ color }: { color: string | null }) {
  const path = Object.entries(SIGNS).find(([name]) => name === color)?.[1];
  return (
    path && (
      <svg className={classes.sign} viewBox="18 34 12 12" aria-hidden>
        <path d={path} />
      </svg>
    )
  );
}
