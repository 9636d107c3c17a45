import { changePassword } from '@drawhouse/contract/auth/auth';
import { Alert, PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useFormCall } from '../../lib/useFormCall.ts';
import { useTimedMessage } from '../../lib/useTimedMessage.ts';
import { useUser } from '../../lib/useSession.ts';
import { commonTexts } from '../../commonTexts.ts';
import { CallForm } from '../../ui/CallForm.tsx';
import { SubmitButton } from '../../ui/SubmitButton.tsx';
import { EMPTY_PASSWORD_FORM, passwordErrors } from './passwordForm.ts';
import type { PasswordForm } from './passwordForm.ts';

const texts = commonTexts.profile;
const FIELDS = ['opass', 'npass', 'cpass'] as const;

/** A change ends all other sessions. */
export function ChangePasswordForm() {
  const { username } = useUser();
  const queries = useQueryClient();
  const form = useForm<PasswordForm>({
    mode: 'controlled',
    initialValues: EMPTY_PASSWORD_FORM,
    validate: (values) => passwordErrors(values).fields,
  });
  const [done, sayDone] = useTimedMessage();
  const change = useFormCall(form, {
    send: (body) => {
      sayDone(null);
      return call(changePassword, { body });
    },
    wholeError: (values) => passwordErrors(values).text,
    onDone: () => {
      sayDone(texts.changed);
      form.reset();
      return queries.invalidateQueries({ queryKey: [queryKeys.session, 'own'] });
    },
  });

  return (
    <CallForm
      label={texts.changePassword}
      call={change}
      foot={
        <>
          {done !== null && (
            <Alert color="green" variant="light">
              {done}
            </Alert>
          )}
          <div>
            <SubmitButton disabled={change.busy}>{texts.changePassword}</SubmitButton>
          </div>
        </>
      }
    >
      {/* Tells password managers the account. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      {FIELDS.map((name) => (
        <PasswordInput
          key={name}
          label={texts.fields[name]}
          autoComplete={name === 'opass' ? 'current-password' : 'new-password'}
          {...form.getInputProps(name)}
        />
      ))}
      <Text c="dimmed" size="sm">
        Wherever else you are signed in, you are signed out. Here you stay signed in.
      </Text>
    </CallForm>
  );
}
