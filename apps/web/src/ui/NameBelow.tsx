import type { ReactNode } from 'react';
import classes from './NameBelow.module.css';

/** What a row of a phone's table is about, and beneath it, smaller, whose it is. */
export function NameBelow({ name, children }: { name: string | undefined; children: ReactNode }) {
  return (
    <span className={classes.of}>
      {children}
      {name !== undefined && <small>{name}</small>}
    </span>
  );
}
