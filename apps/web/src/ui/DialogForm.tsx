import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FormCall } from '../lib/useFormCall.ts';
import { CallForm } from './CallForm.tsx';
import { SubmitButton } from './SubmitButton.tsx';

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
