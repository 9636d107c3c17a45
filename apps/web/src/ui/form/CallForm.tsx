import { Alert, Button, Stack, type ButtonProps } from '@mantine/core';
import { Suspense, type ComponentProps, type ComponentPropsWithoutRef, type ReactNode } from 'react';
import type { FormCall } from '../../lib/form/useFormCall.ts';
import { lazyExtra } from '../../lib/lazyParts.ts';
import { Refusal } from './Refusal.tsx';

// Signed-out pages need no dialogs.
const LeaveGuard = lazyExtra(async () => (await import('./LeaveGuard.tsx')).LeaveGuard);

interface CallFormProps extends Pick<ComponentProps<'form'>, 'ref' | 'onBlurCapture'> {
  label: string;
  call: FormCall;
  children: ReactNode;
  foot: ReactNode;
  guarded?: boolean;
  className?: string | undefined;
}

export function CallForm({ label, call, children, foot, guarded = true, ...rest }: CallFormProps) {
  return (
    <form {...rest} onSubmit={call.submit} noValidate aria-label={label}>
      <Suspense>{guarded && <LeaveGuard when={call.unsaved} />}</Suspense>
      <Stack gap="md">
        {children}
        <Refusal {...call.refusal} />
        {foot}
      </Stack>
    </form>
  );
}

/** Keeps focus in the field when pressed: a message on blur would move the button from under the pointer. */
export function SubmitButton(props: ButtonProps & Omit<ComponentPropsWithoutRef<'button'>, 'type' | 'onMouseDown'>) {
  return <Button {...props} type="submit" onMouseDown={(event) => event.preventDefault()} />;
}

interface DoneFootProps {
  done: string | null;
  busy: boolean;
  submit: string;
}

/** The button, below the outcome of the last call. For forms that stay. */
export function DoneFoot({ done, busy, submit }: DoneFootProps) {
  return (
    <>
      {done !== null && (
        <Alert color="green" variant="light">
          {done}
        </Alert>
      )}
      <div>
        <SubmitButton disabled={busy}>{submit}</SubmitButton>
      </div>
    </>
  );
}

/** Works as a stable `ref`, for replacements of focused content. */
export function focusOnArrival(node: HTMLElement | null): void {
  node?.focus();
}

/** For replacements of a whole page, which start at their top. */
export function focusOnNewPage(node: HTMLElement | null): void {
  node?.focus({ preventScroll: true });
  node?.closest('main')?.scrollTo(0, 0);
}
