import { Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ReactNode } from 'react';
import type { FormCall } from '../lib/useFormCall.ts';
import { Refusal } from './Refusal.tsx';

// Lazy: it needs the router, which signed-out pages do without.
const LeaveGuard = lazy(async () => ({ default: (await import('./LeaveGuard.tsx')).LeaveGuard }));

interface CallFormProps {
  label: string;
  call: FormCall;
  children: ReactNode;
  foot: ReactNode;
  guarded?: boolean;
  className?: string;
}

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
