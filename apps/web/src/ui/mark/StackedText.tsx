import type { ReactNode } from 'react';
import classes from './marks.module.css';

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

export function NameBelow({ name, children }: { name: string | undefined; children: ReactNode }) {
  return (
    <span className={classes.of}>
      {children}
      {name !== undefined && <small>{name}</small>}
    </span>
  );
}
