import { accountRoutes } from '@drawhouse/contract/accounts';
import type { Account } from '@drawhouse/contract/accounts';
import type { Role } from '@drawhouse/contract/primitives';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call, formErrorMessage } from '../../lib/api.ts';
import { listPath } from '../../lib/paths.ts';
import { useGo } from '../../lib/useGo.ts';
import { useLeaveLater } from '../../lib/useLeaveLater.ts';
import { useUser } from '../../lib/useSession.ts';
import { useOneAtATime } from '../../lib/useOneAtATime.ts';
import { messages } from '../../messages.ts';
import type { Level } from '../../messages.ts';
import { focusFirstError } from '../../ui/focusFirstError.ts';
import { FormPage } from '../../ui/FormPage.tsx';
import { accountChanges, changeErrors, formOfAccount } from './accountChanges.ts';
import type { AccountChanges } from './accountChanges.ts';
import { AccountFields } from './AccountFields.tsx';
import type { AccountForm } from './accountForm.ts';
import { AccountLoad } from './AccountLoad.tsx';
import { StatusQuestion } from './StatusQuestion.tsx';
import { useAccountsChanged } from './accountQueries.ts';

const texts = messages.accounts;

/** Changes an account of one level: sends the fields that differ, and goes back a second after success. */
export function EditAccountPage({ level, id }: { level: Role; id: string }) {
  // A superadmin's account has no parent, no commission and no games: nothing that this form could change.
  if (level === 'superadmin') return null;
  return (
    <AccountLoad level={level} id={id} title={texts.edit[level]} fresh>
      {(account) => <EditForm level={level} account={account} />}
    </AccountLoad>
  );
}

function EditForm({ level, account }: { level: Level; account: Account }) {
  const user = useUser();
  const go = useGo();
  const leaveLater = useLeaveLater();
  const changed = useAccountsChanged();
  const list = listPath(user.role, level);
  // What is compared stays what the form began with, also when the account is loaded again meanwhile.
  const form = useForm<AccountForm>({
    mode: 'controlled',
    initialValues: formOfAccount(account),
    validateInputOnBlur: true,
    validate: (values): Record<string, string> => changeErrors(level, form.getInitialValues(), values),
  });
  // What waits for a yes: the account is activated or deactivated with it.
  const [asked, setAsked] = useState<AccountChanges | null>(null);
  const update = useMutation({
    mutationFn: (body: AccountChanges) =>
      call(accountRoutes[level].update, { params: { id: account._id }, body }, { fallback: texts.updateFailed }),
    onSuccess: (answer) => {
      setAsked(null);
      notifications.show({ message: answer.message ?? texts.updated });
      leaveLater(() => go.back(list));
      return changed();
    },
    onError: (error) => {
      setAsked(null);
      if (!(error instanceof ApiError) || !error.fields) return;
      form.setErrors(error.fields);
      focusFirstError(form, error.fields);
    },
  });
  const send = useOneAtATime(update);
  const busy = update.isPending || update.isSuccess;

  function submit(values: AccountForm) {
    if (busy) return;
    const changes = accountChanges(level, form.getInitialValues(), values);
    if (changes.userStatus !== undefined) setAsked(changes);
    else if (Object.keys(changes).length > 0) send(changes);
    else notifications.show({ message: texts.unchanged });
  }

  return (
    <>
      <FormPage
        title={texts.edit[level]}
        of={account.username}
        submitLabel={texts.submit}
        busyLabel={texts.updating}
        cancelLabel={texts.cancel}
        busy={busy}
        dirty={form.isDirty()}
        error={formErrorMessage(update.error, Object.keys(form.values))}
        attempt={update.submittedAt}
        onCancel={() => go.back(list)}
        onSubmit={form.onSubmit(submit, (errors) => focusFirstError(form, errors))}
      >
        <AccountFields
          level={level}
          form={form}
          existing
          parent={account.refId && { value: account.refId._id, label: account.refId.username }}
        />
      </FormPage>
      <StatusQuestion
        account={account}
        opened={asked !== null}
        busy={update.isPending}
        onConfirm={() => asked && send(asked)}
        onClose={() => setAsked(null)}
      />
    </>
  );
}
