import { confirmPassword } from '@drawhouse/contract/auth/auth';
import { keepElevation } from '@drawhouse/session/api-client';
import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { call } from '../../lib/server/api.ts';
import { answerConfirmation } from '../../lib/session/confirmation.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { getSession, useUser } from '../../lib/session/session.ts';
import { commonTexts } from '../../commonTexts.ts';
import { CallForm, SubmitButton } from '../../ui/form/CallForm.tsx';
import { Dialog } from '../../ui/page/Dialog.tsx';
import { shellTexts } from './shellTexts.ts';

const texts = {
  title: shellTexts.confirmWithYourPassword,
  why: shellTexts.thisChangeNeedsYour,
  password: shellTexts.yourPassword,
  confirm: shellTexts.confirm,
  confirming: shellTexts.confirming,
  cancel: 'Cancel',
} as const;

/** Give each question its own `key`. */
export function PasswordDialog({ opened }: { opened: boolean }) {
  const cancel = () => answerConfirmation(false);
  // A vanishing refusal would shrink the dialog, and a double click's second click would land outside.
  return (
    <Dialog opened={opened} onClose={cancel} title={texts.title} centered size="sm" closeOnClickOutside={false}>
      <PasswordForm onCancel={cancel} />
    </Dialog>
  );
}

function PasswordForm({ onCancel }: { onCancel: () => void }) {
  const { username } = useUser();
  const form = useForm({
    // A distinct form name: otherwise focus may go to a password field of the form beneath.
    name: 'confirm',
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? commonTexts.credit.passwordRequired : null) },
  });
  const confirm = useFormCall(form, {
    send: (body) => call(confirmPassword, { body }),
    onDone: ({ elevation }) => {
      keepElevation(getSession()?.token ?? '', elevation);
      answerConfirmation(true);
    },
    // Harmless to resend.
    doubtText: () => null,
    leaves: true,
  });
  return (
    <CallForm
      label={texts.title}
      call={confirm}
      guarded={false}
      foot={
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel} onMouseDown={(event) => event.preventDefault()}>
            {texts.cancel}
          </Button>
          <SubmitButton disabled={confirm.busy}>{confirm.busy ? texts.confirming : texts.confirm}</SubmitButton>
        </Group>
      }
    >
      <Text>{texts.why}</Text>
      {/* Tells password managers the account. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput
        label={texts.password}
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
    </CallForm>
  );
}
