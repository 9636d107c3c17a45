import { changePassword } from '@drawhouse/contract/auth/auth';
import { PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { call } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { useTimedMessage } from '../../lib/form/timedMessage.ts';
import { useUser } from '../../lib/session/session.ts';
import { commonTexts } from '../../commonTexts.ts';
import { CallForm, DoneFoot, focusOnArrival } from '../../ui/form/CallForm.tsx';
import { newPassword } from '@drawhouse/contract/accounts/accounts';
import * as z from 'zod/mini';
import { schemaErrors } from '../../lib/form/schemaErrors.ts';
import { profileTexts } from './profileTexts.ts';

const texts = commonTexts.profile;
const FIELDS = ['opass', 'npass', 'cpass'] as const;

interface ChangePasswordFormProps {
  /** If given, the form does not ask for it. */
  oldPassword?: string | undefined;
  /** Set by a page that has only this form. */
  onChanged?: (() => Promise<unknown>) | undefined;
}

/** A change ends all other sessions. */
export function ChangePasswordForm({ oldPassword, onChanged }: ChangePasswordFormProps) {
  const { username } = useUser();
  const form = useForm<PasswordForm>({
    initialValues: { ...EMPTY_PASSWORD_FORM, opass: oldPassword ?? '' },
    validate: (values) => passwordErrors(values).fields,
  });
  const isOldAsked = oldPassword === undefined || form.errors['opass'] !== undefined;
  const [done, showDone] = useTimedMessage();
  const change = useFormCall(form, {
    send: (body) => {
      showDone(null);
      return call(changePassword, { body });
    },
    formError: (values) => passwordErrors(values).text,
    onDone: () => {
      showDone(texts.changed);
      form.reset();
      if (onChanged) return onChanged();
      return reload(['session', 'own']);
    },
  });

  return (
    <CallForm
      label={texts.changePassword}
      call={change}
      foot={<DoneFoot done={done} busy={change.busy} submit={texts.changePassword} />}
    >
      {/* Tells password managers the account. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      {FIELDS.slice(isOldAsked ? 0 : 1).map((name, index) => (
        <PasswordInput
          key={name}
          ref={onChanged && index === 0 ? focusOnArrival : undefined}
          label={texts.fields[name]}
          autoComplete={name === 'opass' ? 'current-password' : 'new-password'}
          {...form.getInputProps(name)}
        />
      ))}
      <Text c="dimmed" size="sm">
        {profileTexts.allYourOtherSessions}
      </Text>
    </CallForm>
  );
}

interface PasswordForm {
  opass: string;
  npass: string;
  cpass: string;
}

const EMPTY_PASSWORD_FORM: PasswordForm = { opass: '', npass: '', cpass: '' };

/** Fields may be only marked. */
interface PasswordErrors {
  text: string | null;
  fields: Record<string, string | true>;
}

export function passwordErrors(values: PasswordForm): PasswordErrors {
  const empty = Object.entries(values).filter(([, value]) => value === '');
  if (empty.length > 0)
    return { text: commonTexts.profile.fillAll, fields: Object.fromEntries(empty.map(([name]) => [name, true])) };
  if (values.npass !== values.cpass) return { text: null, fields: { cpass: commonTexts.profile.noMatch } };
  return { text: null, fields: schemaErrors(z.object({ npass: newPassword }), values) };
}
