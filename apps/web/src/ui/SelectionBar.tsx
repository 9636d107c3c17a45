import { CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../lib/format.ts';
import classes from './SelectionBar.module.css';

interface SelectionBarProps {
  count: number;
  onClear: () => void;
  children: ReactNode;
}

export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  return (
    <section className={classes.bar} aria-label="Selected rows">
      <output className={classes.count}>{formatCount(count)} selected</output>
      <div className={classes.actions}>{children}</div>
      <CloseButton aria-label="Clear the selection" title="Clear the selection" onClick={onClear} />
    </section>
  );
}
