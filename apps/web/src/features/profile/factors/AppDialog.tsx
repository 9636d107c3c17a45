import { addApp, beginApp } from '@drawhouse/contract/auth/factors';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { isUnconfirmed } from '@drawhouse/session/api-client';
import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { schemaErrors } from '../../../lib/form/schemaErrors.ts';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { call, errorMessage } from '../../../lib/server/api.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { DialogForm } from '../../../ui/dialog/DialogForm.tsx';
import { ErrorState } from '../../../ui/page/PageStates.tsx';
import classes from './Factors.module.css';
import { factorTexts } from './factorTexts.ts';

const texts = factorTexts.app;

interface AppDialogProps {
  onAdded: (codes: readonly string[] | undefined) => void;
  onClose: () => void;
}

/** Each mount begins a new setup: the server may ask for the password first. */
export function AppDialog({ onAdded, onClose }: AppDialogProps) {
  const setup = useQuery({
    queryKey: ['session', 'new app'],
    queryFn: () => call(beginApp, {}),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const isCanceled = isUnconfirmed(setup.error);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (isCanceled) close();
  }, [isCanceled]);
  return (
    <Dialog
      opened={setup.data !== undefined || (setup.error !== null && !isCanceled)}
      onClose={onClose}
      title={texts.title}
      closeOnClickOutside={false}
    >
      {setup.data ? (
        <AppForm setup={setup.data} onAdded={onAdded} onClose={onClose} />
      ) : (
        <ErrorState message={errorMessage(setup.error)} onRetry={() => void setup.refetch()} />
      )}
    </Dialog>
  );
}

interface AppFormProps extends AppDialogProps {
  setup: RouteAnswer<typeof beginApp>;
}

function AppForm({ setup: { setup, secret, qr }, onAdded, onClose }: AppFormProps) {
  const form = useForm({
    initialValues: { name: texts.firstName, code: '' },
    validate: (values) => schemaErrors(addApp.body!, { setup, ...values }),
  });
  const add = useFormCall(form, {
    send: (values) => call(addApp, { body: { setup, ...values } }),
    onDone: ({ codes }) => {
      onClose();
      onAdded(codes);
    },
  });
  return (
    <DialogForm label={texts.title} call={add} confirms={addApp} submit={texts.submit} onCancel={onClose}>
      <Text>{texts.scan}</Text>
      <img className={classes.qr} src={`data:image/svg+xml,${encodeURIComponent(qr)}`} alt={texts.qr} />
      <Text size="sm" c="dimmed">
        {texts.byHand} <code className={classes.secret}>{secret}</code>
      </Text>
      <TextInput label={texts.name} description={texts.nameHelp} maxLength={60} {...form.getInputProps('name')} />
      <TextInput
        label={texts.code}
        description={texts.codeHelp}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        data-autofocus
        {...form.getInputProps('code')}
      />
    </DialogForm>
  );
}
