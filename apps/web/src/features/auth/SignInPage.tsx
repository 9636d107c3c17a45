import { Alert, Checkbox, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call, errorMessage } from '../../lib/api.ts';
import { homePath } from '../../lib/paths.ts';
import { getSessionEnd, startSession } from '../../lib/session.ts';
import { useGo } from '../../lib/useGo.ts';
import { useOneAtATime } from '../../lib/useOneAtATime.ts';
import { firstMessages, LEAVE_AFTER_MS } from '../../firstMessages.ts';
import { focusFirstError } from '../../ui/focusFirstError.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { SubmitButton } from '../../ui/SubmitButton.tsx';
import { AuthPage } from './AuthPage.tsx';
import { CredentialFields } from './CredentialFields.tsx';
import { loadRules, wrongFields } from './loadRules.ts';
import { rememberedUsername, rememberUsername } from './rememberedUsername.ts';
import classes from './AuthPage.module.css';

const texts = firstMessages.auth;

/** The sign-in. After success it waits a second, then leads to the page that was asked for, or the role's start. */
export function SignInPage({ redirect }: { redirect: string | undefined }) {
  const go = useGo();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: rememberedUsername(), password: '', remember: rememberedUsername() !== '' },
    validateInputOnBlur: true,
    validate: (values) => wrongFields(values),
  });
  const signIn = useMutation({
    mutationFn: async (body: { username: string; password: string }) =>
      call((await loadRules()).login, { body }, { fallback: texts.failed }),
    onSuccess: (answer, body) => {
      rememberUsername(form.getValues().remember ? body.username : '');
      setTimeout(() => {
        startSession(answer.token, answer.expiresAt, answer.user);
        const own = `/${answer.roles}/`;
        go.replace(redirect?.startsWith(own) && answer.roles !== 'user' ? redirect : homePath(answer.roles));
      }, LEAVE_AFTER_MS);
    },
  });
  const send = useOneAtATime(signIn);
  const busy = signIn.isPending || signIn.isSuccess;
  const ended = getSessionEnd();
  const page = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const first = rememberedUsername() === '' ? 'username' : 'password';
    page.current?.querySelector<HTMLInputElement>(`[data-path="${first}"]`)?.focus();
  }, []);

  return (
    <AuthPage title={texts.login}>
      <form
        ref={page}
        noValidate
        aria-label={texts.login}
        onSubmit={form.onSubmit(
          ({ username, password }) => {
            if (!busy) send({ username: username.trim(), password });
          },
          (errors) => focusFirstError(form, errors),
        )}
      >
        <Stack gap="md">
          {(ended === 'ended' || ended === 'replaced') && signIn.isIdle && (
            <Alert color="yellow">{ended === 'ended' ? texts.sessionEnded : texts.sessionReplaced}</Alert>
          )}
          <CredentialFields form={form} password="current-password" />
          <Checkbox
            label={texts.rememberMe}
            key={form.key('remember')}
            {...form.getInputProps('remember', { type: 'checkbox' })}
          />
          <Refusal message={signIn.error && errorMessage(signIn.error, texts.error)} attempt={signIn.submittedAt} />
          <SubmitButton fullWidth aria-disabled={busy} data-busy={busy || undefined}>
            {busy ? texts.loggingIn : texts.login}
          </SubmitButton>
          <output className={classes.success}>{signIn.isSuccess && texts.success}</output>
        </Stack>
      </form>
    </AuthPage>
  );
}
