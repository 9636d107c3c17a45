import type { ReactNode } from 'react';
import classes from './StatusBadge.module.css';

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
