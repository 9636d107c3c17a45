import { Alert } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import type { login } from '@drawhouse/contract/auth/auth';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { challengeIn, keepElevation } from '@drawhouse/session/api-client';
import { call, errorMessage } from '../../lib/server/api.ts';
import { useSignOutReason, getSessionEnd, startSession } from '../../lib/session/session.ts';
import { homePath, WELCOME_PATH } from '../../lib/paths.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { lazyPage } from '../../lib/lazyParts.ts';
import { go } from '../../lib/navigation.ts';
import { firstTexts, LEAVE_AFTER_MS } from '../../firstTexts.ts';
import { CallForm, SubmitButton } from '../../ui/form/CallForm.tsx';
import { TickBox } from '../../ui/form/Choices.tsx';
import { AuthPage, CredentialFields, keepTypedPassword, withRole } from './AuthPage.tsx';
import { rememberedUsername, rememberUsername } from '@drawhouse/session/session-storage';
import classes from './AuthPage.module.css';
import { pingServer } from '@drawhouse/session/server-reach';

const texts = firstTexts.auth;

const SecondStep = lazyPage(async () => (await import('./SecondStep.tsx')).SecondStep);

interface SignInPageProps {
  redirect: string | undefined;
  isFromNowhere: boolean;
}

/** Waits a second, then opens the requested page or the role's home. */
export function SignInPage({ redirect, isFromNowhere }: SignInPageProps) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: rememberedUsername(), password: '', remember: rememberedUsername() !== '' },
    validateInputOnBlur: true,
    validate: (values) => wrongFields(values),
  });
  const [playNotice, setPlayNotice] = useState<string>();
  const [challenge, setChallenge] = useState<string>();
  const onSignedIn = (answer: RouteAnswer<typeof login>): void => {
    const { username, password, remember } = form.getValues();
    if (answer.user.mustChangePassword) keepTypedPassword(password);
    setPlayNotice(answer.notice);
    rememberUsername(remember ? username.trim() : '');
    setTimeout(() => enter(answer, redirect), LEAVE_AFTER_MS);
  };
  const signIn = useFormCall(form, {
    send: async ({ username, password }) => {
      const { login } = await loadRules();
      const body = { username: username.trim(), password, elevation: true };
      return withRole(await call(login, { body }, { fallback: texts.failed }));
    },
    onDone: onSignedIn,
    onRefused: (error) => setChallenge(challengeIn(error)),
    refusalText: (error) => errorMessage(error, texts.error),
    // A sign-in is safe to repeat.
    doubtText: () => null,
    leaves: true,
  });
  const { busy, status } = signIn;
  const focusFirst = useEffectEvent(() => {
    form.getInputNode(rememberedUsername() === '' ? 'username' : 'password')?.focus();
  });
  useEffect(() => focusFirst(), []);

  const notice = useNotice(isFromNowhere);
  if (challenge !== undefined)
    return (
      <AuthPage title={texts.login}>
        {playNotice !== undefined && <Alert color="yellow">{playNotice}</Alert>}
        <Suspense>
          <SecondStep challenge={challenge} onDone={onSignedIn} onBack={() => setChallenge(undefined)} />
        </Suspense>
      </AuthPage>
    );
  return (
    <AuthPage title={texts.login}>
      <CallForm
        label={texts.login}
        call={signIn}
        guarded={false}
        foot={
          <>
            <SubmitButton fullWidth aria-disabled={busy} data-busy={busy || undefined}>
              {busy ? texts.loggingIn : texts.login}
            </SubmitButton>
            <output className={classes.success}>{status === 'success' && texts.success}</output>
            <div role="presentation" onMouseDown={(event) => event.preventDefault()}>
              <a href="/help" className={classes.welcome}>
                {texts.forgot}
              </a>
              <a href={WELCOME_PATH} className={classes.welcome}>
                {texts.welcome}
              </a>
            </div>
          </>
        }
      >
        {playNotice !== undefined && <Alert color="yellow">{playNotice}</Alert>}
        {notice && status === 'idle' && <Alert color="yellow">{notice}</Alert>}
        <CredentialFields form={form} password="current-password" />
        <TickBox
          label={texts.rememberMe}
          key={form.key('remember')}
          {...form.getInputProps('remember', { type: 'checkbox' })}
        />
      </CallForm>
    </AuthPage>
  );
}

function enter(answer: RouteAnswer<typeof login>, redirect: string | undefined): void {
  keepElevation(answer.token, answer.elevation, Date.now());
  startSession(answer.token, answer.expiresAt, answer.user);
  // `App` redirects players to their own pages.
  if (answer.roles === 'user') return;
  go.replace(redirect?.startsWith(`/${answer.roles}/`) ? redirect : homePath(answer.roles));
}

function useNotice(isFromNowhere: boolean): string | false {
  const reason = useSignOutReason();
  if (reason !== null) return reason;
  const ended = getSessionEnd();
  if (ended === 'ended') return texts.sessionEnded;
  return ended === 'replaced' ? texts.sessionReplaced : isFromNowhere && texts.nowhere;
}

export const loadRules = () =>
  import('./signInRules.ts').catch((error: unknown) => {
    // The chunk may belong to an old release.
    void pingServer();
    throw error;
  });

/** Returns no errors if the rules fail to load: the server validates too. */
async function wrongFields(values: unknown): Promise<Record<string, string>> {
  const rules = await loadRules().catch(() => null);
  return rules ? rules.schemaErrors(rules.login.body!, values) : {};
}
