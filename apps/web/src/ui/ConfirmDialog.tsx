import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { RequestId } from '../lib/RequestId.tsx';
import { Dialog } from './Dialog.tsx';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** Names the thing and says what will happen. */
  children: ReactNode;
  /** The dialogs of the spec say Confirm, which is the usual; our own repeat the verb: `Reset Balance`. */
  confirmLabel?: string;
  cancelLabel?: string;
  /** Marks what cannot be taken back, or takes something away. */
  danger?: boolean;
  busy?: boolean;
  /** Why the last attempt failed; the dialog stays open with it. */
  error?: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks one question. Focus goes in when it opens and back to where it was when it closes. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    opened,
    title,
    children,
    confirmLabel = 'Confirm',
    cancelLabel = 'Cancel',
    danger,
    busy,
    error,
    onConfirm,
    onClose,
  } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={title} centered size="sm">
      <Text component="div">{children}</Text>
      {error && (
        <Text role="alert" c="var(--dh-loss)" mt="sm">
          {error}
        </Text>
      )}
      <RequestId said={error} />
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancelLabel}
        </Button>
        <Button color={danger ? 'red' : undefined} loading={busy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </Group>
    </Dialog>
  );
}
