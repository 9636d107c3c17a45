import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FormCall } from '../lib/useFormCall.ts';
import { CallForm } from './CallForm.tsx';
import { SubmitButton } from './SubmitButton.tsx';

interface DialogFormProps {
  /** Names the form. */
  label: string;
  call: FormCall;
  /** The verb of the button that sends it. */
  submit: string;
  /** It cannot be undone. */
  danger?: boolean;
  onCancel: () => void;
  children: ReactNode;
}

/** The form of a dialog: its fields, and beneath them Cancel and the button that sends it. Closing the dialog asks nothing. */
export function DialogForm({ label, call, submit, danger = false, onCancel, children }: DialogFormProps) {
  return (
    <CallForm
      label={label}
      call={call}
      guarded={false}
      foot={
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
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
