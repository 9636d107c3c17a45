import type { ReactNode } from 'react';
import classes from './AsideColumn.module.css';

interface AsideColumnProps {
  readonly children: ReactNode;
  /** Start at the same height on wide screens. Without them, the next field does. */
  readonly fields?: ReactNode;
}

/** Consequences of a form's fields: beside them on wide screens, else below. */
export function AsideColumn({ children, fields }: AsideColumnProps) {
  return (
    <div className={classes.place}>
      {fields}
      <div className={classes.aside}>{children}</div>
    </div>
  );
}
