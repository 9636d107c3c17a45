import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FormCall } from '../../lib/form/useFormCall.ts';
import type { ConfirmedCall } from '../../lib/session/confirmation.ts';
import { CallForm, SubmitButton } from '../form/CallForm.tsx';
import { usePasswordPart } from './Dialog.tsx';
import classes from './DialogForm.module.css';
import { dialogTexts } from '../formTexts.ts';
import { useDialogPassword } from './useDialogPassword.ts';

interface DialogFormProps {
  label: string;
  call: FormCall;
  submit: string;
  danger?: boolean;
  /** Route of the call, if it may need the password: then asks for it. */
  confirms?: ConfirmedCall | undefined;
  onCancel: () => void;
  children: ReactNode;
}

/** Closing never asks about unsaved input. */
export function DialogForm({ label, call, submit, danger = false, confirms, onCancel, children }: DialogFormProps) {
  const { busy } = call;
  const password = useDialogPassword({ opened: true, confirms, busy, onClose: onCancel });
  const PasswordPart = usePasswordPart(password.isVisible)?.PasswordPart;
  const send: FormCall['submit'] = (event) => {
    event?.preventDefault();
    if (password.isAwaited) password.resume();
    else call.submit(event, password.confirm);
  };
  return (
    <CallForm
      label={label}
      call={{ ...call, submit: send }}
      guarded={false}
      foot={
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={password.cancel} data-autofocus>
            {dialogTexts.cancel}
          </Button>
          <SubmitButton loading={password.isBusy} {...(danger && { color: 'red' })}>
            {submit}
          </SubmitButton>
        </Group>
      }
    >
      {children}
      {PasswordPart && password.isVisible && <PasswordPart field={password} />}
    </CallForm>
  );
}

interface DialogListProps {
  label: string;
  children: ReactNode;
}

export function DialogList({ label, children }: DialogListProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <ul className={classes.list} aria-label={label} tabIndex={0}>
      {children}
    </ul>
  );
}

export function RefusedRow({ children }: { children: ReactNode }) {
  return <span className={classes.refused}>{children}</span>;
}
