import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FormCall } from '../lib/useFormCall.ts';
import { CallForm } from './CallForm.tsx';
import { PageHeader } from './PageHeader.tsx';
import classes from './FormPage.module.css';
import { SubmitButton } from './SubmitButton.tsx';

interface FormPageProps {
  title: string;
  /** Whose form it is, beside the title. */
  of?: string;
  call: FormCall;
  submitLabel: string;
  /** What the main button reads while the request is in flight. */
  busyLabel: string;
  onCancel: () => void;
  cancelLabel?: string;
  children: ReactNode;
}

/** A page that is one form: one column, labels above, errors beneath, the main action first and Cancel beside it. */
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
