import { Box, Button, Group, Text } from '@mantine/core';
import type { FormEvent, FunctionComponent, ReactNode } from 'react';
import { RequestId } from '../../lib/RequestId.tsx';
import type { ConfirmedCall } from '../../lib/session/confirmation.ts';
import { Dialog, usePasswordPart } from './Dialog.tsx';
import { dialogTexts } from '../formTexts.ts';
import { useDialogPassword, type PasswordField } from './useDialogPassword.ts';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  size?: 'sm' | 'lg';
  /** Name the object and the consequence. */
  children: ReactNode;
  /** `Confirm` in dialogs of the spec; others repeat the verb: `Reset Balance`. */
  confirmLabel?: string;
  cancelLabel?: string;
  danger?: boolean;
  busy?: boolean;
  error?: string | null;
  /** Route of the call, if it may need the password: then asks for it. */
  confirms?: ConfirmedCall | 'always' | undefined;
  onConfirm: (() => void) | null;
  onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, size = 'sm', confirms, onClose, busy = false } = props;
  const password = useDialogPassword({ opened, confirms, busy, onClose });
  const PasswordPart = usePasswordPart(password.isVisible)?.PasswordPart;
  // Opens with its field, which takes the focus.
  const isReady = !password.isVisible || password.isAwaited || PasswordPart !== undefined;
  return (
    // With a password, a stray click must not discard the input.
    <Dialog
      opened={opened && isReady}
      onClose={password.cancel}
      title={title}
      size={size}
      closeOnClickOutside={!password.isVisible}
    >
      <Question {...props} password={password} PasswordPart={PasswordPart} />
    </Dialog>
  );
}

interface QuestionProps extends ConfirmDialogProps {
  password: ReturnType<typeof useDialogPassword>;
  PasswordPart: FunctionComponent<{ field: PasswordField }> | undefined;
}

function Question({ password, PasswordPart, ...props }: QuestionProps) {
  const {
    title,
    children,
    confirmLabel = dialogTexts.confirm,
    cancelLabel = dialogTexts.cancel,
    danger,
    error,
    onConfirm,
  } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The dialog may be inside another form.
    event.stopPropagation();
    if (password.isAwaited) password.resume();
    else void password.confirm().then((isConfirmed) => isConfirmed && onConfirm?.());
  };
  return (
    <form noValidate aria-label={title} onSubmit={submit}>
      <Text component="div">{children}</Text>
      {PasswordPart && password.isVisible && (
        <Box mt="md">
          <PasswordPart field={password} />
        </Box>
      )}
      {error && (
        <Text role="alert" c="var(--dh-loss)" mt="sm">
          {error}
        </Text>
      )}
      <RequestId message={error} />
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button
          variant="default"
          onClick={password.cancel}
          onMouseDown={(event) => event.preventDefault()}
          data-autofocus={!password.isVisible || undefined}
        >
          {cancelLabel}
        </Button>
        {onConfirm && (
          <Button
            type="submit"
            color={danger ? 'red' : undefined}
            loading={password.isBusy}
            onMouseDown={(event) => event.preventDefault()}
          >
            {confirmLabel}
          </Button>
        )}
      </Group>
    </form>
  );
}
