import { Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ReactNode } from 'react';
import type { FormCall } from '../lib/useFormCall.ts';
import { Refusal } from './Refusal.tsx';

// It asks by the router, which the forms of those who are not signed in do without.
const LeaveGuard = lazy(async () => ({ default: (await import('./LeaveGuard.tsx')).LeaveGuard }));

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
      <Suspense>{guarded && <LeaveGuard when={call.unsaved} />}</Suspense>
      <Stack gap="md">
        {children}
        <Refusal {...call.refusal} />
        {foot}
      </Stack>
    </form>
  );
}
