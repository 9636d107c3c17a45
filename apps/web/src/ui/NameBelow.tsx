import type { ReactNode } from 'react';
import classes from './NameBelow.module.css';

export function NameBelow({ name, children }: { name: string | undefined; children: ReactNode }) {
  return (
    <span className={classes.of}>
      {children}
      {name !== undefined && <small>{name}</small>}
    </span>
  );
}
