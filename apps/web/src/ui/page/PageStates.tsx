import { Text, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './PageStates.module.css';
import { IconRefresh } from '@tabler/icons-react';
import { firstTexts } from '../../firstTexts.ts';
import { RequestId } from '../../lib/RequestId.tsx';
import { pageTexts } from '../uiTexts.ts';

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

interface ErrorStateProps {
  message: string;
  onRetry?: () => void;
}

export function ErrorState({ message, onRetry }: ErrorStateProps) {
  return (
    <div className={classes.state} role="alert">
      <Text fw={600}>{pageTexts.thisCouldNotBe}</Text>
      <Text c="dimmed">{message}</Text>
      {message === firstTexts.errors.noResponse && <Text c="dimmed">{pageTexts.loadsOnceConnected}</Text>}
      <RequestId message={message} />
      {onRetry && (
        <div className={classes.action}>
          <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
            {pageTexts.tryAgain}
          </Button>
        </div>
      )}
    </div>
  );
}
