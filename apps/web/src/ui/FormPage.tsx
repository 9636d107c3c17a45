import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FormCall } from '../lib/useFormCall.ts';
import { CallForm } from './CallForm.tsx';
import { PageHeader } from './PageHeader.tsx';
import classes from './FormPage.module.css';
import { SubmitButton } from './SubmitButton.tsx';

interface FormPageProps {
  title: string;
  of?: string;
  call: FormCall;
  submitLabel: string;
  busyLabel: string;
  onCancel: () => void;
  cancelLabel?: string;
  children: ReactNode;
}

export function FormPage(props: FormPageProps) {
  const { title, of, call, submitLabel, busyLabel, onCancel, cancelLabel = 'Cancel', children } = props;
  return (
    <>
      <PageHeader title={title} of={of} />
      <CallForm
        className={classes.form}
        label={title}
        call={call}
        foot={
          <Group gap="xs">
            <SubmitButton disabled={call.busy}>{call.busy ? busyLabel : submitLabel}</SubmitButton>
            <Button variant="default" onClick={onCancel} onMouseDown={(event) => event.preventDefault()}>
              {cancelLabel}
            </Button>
          </Group>
        }
      >
        {children}
      </CallForm>
    </>
  );
}
