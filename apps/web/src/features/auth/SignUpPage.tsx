import { signup } from '@drawhouse/contract/auth';
import { Alert, Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { ApiError, call, formErrorMessage } from '../../lib/api.ts';
import { SIGN_IN_PATH } from '../../lib/paths.ts';
import { schemaErrors } from '../../lib/schemaErrors.ts';
import { useOneAtATime } from '../../lib/useOneAtATime.ts';
import { firstMessages } from '../../firstMessages.ts';
import { focusFirstError } from '../../ui/focusFirstError.ts';
import { focusOnArrival } from '../../ui/focusOnArrival.ts';
import { PathLink } from '../../ui/PathLink.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { SubmitButton } from '../../ui/SubmitButton.tsx';
import { AuthPage } from './AuthPage.tsx';
import { CredentialFields } from './CredentialFields.tsx';
import { rememberUsername } from './rememberedUsername.ts';

const texts = firstMessages.auth;

/** Makes a player's account where the house lets people sign up by themselves, and leads on to the sign-in. */
export function SignUpPage() {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '' },
    validateInputOnBlur: true,
    validate: (values) => schemaErrors(signup.body!, values),
  });
  const signUp = useMutation({
    mutationFn: (body: { username: string; password: string }) => call(signup, { body }),
    onSuccess: (answer) => rememberUsername(answer.data.username),
    onError: (error) => {
      if (!(error instanceof ApiError) || !error.fields) return;
      form.setErrors(error.fields);
      focusFirstError(form, error.fields);
    },
  });
  const send = useOneAtATime(signUp);
  const failure = formErrorMessage(signUp.error, Object.keys(form.getValues()));

  if (signUp.isSuccess) {
    return (
      <AuthPage title={texts.signUp}>
        <Stack gap="md">
          <Alert color="green">
            {`Your account ${signUp.data.data.username} is there. Sign in with the password you have chosen.`}
          </Alert>
          <Button component={PathLink} href={SIGN_IN_PATH} fullWidth ref={focusOnArrival}>
            {texts.login}
          </Button>
        </Stack>
      </AuthPage>
    );
  }
  return (
    <AuthPage title={texts.signUp}>
      <form
        noValidate
        aria-label={texts.signUp}
        onSubmit={form.onSubmit(
          ({ username, password }) => {
            send({ username: username.trim(), password });
          },
          (errors) => focusFirstError(form, errors),
        )}
      >
        <Stack gap="md">
          <CredentialFields form={form} password="new-password" />
          <Refusal message={failure} attempt={signUp.submittedAt} />
          <SubmitButton fullWidth aria-disabled={signUp.isPending} data-busy={signUp.isPending || undefined}>
            {texts.signUp}
          </SubmitButton>
        </Stack>
      </form>
    </AuthPage>
  );
}
