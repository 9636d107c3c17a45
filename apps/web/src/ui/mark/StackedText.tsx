import type { ReactNode } from 'react';
import classes from './marks.module.css';
import { markTexts } from '../uiTexts.ts';

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

/** Shows one or two names; of more, the first and a count, with all as title. */
export function ShortList({ names }: { names: readonly string[] }) {
  const all = names.join(', ');
  if (all === '') return '–';
  return <TwoLines text={all}>{names.length > 2 ? markTexts.andMore(names[0]!, names.length - 1) : all}</TwoLines>;
}

export function NameBelow({ name, children }: { name: string | undefined; children: ReactNode }) {
  return (
    <span className={classes.of}>
      {children}
      {name !== undefined && <small>{name}</small>}
    </span>
  );
}
