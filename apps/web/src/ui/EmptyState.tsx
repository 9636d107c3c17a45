import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './State.module.css';

interface EmptyStateProps {
  title: string;
  text?: string;
  action?: ReactNode;
}

export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className={classes.state}>
      <Text fw={600}>{title}</Text>
      {text !== undefined && <Text c="dimmed">{text}</Text>}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}
