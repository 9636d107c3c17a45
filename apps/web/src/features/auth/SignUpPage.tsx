import { signup } from '@drawhouse/contract/auth/auth';
import { Alert, Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { call } from '../../lib/server/api.ts';
import { SIGN_IN_PATH } from '../../lib/paths.ts';
import { schemaErrors } from '../../lib/form/schemaErrors.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { firstTexts } from '../../firstTexts.ts';
import { focusOnArrival, CallForm, SubmitButton } from '../../ui/form/CallForm.tsx';
import { PathLink } from '../../ui/page/PathLink.tsx';
import { AuthPage, CredentialFields } from './AuthPage.tsx';
import { rememberUsername } from '@drawhouse/session/session-storage';
import { authTexts } from './authTexts.ts';

const texts = firstTexts.auth;

export function SignUpPage() {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '' },
    validateInputOnBlur: true,
    validate: (values) => schemaErrors(signup.body!, values),
  });
  const signUp = useFormCall(form, {
    send: ({ username, password }) => call(signup, { body: { username: username.trim(), password } }),
    onDone: ({ data }) => rememberUsername(data.username),
  });

  if (signUp.answer) {
    return (
      <AuthPage title={texts.signUp}>
        <Stack gap="md">
          <Alert color="green">{authTexts.yourAccountIsReady(signUp.answer.data.username)}</Alert>
          <Button component={PathLink} href={SIGN_IN_PATH} fullWidth ref={focusOnArrival}>
            {texts.login}
          </Button>
        </Stack>
      </AuthPage>
    );
  }
  return (
    <AuthPage title={texts.signUp}>
      <CallForm
        label={texts.signUp}
        call={signUp}
        guarded={false}
        foot={
          <SubmitButton fullWidth aria-disabled={signUp.busy} data-busy={signUp.busy || undefined}>
            {texts.signUp}
          </SubmitButton>
        }
      >
        <CredentialFields form={form} password="new-password" />
      </CallForm>
    </AuthPage>
  );
}
