import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FormCall } from '../../lib/form/useFormCall.ts';
import { CallForm, SubmitButton } from './CallForm.tsx';
import classes from './DialogForm.module.css';
import { formTexts } from './formTexts.ts';

interface DialogFormProps {
  label: string;
  call: FormCall;
  submit: string;
  danger?: boolean;
  onCancel: () => void;
  children: ReactNode;
}

/** Closing the dialog never asks about unsaved input. */
export function DialogForm({ label, call, submit, danger = false, onCancel, children }: DialogFormProps) {
  return (
    <CallForm
      label={label}
      call={call}
      guarded={false}
      foot={
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {formTexts.cancel}
          </Button>
          <SubmitButton loading={call.busy} {...(danger && { color: 'red' })}>
            {submit}
          </SubmitButton>
        </Group>
      }
    >
      {children}
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
