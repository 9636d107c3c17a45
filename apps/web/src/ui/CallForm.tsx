import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FormCall } from '../lib/useFormCall.ts';
import { LeaveGuard } from './LeaveGuard.tsx';
import { Refusal } from './Refusal.tsx';

interface CallFormProps {
  /** Names the form. */
  label: string;
  call: FormCall;
  /** The fields. */
  children: ReactNode;
  /** What stands beneath the fields and the refusal: the buttons. */
  foot: ReactNode;
  /** Leaving asks first while something typed would be lost. */
  guarded?: boolean;
  className?: string;
}

/** A form with one call: one column, why it was refused above its buttons, and the guard of what was typed. */
export function CallForm({ label, call, children, foot, guarded = true, className }: CallFormProps) {
  return (
    <form className={className} onSubmit={call.submit} noValidate aria-label={label}>
      {guarded && <LeaveGuard when={call.unsaved} />}
      <Stack gap="md">
        {children}
        <Refusal {...call.refusal} />
        {foot}
      </Stack>
    </form>
  );
}
