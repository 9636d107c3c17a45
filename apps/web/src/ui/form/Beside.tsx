import type { ReactNode } from 'react';
import classes from './Beside.module.css';

/** Consequences of a form's fields: beside them on wide screens, else between them. */
export function Beside({ children }: { children: ReactNode }) {
  return (
    <div className={classes.place}>
      <div className={classes.beside}>{children}</div>
    </div>
  );
}
