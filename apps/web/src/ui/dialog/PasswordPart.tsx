import { PasswordInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ChangeEvent } from 'react';
import { useUser } from '../../lib/session/session.ts';
import { FactorPart } from './FactorPart.tsx';
import { dialogTexts } from './dialogTexts.ts';
import type { PasswordField } from './useDialogPassword.ts';

export function PasswordPart({ field }: { field: PasswordField }) {
  const { value, error, isLocked, isAwaited, change, accept } = field;
  const { username, secondFactor } = useUser();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isAwaited || error !== null) input.current?.focus();
  }, [isAwaited, error]);
  const props = {
    ref: input,
    // Stays focused, unlike a disabled one.
    readOnly: isLocked,
    value,
    error,
    onChange: (event: ChangeEvent<HTMLInputElement>) => change(event.currentTarget.value),
    'data-autofocus': true,
  };
  if (secondFactor) return <FactorPart input={props} onConfirmed={accept} />;
  return (
    <>
      {/* Tells password managers the account. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput
        {...props}
        label={dialogTexts.yourPassword}
        description={dialogTexts.whyPassword}
        autoComplete="current-password"
      />
    </>
  );
}
