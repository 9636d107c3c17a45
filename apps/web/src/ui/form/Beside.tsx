import type { ReactNode } from 'react';
import classes from './Beside.module.css';

interface BesideProps {
  readonly children: ReactNode;
  /** Start at the same height on wide screens. Without them, the next field does. */
  readonly fields?: ReactNode;
}

/** Consequences of a form's fields: beside them on wide screens, else below. */
export function Beside({ children, fields }: BesideProps) {
  return (
    <div className={classes.place}>
      {fields}
      <div className={classes.beside}>{children}</div>
    </div>
  );
}
