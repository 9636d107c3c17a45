import { PasswordInput, Button, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, type ChangeEvent, type Ref } from 'react';
import { confirmFactors } from '@drawhouse/contract/auth/factors';
import { ApiError } from '@drawhouse/session/api-client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useUser } from '../../lib/session/session.ts';
import { call, errorMessage } from '../../lib/server/api.ts';
import { signByPasskey } from '@drawhouse/session/passkeys';
import { confirmSelf } from '../../lib/session/sessionCalls.ts';
import { dialogTexts } from '../formTexts.ts';
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

interface FactorPartProps {
  input: TextInputProps & { ref: Ref<HTMLInputElement> };
  /** A passkey has confirmed the call, so no code is needed. */
  onConfirmed: () => void;
}

function FactorPart({ input, onConfirmed }: FactorPartProps) {
  // The challenge lasts five minutes, longer than most dialogs.
  const { data } = useQuery({
    queryKey: ['confirm by factor'],
    queryFn: () => call(confirmFactors, {}),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const sign = useMutation({
    mutationFn: async () => confirmSelf({ passkey: await signByPasskey(data!.passkey!), challenge: data!.challenge }),
    onSuccess: onConfirmed,
  });
  const failure = sign.error && (sign.error instanceof ApiError ? errorMessage(sign.error) : dialogTexts.passkeyFailed);
  return (
    <Stack gap="xs">
      <TextInput
        {...input}
        error={input.error ?? failure}
        label={dialogTexts.yourCode}
        description={sign.isSuccess ? dialogTexts.passkeyDone : dialogTexts.whyCode}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
      />
      {data?.passkey && !sign.isSuccess && (
        <div>
          <Button variant="default" loading={sign.isPending} onClick={() => sign.mutate()}>
            {dialogTexts.byPasskey}
          </Button>
        </div>
      )}
    </Stack>
  );
}
