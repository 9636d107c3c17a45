import type { ReactNode } from 'react';
import classes from './TwoLines.module.css';

interface TwoLinesProps {
  /** All of it, for whoever points at what even two lines have no room for. */
  text: string;
  /** In place of the text, with links in it. */
  children?: ReactNode;
}

/** A text in a cell that takes a second line before it is cut. */
export function TwoLines({ text, children }: TwoLinesProps) {
  return (
    <span className={classes.lines} title={text}>
      {children ?? text}
    </span>
  );
}
