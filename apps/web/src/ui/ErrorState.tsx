import { Button, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { RequestId } from '../lib/RequestId.tsx';
import classes from './State.module.css';

interface ErrorStateProps {
  message: string;
  onRetry?: () => void;
}

export function ErrorState({ message, onRetry }: ErrorStateProps) {
  return (
    <div className={classes.state} role="alert">
      <Text fw={600}>This could not be loaded</Text>
      <Text c="dimmed">{message}</Text>
      <RequestId said={message} />
      {onRetry && (
        <div className={classes.action}>
          <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}
