import { addPasskey, beginPasskey } from '@drawhouse/contract/auth/factors';
import { ApiError } from '@drawhouse/session/api-client';
import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { call, errorMessage } from '../../../lib/server/api.ts';
import { makePasskey } from '@drawhouse/session/passkeys';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { DialogForm } from '../../../ui/dialog/DialogForm.tsx';
import { factorTexts } from './factorTexts.ts';

const texts = factorTexts.passkey;

interface PasskeyDialogProps {
  opened: boolean;
  /** The first factor comes with recovery codes. */
  onAdded: (codes: readonly string[] | undefined) => void;
  onClose: () => void;
}

export function PasskeyDialog({ opened, ...props }: PasskeyDialogProps) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title={texts.title} closeOnClickOutside={false}>
      {opened && <PasskeyForm {...props} />}
    </Dialog>
  );
}

function PasskeyForm({ onAdded, onClose }: Omit<PasskeyDialogProps, 'opened'>) {
  const form = useForm({
    initialValues: { name: texts.firstName },
    validate: { name: (name) => (name.trim() === '' ? texts.nameMissing : null) },
  });
  const add = useFormCall(form, {
    send: async ({ name }) => {
      const { setup, options } = await call(beginPasskey, {});
      const passkey = await makePasskey(options);
      return call(addPasskey, { body: { setup, name, passkey } });
    },
    // The browser's own errors are not written for people.
    refusalText: (error) => (error instanceof ApiError ? errorMessage(error) : texts.failed),
    onDone: ({ codes }) => {
      onClose();
      onAdded(codes);
    },
  });
  return (
    <DialogForm label={texts.title} call={add} confirms={beginPasskey} submit={texts.submit} onCancel={onClose}>
      <Text>{texts.help}</Text>
      <TextInput
        label={texts.name}
        description={texts.nameHelp}
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </DialogForm>
  );
}
