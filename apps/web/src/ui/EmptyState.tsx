import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './State.module.css';

interface EmptyStateProps {
  /** What would be here. */
  title: string;
  /** Why it is not, or what to do. */
  text?: string;
  /** The step that fills it. */
  action?: ReactNode;
}

/** Stands where rows would be: says what would be here and offers the step that fills it. */
export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className={classes.state}>
      <Text fw={600}>{title}</Text>
      {text !== undefined && <Text c="dimmed">{text}</Text>}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}
