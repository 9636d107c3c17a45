import { newPassword } from '@drawhouse/contract/accounts/accounts';
import { acceptInvitation, readInvitation } from '@drawhouse/contract/auth/invitations';
import { Alert, Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { schemaErrors } from '../../lib/form/schemaErrors.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { formatDateTime } from '../../lib/format/format.ts';
import { SIGN_IN_PATH } from '../../lib/paths.ts';
import { call, errorMessage } from '../../lib/server/api.ts';
import { CallForm, focusOnArrival, SubmitButton } from '../../ui/form/CallForm.tsx';
import { AuthPage } from './AuthPage.tsx';
import { rememberUsername } from '@drawhouse/session/session-storage';
import classes from './AuthPage.module.css';
import { authTexts } from './authTexts.ts';

const texts = authTexts.invitation;

/** The secret follows `#`, so no server or proxy logs it. */
const INVITATION = window.location.hash.slice(1);

/** Entered and left by a full load. */
export function InvitationPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation'],
    queryFn: () => call(readInvitation, { body: { invitation: INVITATION } }),
    staleTime: Infinity,
    retry: false,
  });
  return (
    <AuthPage title={texts.title}>
      <Title order={2} className={classes.invitation}>
        {texts.title}
      </Title>
      {error && (
        <Stack gap="md">
          <Alert color="red">{errorMessage(error)}</Alert>
          <Button variant="default" onClick={() => void refetch()}>
            {texts.tryAgain}
          </Button>
          <SignInLink />
        </Stack>
      )}
      {data && <Choice {...data} />}
    </AuthPage>
  );
}

function SignInLink() {
  return (
    <a href={SIGN_IN_PATH} className={classes.welcome}>
      {texts.signIn}
    </a>
  );
}

interface ChoiceProps {
  username: string;
  name: string | null;
  expiresAt: string;
}

function Choice({ username, name, expiresAt }: ChoiceProps) {
  const form = useForm({
    initialValues: { password: '', again: '' },
    validate: (values): Record<string, string> =>
      values.password === values.again
        ? schemaErrors(z.object({ password: newPassword }), values)
        : { again: texts.differ },
  });
  const choose = useFormCall(form, {
    send: ({ password }) => call(acceptInvitation, { body: { invitation: INVITATION, password } }),
    onDone: (answer) => rememberUsername(answer.username),
  });
  if (choose.answer)
    return (
      <Stack gap="md">
        <Alert color="green">{choose.answer.message}</Alert>
        <Button component="a" href={SIGN_IN_PATH} fullWidth ref={focusOnArrival}>
          {texts.signIn}
        </Button>
      </Stack>
    );
  return (
    <CallForm
      label={texts.title}
      call={choose}
      guarded={false}
      foot={
        <SubmitButton fullWidth aria-disabled={choose.busy} data-busy={choose.busy || undefined}>
          {texts.submit}
        </SubmitButton>
      }
    >
      <Text c="dimmed">{texts.until(name, formatDateTime(expiresAt))}</Text>
      <TextInput label={texts.username} value={username} readOnly variant="filled" autoComplete="username" />
      <PasswordInput
        label={texts.password}
        autoComplete="new-password"
        ref={focusOnArrival}
        {...form.getInputProps('password')}
      />
      <PasswordInput label={texts.again} autoComplete="new-password" {...form.getInputProps('again')} />
    </CallForm>
  );
}
