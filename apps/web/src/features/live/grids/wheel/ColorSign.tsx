import { SIGNS } from '@drawhouse/pictures/pockets';
import classes from './WheelGrid.module.css';

/** The sign of a colour of the wheel, as on its pictures: a diamond is red, a disc black, a star green. */
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
