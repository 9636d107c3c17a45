import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FormCall } from '../../lib/form/useFormCall.ts';
import { CallForm, SubmitButton } from './CallForm.tsx';
import { PageHeader } from '../page/PageHeader.tsx';
import classes from '../page/PageHeader.module.css';

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
