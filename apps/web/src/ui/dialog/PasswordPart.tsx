import { PasswordInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useUser } from '../../lib/session/session.ts';
import { dialogTexts } from './dialogTexts.ts';
import type { PasswordField } from './useDialogPassword.ts';

export function PasswordPart({ field }: { field: PasswordField }) {
  const { value, error, isLocked, isAwaited, change } = field;
  const { username } = useUser();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isAwaited || error !== null) input.current?.focus();
  }, [isAwaited, error]);
  return (
    <>
      {/* Tells password managers the account. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput
        ref={input}
        label={dialogTexts.yourPassword}
        description={dialogTexts.whyPassword}
        autoComplete="current-password"
        // Stays focused, unlike a disabled one.
        readOnly={isLocked}
        value={value}
        error={error}
        onChange={(event) => change(event.currentTarget.value)}
        data-autofocus
      />
    </>
  );
}
