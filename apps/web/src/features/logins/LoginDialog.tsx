import { inviteLogin } from '@drawhouse/contract/auth/invitations';
import { ROLE_RIGHTS } from '@drawhouse/contract/core/permissions';
import { userGames } from '@drawhouse/contract/games/games';
import { addLogin, changeLogin, GIVEN_ROLES, type Login } from '@drawhouse/contract/logins/logins';
import { Checkbox, CheckboxGroup, Group, MultiSelect, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { call, callQuery } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { useUser } from '../../lib/session/session.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import type { MadeInvitation } from '../../ui/dialog/OnceDialog.tsx';
import { AddressesField, addressNames } from '../../ui/form/AddressesField.tsx';
import { DialogForm } from '../../ui/dialog/DialogForm.tsx';
import { addedOf, changedOf, formOf, loginErrors, type LoginForm, type PlacesForm } from './loginForm.ts';
import { loginTexts as texts } from './loginTexts.ts';

interface LoginDialogProps {
  target: Login | 'new' | null;
  onInvited: (made: MadeInvitation) => void;
  onClose: () => void;
}

export function LoginDialog({ target, onInvited, onClose }: LoginDialogProps) {
  const [shown, setShown] = useState(target);
  if (target && target !== shown) setShown(target);
  const title = shown === 'new' || shown === null ? texts.add : texts.login(shown.name);
  return (
    <Dialog opened={target !== null} onClose={onClose} title={title}>
      {target && (
        <Fields key={target === 'new' ? 0 : target.number} target={target} onInvited={onInvited} onClose={onClose} />
      )}
    </Dialog>
  );
}

type Form = UseFormReturnType<LoginForm>;

/** Without a password, the login is invited to choose one. */
async function add(values: LoginForm) {
  const added = await call(addLogin, { body: addedOf(values) });
  return { ...added, made: values.password === '' ? await inviteTo(added.data) : null };
}

export async function inviteTo({ name: of, number }: Pick<Login, 'name' | 'number'>): Promise<MadeInvitation> {
  return { of, ...(await call(inviteLogin, { params: { number: String(number) } })) };
}

interface FieldsProps extends Omit<LoginDialogProps, 'target'> {
  target: Login | 'new';
}

function Fields({ target, onInvited, onClose }: FieldsProps) {
  const existing = target === 'new' ? null : target;
  const form = useForm<LoginForm>({ initialValues: formOf(existing), validate: loginErrors(existing === null) });
  const save = useFormCall(form, {
    send: async (values) =>
      existing
        ? {
            ...(await call(changeLogin, { params: { number: String(existing.number) }, body: changedOf(values) })),
            made: null,
          }
        : add(values),
    ownNames: placeNames(form.values),
    onDone: ({ message, made }) => {
      notifications.show({ message });
      onClose();
      if (made) onInvited(made);
      return reload(['logins']);
    },
  });
  return (
    <DialogForm
      label={existing ? texts.actions.change : texts.add}
      call={save}
      confirms={existing ? changeLogin : addLogin}
      submit={existing ? texts.save : texts.create}
      onCancel={onClose}
    >
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        maxLength={64}
        data-autofocus
        {...form.getInputProps('name')}
      />
      {!existing && (
        <TextInput
          label={texts.username}
          description={texts.usernameHint}
          autoCapitalize="none"
          maxLength={32}
          {...form.getInputProps('username')}
        />
      )}
      <PasswordInput
        label={existing ? texts.newPassword : texts.password}
        description={existing ? texts.newPasswordHint : texts.passwordHint}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <Rights form={form} />
      <WhereFrom form={form} />
      {existing && <Checkbox label={texts.active} {...form.getInputProps('active', { type: 'checkbox' })} />}
    </DialogForm>
  );
}

function Rights({ form }: { form: Form }) {
  const { role, permissions } = form.values;
  const { always, optional } = ROLE_RIGHTS[role];
  const has = new Set([...always, ...optional.filter((permission) => permissions.includes(permission))]);
  return (
    <>
      <Select
        label={texts.role}
        description={texts.meanings[role]}
        data={GIVEN_ROLES.map((value) => ({ value, label: texts.roles[value] }))}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        {...form.getInputProps('role')}
      />
      {optional.length > 0 && (
        <CheckboxGroup label={role === 'custom' ? texts.rights : texts.mayAlso} {...form.getInputProps('permissions')}>
          <Stack gap={6} mt={4}>
            {optional.map((permission) => (
              <Checkbox key={permission} value={permission} label={texts.permissions[permission]} />
            ))}
          </Stack>
        </CheckboxGroup>
      )}
      {has.has('credit') && (
        <TextInput
          label={texts.dailyLimit}
          description={texts.dailyLimitHint}
          inputMode="decimal"
          {...form.getInputProps('dailyLimit')}
        />
      )}
      {has.has('panels') && <Games form={form} />}
    </>
  );
}

function Games({ form }: { form: Form }) {
  const { _id: id } = useUser();
  const { data } = useQuery(callQuery(['games', 'own', id], userGames, { params: { id } }));
  return (
    <MultiSelect
      label={texts.games}
      description={texts.gamesHint}
      data={(data?.games ?? []).map(({ _id, gameName }) => ({ value: _id, label: gameName }))}
      searchable
      comboboxProps={{ withinPortal: false }}
      {...form.getInputProps('games')}
    />
  );
}

/** Maps fields of the call to those of the form. */
export const placeNames = ({ addresses }: PlacesForm): Readonly<Record<string, keyof PlacesForm>> => ({
  ...addressNames(addresses),
  'hours.from': 'from',
  'hours.to': 'to',
  hours: 'from',
});

export function WhereFrom({ form }: { form: Pick<UseFormReturnType<PlacesForm>, 'getInputProps'> }) {
  return (
    <>
      <AddressesField minRows={1} maxRows={4} {...form.getInputProps('addresses')} />
      <Group grow align="end">
        <TextInput type="time" label={texts.from} description={texts.hoursHint} {...form.getInputProps('from')} />
        <TextInput type="time" label={texts.to} {...form.getInputProps('to')} />
      </Group>
    </>
  );
}
