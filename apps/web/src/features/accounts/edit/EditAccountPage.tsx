import { type Account, accountRoutes } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/core/primitives';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { call } from '../../../lib/server/api.ts';
import { listPath } from '../../../lib/paths.ts';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { useWayBack } from '../../../lib/navigation.ts';
import { useUser } from '../../../lib/session/session.ts';
import type { Level } from '../../../commonTexts.ts';
import { FormPage } from '../../../ui/form/FormPage.tsx';
import { accountChanges, changeErrors, formOfAccount } from './accountChanges.ts';
import { AccountFields } from './AccountFields.tsx';
import type { AccountForm } from './accountForm.ts';
import { AccountLoad } from '../AccountLoad.tsx';
import { reloadAccounts, questionOf, useDescendantCounts } from '../accountActions.ts';
import { accountFormTexts } from './accountFormTexts.ts';
import { Text } from '@mantine/core';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';

const texts = accountFormTexts;

/** Sends only changed fields. */
export function EditAccountPage({ level, id }: { level: Role; id: string }) {
  if (level === 'superadmin') return null;
  return (
    <AccountLoad level={level} id={id} title={texts.edit[level]} fresh>
      {(account) => <EditForm level={level} account={account} />}
    </AccountLoad>
  );
}

function EditForm({ level, account }: { level: Level; account: Account }) {
  const user = useUser();
  const { back, backLater } = useWayBack(listPath(user.role, level));
  const form = useForm<AccountForm>({
    initialValues: formOfAccount(account),
    validateInputOnBlur: true,
    validate: (values): Record<string, string> => changeErrors(level, form.getInitialValues(), values),
  });
  const [question, setQuestion] = useState<{ proceed: () => void } | null>(null);
  const changesOf = (values: AccountForm) => accountChanges(level, form.getInitialValues(), values);
  const update = useFormCall(form, {
    send: (values) =>
      call(
        accountRoutes[level].update,
        { params: { id: account._id }, body: changesOf(values) },
        { fallback: texts.updateFailed },
      ),
    beforeSend: (values, proceed) => {
      const changes = changesOf(values);
      if (changes.userStatus !== undefined) setQuestion({ proceed });
      else if (Object.keys(changes).length > 0) proceed();
      else notifications.show({ message: texts.unchanged });
    },
    onDone: (answer) => {
      setQuestion(null);
      notifications.show({ message: answer.message ?? texts.updated });
      backLater();
      return reloadAccounts();
    },
    onRefused: () => setQuestion(null),
    leaves: true,
  });

  return (
    <>
      <FormPage
        title={texts.edit[level]}
        of={account.username}
        call={update}
        submitLabel={texts.submit}
        busyLabel={texts.updating}
        cancelLabel={texts.cancel}
        onCancel={back}
      >
        <AccountFields
          level={level}
          form={form}
          account={account}
          parent={account.refId && { value: account.refId._id, label: account.refId.username }}
        />
      </FormPage>
      <StatusQuestion
        account={account}
        opened={question !== null}
        busy={update.busy}
        onConfirm={() => question?.proceed()}
        onClose={() => setQuestion(null)}
      />
    </>
  );
}

interface StatusQuestionProps {
  account: Account;
  opened: boolean;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

function StatusQuestion({ account, opened, busy, onConfirm, onClose }: StatusQuestionProps) {
  const below = useDescendantCounts(opened && account.userStatus ? [account] : []);
  const question = questionOf({ action: 'toggle', account }, below);
  return (
    <ConfirmDialog
      opened={opened}
      title={question.title}
      danger={question.danger}
      confirms={accountRoutes[account.role as Level].update}
      busy={busy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {question.text}
      {question.consequence !== null && <Text mt="xs">{question.consequence}</Text>}
    </ConfirmDialog>
  );
}
