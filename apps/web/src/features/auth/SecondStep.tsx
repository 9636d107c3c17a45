import type { login } from '@drawhouse/contract/auth/auth';
import { finishSignIn, signInFactors } from '@drawhouse/contract/auth/factors';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { firstTexts } from '../../firstTexts.ts';
import { schemaErrors } from '../../lib/form/schemaErrors.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { call, errorMessage } from '../../lib/server/api.ts';
import { signByPasskey } from '@drawhouse/session/passkeys';
import { CallForm, focusOnArrival, SubmitButton } from '../../ui/form/CallForm.tsx';
import { TickBox } from '../../ui/form/Choices.tsx';
import { withRole } from './AuthPage.tsx';
import classes from './AuthPage.module.css';
import { authTexts as texts } from './authTexts.ts';

interface SecondStepProps {
  challenge: string;
  onDone: (answer: RouteAnswer<typeof login>) => void;
  onBack: () => void;
}

export function SecondStep(props: SecondStepProps) {
  const [way, setWay] = useState<'any' | 'app' | 'recovery'>('any');
  const { challenge } = props;
  // Shows the form meanwhile: most people use an app.
  const { data } = useQuery({
    queryKey: ['second step', challenge],
    queryFn: () => call(signInFactors, { body: { challenge } }),
    staleTime: Infinity,
    retry: false,
  });
  const hasApp = data?.kinds.includes('app') ?? true;
  const [isKept, setKept] = useState(false);
  const mayRemember = data?.mayRemember ?? false;
  const remembers = { remember: mayRemember && isKept };
  const choice = mayRemember && (
    <TickBox label={texts.remember} checked={isKept} onChange={({ currentTarget }) => setKept(currentTarget.checked)} />
  );
  if (data?.passkey && way === 'any')
    return (
      <PasskeyStep
        {...props}
        {...remembers}
        choice={choice}
        options={data.passkey}
        onSwitch={() => setWay(hasApp ? 'app' : 'recovery')}
      />
    );
  const isRecovery = way === 'recovery' || !hasApp;
  const onSwitch = hasApp ? () => setWay(isRecovery ? 'app' : 'recovery') : undefined;
  const shown = { isRecovery, onSwitch, choice, ...remembers };
  return <CodeForm key={String(isRecovery)} {...props} {...shown} />;
}

interface Remembering {
  remember: boolean;
  choice: ReactNode;
}

interface PasskeyStepProps extends SecondStepProps, Remembering {
  options: Readonly<Record<string, unknown>>;
  onSwitch: () => void;
}

function PasskeyStep({ challenge, remember, choice, options, onDone, onBack, onSwitch }: PasskeyStepProps) {
  const sign = useMutation({
    mutationFn: async () => {
      const passkey = await signByPasskey(options);
      return withRole(await call(finishSignIn, { body: { challenge, passkey, remember } }));
    },
    onSuccess: onDone,
  });
  return (
    <Stack gap="md">
      <Text>{texts.passkeyHelp}</Text>
      {sign.error && <Alert color="red">{errorMessage(sign.error, texts.passkeyFailed)}</Alert>}
      {choice}
      <Button fullWidth ref={focusOnArrival} loading={sign.isPending || sign.isSuccess} onClick={() => sign.mutate()}>
        {texts.byPasskey}
      </Button>
      <Group justify="space-between" gap="xs">
        <Button variant="subtle" size="compact-sm" onClick={onSwitch}>
          {texts.byCode}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={onBack}>
          {texts.backToPassword}
        </Button>
      </Group>
    </Stack>
  );
}

interface CodeFormProps extends SecondStepProps, Remembering {
  isRecovery: boolean;
  onSwitch: (() => void) | undefined;
}

function CodeForm({ challenge, remember, choice, isRecovery, onDone, onBack, onSwitch }: CodeFormProps) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { code: '' },
    validate: ({ code }) => schemaErrors(finishSignIn.body!, { challenge, code }),
  });
  const finish = useFormCall(form, {
    send: async ({ code }) => withRole(await call(finishSignIn, { body: { challenge, code, remember } })),
    onDone,
    refusalText: (error) => errorMessage(error, firstTexts.auth.error),
    doubtText: () => null,
    leaves: true,
  });
  const focusCode = useEffectEvent(() => form.getInputNode('code')?.focus());
  useEffect(() => focusCode(), []);
  const { busy, status } = finish;
  return (
    <CallForm
      label={firstTexts.auth.login}
      call={finish}
      guarded={false}
      foot={
        <>
          <SubmitButton fullWidth aria-disabled={busy} data-busy={busy || undefined}>
            {busy ? firstTexts.auth.loggingIn : firstTexts.auth.login}
          </SubmitButton>
          <output className={classes.success}>{status === 'success' && firstTexts.auth.success}</output>
          <Group justify="space-between" gap="xs">
            {onSwitch && (
              <Button variant="subtle" size="compact-sm" onClick={onSwitch}>
                {isRecovery ? texts.byApp : texts.byRecoveryCode}
              </Button>
            )}
            <Button variant="subtle" size="compact-sm" onClick={onBack}>
              {texts.backToPassword}
            </Button>
          </Group>
        </>
      }
    >
      <TextInput
        label={isRecovery ? texts.recoveryCode : texts.appCode}
        description={isRecovery ? texts.recoveryCodeHelp : texts.appCodeHelp}
        autoComplete="one-time-code"
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoCapitalize="none"
        spellCheck={false}
        key={form.key('code')}
        {...form.getInputProps('code')}
      />
      {choice}
    </CallForm>
  );
}
