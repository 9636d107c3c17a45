import type { ReactNode } from 'react';
import classes from './TwoLines.module.css';

interface TwoLinesProps {
  /** Full text, shown on hover. */
  text: string;
  /** Replaces the text, for links. */
  children?: ReactNode;
}

/** Wraps once before truncating. */
export function TwoLines({ text, children }: TwoLinesProps) {
  return (
    <span className={classes.lines} title={text}>
      {children ?? text}
    </span>
  );
}
