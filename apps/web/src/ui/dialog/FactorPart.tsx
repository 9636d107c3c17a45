import { confirmFactors } from '@drawhouse/contract/auth/factors';
import { ApiError } from '@drawhouse/session/api-client';
import { Button, Stack, TextInput } from '@mantine/core';
import type { TextInputProps } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Ref } from 'react';
import { call, errorMessage } from '../../lib/server/api.ts';
import { signByPasskey } from '../../lib/session/passkeys.ts';
import { confirmSelf } from '../../lib/session/sessionCalls.ts';
import { dialogTexts } from './dialogTexts.ts';

interface FactorPartProps {
  input: TextInputProps & { ref: Ref<HTMLInputElement> };
  /** A passkey has confirmed the call, so no code is needed. */
  onConfirmed: () => void;
}

export function FactorPart({ input, onConfirmed }: FactorPartProps) {
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
