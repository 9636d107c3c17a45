import { changePassword } from '@drawhouse/contract/auth';
import { Alert, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call, formErrorMessage } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useUser } from '../../lib/useSession.ts';
import { useOneAtATime } from '../../lib/useOneAtATime.ts';
import { messages } from '../../messages.ts';
import { focusFirstError } from '../../ui/focusFirstError.ts';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { SubmitButton } from '../../ui/SubmitButton.tsx';
import { EMPTY_PASSWORD_FORM, passwordErrors } from './passwordForm.ts';
import type { PasswordForm } from './passwordForm.ts';

const texts = messages.profile;
const FIELDS = ['opass', 'npass', 'cpass'] as const;

/** A new own password: the old one, the new one, and the new one once more. The other sessions end with it. */
export function ChangePasswordForm() {
  const { role, username } = useUser();
  const queries = useQueryClient();
  const [text, setText] = useState<string | null>(null);
  const [attempts, setAttempts] = useState(0);
  const form = useForm<PasswordForm>({ mode: 'controlled', initialValues: EMPTY_PASSWORD_FORM });
  const change = useMutation({
    mutationFn: (body: PasswordForm) => call(changePassword, { body }),
    onSuccess: () => {
      form.reset();
      return queries.invalidateQueries({ queryKey: [queryKeys.session, 'own'] });
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || !error.fields) return;
      form.setErrors(error.fields);
      focusFirstError(form, error.fields);
    },
  });
  const send = useOneAtATime(change);
  const failure = text ?? formErrorMessage(change.error, FIELDS);

  function submit(values: PasswordForm) {
    if (change.isPending) return;
    change.reset();
    const errors = passwordErrors(role, values);
    setText(errors.text);
    setAttempts((before) => before + 1);
    form.setErrors(errors.fields);
    if (Object.keys(errors.fields).length === 0) send(values);
    else focusFirstError(form, errors.fields);
  }

  return (
    <form noValidate aria-label={texts.changePassword} onSubmit={form.onSubmit(submit)}>
      <LeaveGuard when={form.isDirty() && !change.isPending} />
      <Stack gap="md">
        {/* Tells a password manager whose password it is. */}
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
        <Refusal message={failure} attempt={attempts + change.submittedAt} />
        {change.isSuccess && (
          <Alert color="green" variant="light">
            {texts.changed}
          </Alert>
        )}
        <div>
          <SubmitButton disabled={change.isPending}>{texts.changePassword}</SubmitButton>
        </div>
      </Stack>
    </form>
  );
}
