import type { DrawerProps, ModalProps } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { prefetched } from '../../lib/lazyParts.ts';
import { Button, Group, Text } from '@mantine/core';
import { RequestId } from '../../lib/RequestId.tsx';

const useDialogs = prefetched(() => import('./dialogParts.ts'));

/** Its code is prefetched on the first use of the page, since few visits open one. */
export function Dialog(props: ModalProps) {
  const Modal = useDialogs(props.opened)?.Modal;
  return Modal && <Opening {...props} Part={Modal} />;
}

export function Sheet(props: DrawerProps) {
  const Drawer = useDialogs(props.opened)?.Drawer;
  return Drawer && <Opening {...props} Part={Drawer} />;
}

/** Mounts closed: only a change to open fades in and moves the focus. */
function Opening<Props extends { opened: boolean }>({ Part, ...props }: Props & { Part: (props: Props) => ReactNode }) {
  const here = useMounted();
  return <Part {...(props as unknown as Props)} opened={here && props.opened} />;
}

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
      <RequestId message={error} />
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
