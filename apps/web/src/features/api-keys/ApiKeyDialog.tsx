import { changeApiKey, makeApiKey, type ApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { KEY_PERMISSIONS } from '@drawhouse/contract/core/permissions';
import { Alert, Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { call } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { AddressesField, addressNames } from '../../ui/form/AddressesField.tsx';
import { ShownOnce } from '../../ui/dialog/OnceDialog.tsx';
import { DialogForm } from '../../ui/dialog/DialogForm.tsx';
import { apiKeyErrors, formOf, isUnbounded, termsOf, type ApiKeyForm } from './apiKeyForm.ts';
import { apiKeyTexts, apiKeyTexts as texts } from './apiKeyTexts.ts';
import classes from './ApiKeys.module.css';

interface ApiKeyDialogProps {
  target: ApiKey | 'new' | null;
  onClose: () => void;
}

export function ApiKeyDialog({ target, onClose }: ApiKeyDialogProps) {
  const [shown, setShown] = useState(target);
  if (target && target !== shown) setShown(target);
  const [made, setMade] = useState<{ name: string; key: string } | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  const title = made
    ? apiKeyTexts.apiKey(made.name)
    : shown === 'new' || shown === null
      ? texts.make
      : apiKeyTexts.apiKey(shown.name);
  return (
    // The key is shown once, so a stray click must not close it.
    <Dialog opened={target !== null} onClose={close} title={title} closeOnClickOutside={!made}>
      {made ? (
        <MadeKey value={made.key} onClose={close} />
      ) : (
        target && <Fields key={target === 'new' ? '' : target._id} target={target} onMade={setMade} onClose={close} />
      )}
    </Dialog>
  );
}

interface FieldsProps {
  target: ApiKey | 'new';
  onMade: (made: { name: string; key: string }) => void;
  onClose: () => void;
}

function Fields({ target, onMade, onClose }: FieldsProps) {
  const existing = target === 'new' ? null : target;
  const form = useForm<ApiKeyForm>({ initialValues: formOf(existing), validate: apiKeyErrors });
  const save = useFormCall(form, {
    send: async (values) => {
      const body = termsOf(values);
      if (existing) return { ...(await call(changeApiKey, { params: { keyId: existing._id }, body })), key: null };
      return call(makeApiKey, { body });
    },
    ownNames: addressNames(form.values.addresses),
    onDone: ({ message, key, data }) => {
      if (key === null) {
        notifications.show({ message });
        onClose();
      } else onMade({ name: data.name, key });
      return reload(['apiKeys']);
    },
  });
  return (
    <DialogForm
      label={existing ? texts.actions.change : texts.make}
      call={save}
      confirms={existing ? changeApiKey : makeApiKey}
      submit={existing ? apiKeyTexts.saveLimits : apiKeyTexts.createKey}
      onCancel={onClose}
    >
      <TextInput
        label={apiKeyTexts.name}
        description={apiKeyTexts.programThatUsesIt}
        maxLength={64}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label={apiKeyTexts.ticketsMinute}
        description={apiKeyTexts.leaveEmptyForNo}
        inputMode="numeric"
        {...form.getInputProps('ticketsPerMinute')}
      />
      <TextInput
        label={apiKeyTexts.stakesDay}
        description={apiKeyTexts.inPointsForAll}
        inputMode="decimal"
        {...form.getInputProps('stakePerDay')}
      />
      <StaffCallFields form={form} />
      <AddressesField {...form.getInputProps('addresses')} />
    </DialogForm>
  );
}

function StaffCallFields({ form }: { form: UseFormReturnType<ApiKeyForm> }) {
  return (
    <>
      <Checkbox.Group
        label={apiKeyTexts.staffCalls}
        description={apiKeyTexts.staffCallsHint}
        {...form.getInputProps('permissions')}
      >
        <Stack gap={6} mt={6}>
          {KEY_PERMISSIONS.map((permission) => (
            <Checkbox key={permission} value={permission} label={texts.permissions[permission]} />
          ))}
        </Stack>
      </Checkbox.Group>
      {isUnbounded(form.values) && <Alert color="yellow">{apiKeyTexts.unbounded}</Alert>}
      <TextInput
        label={apiKeyTexts.creditDay}
        description={apiKeyTexts.creditDayHint}
        inputMode="decimal"
        {...form.getInputProps('creditPerDay')}
      />
      <TextInput
        type="date"
        label={apiKeyTexts.lastDay}
        description={apiKeyTexts.lastDayHint}
        {...form.getInputProps('lastDay')}
      />
    </>
  );
}

function MadeKey({ value, onClose }: { value: string; onClose: () => void }) {
  return (
    <ShownOnce meaning={texts.once} value={value} done={texts.made} onClose={onClose}>
      <code className={classes.key} aria-label={apiKeyTexts.newKeyLabel}>
        {value}
      </code>
    </ShownOnce>
  );
}
