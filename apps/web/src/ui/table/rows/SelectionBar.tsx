import { CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../../../lib/format/format.ts';
import { tableTexts } from '../../listTexts.ts';
import classes from './SelectionBar.module.css';

interface SelectionBarProps {
  count: number;
  onClear: () => void;
  children: ReactNode;
}

export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  return (
    <section className={classes.bar} data-selection aria-label={tableTexts.selectedRows}>
      <output className={classes.count}>{tableTexts.selected(formatCount(count))}</output>
      <div className={classes.actions}>{children}</div>
      <CloseButton aria-label={tableTexts.clearSelection} title={tableTexts.clearSelection} onClick={onClear} />
    </section>
  );
}
