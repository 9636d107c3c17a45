import type { ReactNode } from 'react';
import classes from './DialogList.module.css';

interface DialogListProps {
  /** What its rows are, for those who do not see them. */
  label: string;
  /** A `li` for each: what it is, and what becomes of it. */
  children: ReactNode;
}

/** What a dialog is about, row by row; a long list scrolls, by keyboard too. */
export function DialogList({ label, children }: DialogListProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <ul className={classes.list} aria-label={label} tabIndex={0}>
      {children}
    </ul>
  );
}

/** Why a row of the list came to nothing. */
export function RefusedRow({ children }: { children: ReactNode }) {
  return <span className={classes.refused}>{children}</span>;
}
