import { Button, Group, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { LeaveGuard } from './LeaveGuard.tsx';
import { PageHeader } from './PageHeader.tsx';
import { Refusal } from './Refusal.tsx';
import classes from './FormPage.module.css';
import { SubmitButton } from './SubmitButton.tsx';

interface FormPageProps {
  title: string;
  /** Whose form it is, beside the title. */
  of?: string;
  submitLabel: string;
  /** What the main button reads while the request is in flight. */
  busyLabel: string;
  busy: boolean;
  /** Something was typed that is not saved: leaving asks first. */
  dirty: boolean;
  onSubmit: FormEventHandler<HTMLFormElement>;
  onCancel: () => void;
  cancelLabel?: string;
  /** Why the last attempt failed; what was typed stays. */
  error?: string | null;
  /** Names the last attempt: the time it was sent. */
  attempt: number;
  /** When the error clears, in ms; null: it stays. */
  clearAfterMs?: number | null;
  children: ReactNode;
}

/** A page that is one form: one column, labels above, errors beneath, the main action first and Cancel beside it. */
export function FormPage(props: FormPageProps) {
  const { title, of, submitLabel, busyLabel, busy, dirty, onSubmit, onCancel } = props;
  const { cancelLabel = 'Cancel', error = null, attempt, clearAfterMs, children } = props;
  return (
    <>
      <PageHeader title={title} of={of} />
      <LeaveGuard when={dirty && !busy} />
      <form className={classes.form} onSubmit={onSubmit} noValidate aria-label={title}>
        <Stack gap="md">
          {children}
          <Refusal message={error} attempt={attempt} clearAfterMs={clearAfterMs} />
          <Group gap="xs">
            <SubmitButton disabled={busy}>{busy ? busyLabel : submitLabel}</SubmitButton>
            <Button variant="default" onClick={onCancel} onMouseDown={(event) => event.preventDefault()}>
              {cancelLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}
