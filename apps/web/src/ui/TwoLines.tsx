import type { ReactNode } from 'react';
import classes from './TwoLines.module.css';

interface TwoLinesProps {
  text: string;
  children?: ReactNode;
}

export function TwoLines({ text, children }: TwoLinesProps) {
  return (
    <span className={classes.lines} title={text}>
      {children ?? text}
    </span>
  );
}
