import type { ReactNode } from 'react';
import classes from './SectionHeader.module.css';

interface SectionHeaderProps {
  title: string;
  /** The one main action, at the end of the line. */
  action?: ReactNode;
  /** Filters, on the same line where there is room. */
  children?: ReactNode;
}

/** The head of a list that is part of a page. */
export function SectionHeader({ title, action, children }: SectionHeaderProps) {
  return (
    <div className={classes.head}>
      <h2 className={classes.title}>{title}</h2>
      <div className={classes.filters}>{children}</div>
      <div className={classes.action}>{action}</div>
    </div>
  );
}
