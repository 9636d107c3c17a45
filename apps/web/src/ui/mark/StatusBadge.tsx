import type { CellOfRow } from '@drawhouse/contract/core/list';
import type { ReactNode } from 'react';
import classes from './marks.module.css';
import { commonTexts } from '../../commonTexts.ts';

interface StatusBadgeProps {
  tone: 'good' | 'bad' | 'warn' | 'neutral';
  children: ReactNode;
}

/** Words carry the meaning, not the color. */
export function StatusBadge({ tone, children }: StatusBadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  );
}

export function TestBadge({ isTest }: { isTest: boolean | undefined }) {
  return isTest === true && <StatusBadge tone="warn">{commonTexts.testNetwork}</StatusBadge>;
}

/** Only in a group of cells. */
export function CellBadge({ cell }: { cell: CellOfRow | undefined }) {
  return cell && <StatusBadge tone={cell.isHere ? 'neutral' : 'warn'}>{cell.name}</StatusBadge>;
}

const texts = commonTexts.accounts;

export function OnlineBadge({ isOnline }: { isOnline: boolean }) {
  return <StatusBadge tone={isOnline ? 'good' : 'neutral'}>{isOnline ? texts.online : texts.offline}</StatusBadge>;
}
