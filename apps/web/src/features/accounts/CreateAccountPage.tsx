import { accountRoutes } from '@drawhouse/contract/accounts';
import { roleAbove } from '@drawhouse/contract/primitives';
import { Group, PasswordInput, Radio, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call, formErrorMessage } from '../../lib/api.ts';
import { listPath } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useGo } from '../../lib/useGo.ts';
import { useLeaveLater } from '../../lib/useLeaveLater.ts';
import { useOneAtATime } from '../../lib/useOneAtATime.ts';
import { useUser } from '../../lib/useSession.ts';
import { messages } from '../../messages.ts';
import type { Level } from '../../messages.ts';
import { focusFirstError } from '../../ui/focusFirstError.ts';
import { FormPage } from '../../ui/FormPage.tsx';
import { accountBody, accountErrors, emptyAccountForm } from './accountForm.ts';
import type { AccountForm } from './accountForm.ts';
import { GamesChecklist } from './GamesChecklist.tsx';
import { ReferenceSelect } from './ReferenceSelect.tsx';

const texts = messages.accounts;

/** Creates an account of one level, anywhere below the signed-in account. Goes back a second after success. */
export function CreateAccountPage({ level }: { level: Level }) {
  const user = useUser();
  const go = useGo();
  const queries = useQueryClient();
  const leaveLater = useLeaveLater();
  const parents = (roleAbove(level) ?? 'superadmin') as Exclude<typeof user.role, 'user'>;
  const list = listPath(user.role, level);
  const form = useForm<AccountForm>({
    mode: 'controlled',
    initialValues: emptyAccountForm(user.role === parents ? user._id : null),
    validateInputOnBlur: true,
    validate: (values) => accountErrors(level, values),
  });
  const create = useMutation({
    mutationFn: (values: AccountForm) => call(accountRoutes[level].create, { body: accountBody(level, values) }),
    onSuccess: (answer) => {
      notifications.show({ message: answer.message ?? texts.created });
      leaveLater(() => go.back(list));
      return Promise.all(
        [queryKeys.accounts, queryKeys.counts, queryKeys.games].map((key) =>
          queries.invalidateQueries({ queryKey: [key] }),
        ),
      );
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || !error.fields) return;
      form.setErrors(error.fields);
      focusFirstError(form, error.fields);
    },
  });
  const send = useOneAtATime(create);
  const busy = create.isPending || create.isSuccess;

  return (
    <FormPage
      title={texts.add[level]}
      submitLabel={texts.submit}
      busyLabel={texts.submitting}
      cancelLabel={texts.cancel}
      busy={busy}
      error={formErrorMessage(create.error, Object.keys(form.values))}
      onCancel={() => go.back(list)}
      onSubmit={form.onSubmit(
        (values) => {
          if (!busy) send(values);
        },
        (errors) => focusFirstError(form, errors),
      )}
    >
      <TextInput
        label={texts.fields.username}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('username')}
      />
      <PasswordInput label={texts.fields.password} autoComplete="new-password" {...form.getInputProps('password')} />
      <TextInput
        label={texts.fields.commission}
        inputMode="decimal"
        autoComplete="off"
        rightSection="%"
        {...form.getInputProps('commission')}
      />
      <Textarea label={texts.fields.note} autosize minRows={1} maxRows={6} {...form.getInputProps('note')} />
      <ReferenceSelect
        parents={parents}
        value={form.values.refId}
        onChange={(id) => form.setFieldValue('refId', id)}
        error={form.errors['refId']}
        dataPath="refId"
      />
      <Radio.Group label={texts.fields.status} {...form.getInputProps('userStatus')}>
        <Group gap="lg" mt={6}>
          <Radio value="active" label={texts.active} />
          <Radio value="deactive" label={texts.deactive} />
        </Group>
      </Radio.Group>
      {level === 'admin' && (
        <GamesChecklist
          value={form.values.games}
          onChange={(ids) => form.setFieldValue('games', ids)}
          error={form.errors['games']}
        />
      )}
    </FormPage>
  );
}
