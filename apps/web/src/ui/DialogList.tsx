import type { ReactNode } from 'react';
import classes from './DialogList.module.css';

interface DialogListProps {
  label: string;
  children: ReactNode;
}

export function DialogList({ label, children }: DialogListProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <ul className={classes.list} aria-label={label} tabIndex={0}>
      {children}
    </ul>
  );
}

export function RefusedRow({ children }: { children: ReactNode }) {
  return <span className={classes.refused}>{children}</span>;
}
