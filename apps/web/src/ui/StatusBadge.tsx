import type { ReactNode } from 'react';
import classes from './StatusBadge.module.css';

interface StatusBadgeProps {
  tone: 'good' | 'bad' | 'warn' | 'neutral';
  children: ReactNode;
}

/** A short state in words, with a tint and a dot; the words carry the meaning, not the colour. */
export function StatusBadge({ tone, children }: StatusBadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  );
}
