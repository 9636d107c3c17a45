import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { RequestId } from '../../lib/RequestId.tsx';
import { Dialog } from './Dialog.tsx';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** Name the object and the consequence. */
  children: ReactNode;
  /** `Confirm` in dialogs of the spec; other dialogs repeat the verb: `Reset Balance`. */
  confirmLabel?: string;
  cancelLabel?: string;
  danger?: boolean;
  busy?: boolean;
  error?: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

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
