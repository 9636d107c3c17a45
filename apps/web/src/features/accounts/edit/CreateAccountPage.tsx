import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { inviteAccount } from '@drawhouse/contract/auth/invitations';
import { roleAbove } from '@drawhouse/contract/core/primitives';
import { Checkbox, Text } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { call } from '../../../lib/server/api.ts';
import { detailsPath, importPath, listPath } from '../../../lib/paths.ts';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { useWayBack } from '../../../lib/navigation.ts';
import { useUser } from '../../../lib/session/session.ts';
import type { Level } from '../../../commonTexts.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { InvitationDialog, type MadeInvitation } from '../../../ui/dialog/OnceDialog.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { FormPage } from '../../../ui/form/FormPage.tsx';
import { AccountFields } from './AccountFields.tsx';
import { newAccountBody, accountErrors, emptyAccountForm, type AccountForm } from './accountForm.ts';
import { AccountLoad } from '../AccountLoad.tsx';
import { reloadAccounts, GAMES } from '../accountActions.ts';
import type { ParentChoice } from './useParentChoice.ts';
import { accountFormTexts } from './accountFormTexts.ts';
import { richText } from '@drawhouse/session/rich-text';

const texts = accountFormTexts;
const NO_GAMES = {
  title: accountFormTexts.noGamesChosen,
  text: accountFormTexts.thisAdminWillHave,
  confirm: accountFormTexts.createWithoutGames,
} as const;

interface CreateAccountPageProps {
  level: Level;
  parentId?: string | undefined;
}

export function CreateAccountPage({ level, parentId }: CreateAccountPageProps) {
  const user = useUser();
  const above = roleAbove(level) ?? 'superadmin';
  if (parentId === undefined || parentId === user._id) {
    const own = user.role === above ? { value: user._id, label: user.username } : null;
    return <CreateForm level={level} parent={own} leave={listPath(user.role, level)} />;
  }
  return (
    <AccountLoad level={above} id={parentId} title={texts.add[level]}>
      {(parent) => (
        <CreateForm
          level={level}
          parent={{ value: parent._id, label: parent.username }}
          leave={detailsPath(user.role, above, parent._id)}
        />
      )}
    </AccountLoad>
  );
}

/** The account stays if its invitation fails: it can be made again. */
async function create(level: Level, values: AccountForm) {
  const created = await call(
    accountRoutes[level].create,
    { body: newAccountBody(level, values) },
    { fallback: texts.createFailed[level] },
  );
  if (!values.invites) return { ...created, made: null };
  const { _id: accountId, username: of } = created.data;
  const made = await call(inviteAccount, { params: { accountId } }).then(
    (invitation) => ({ of, ...invitation }),
    () => 'failed' as const,
  );
  return { ...created, made };
}

interface CreateFormProps {
  level: Level;
  parent: ParentChoice | null;
  leave: string;
}

function CreateForm({ level, parent, leave }: CreateFormProps) {
  const { role } = useUser();
  const { back, backLater } = useWayBack(leave);
  const form = useForm<AccountForm>({
    initialValues: emptyAccountForm(parent?.value ?? null),
    validateInputOnBlur: true,
    validate: (values) => accountErrors(level, values),
  });
  const games = useAllGames(level, form);
  const [asksFor, setAsksFor] = useState<(() => void) | null>(null);
  const [hasWarned, setHasWarned] = useState(false);
  const [invitation, setInvitation] = useState<(MadeInvitation & { readonly goOn: () => void }) | null>(null);
  const [isOneOfMany, setOneOfMany] = useState(false);
  const startNext = (values: AccountForm) => {
    // Focus first: leaving the password field would set an error, which the reset clears.
    form.getInputNode('username')?.focus();
    form.setInitialValues({ ...values, username: '', password: '' });
    form.reset();
  };
  const goOn = (values: AccountForm) => (isOneOfMany ? startNext(values) : backLater());
  const saving = useFormCall(form, {
    // Asks once if the admin would have no games.
    beforeSend: (values, proceed) => {
      if (games === 0 || values.games.length > 0 || hasWarned) proceed();
      else setAsksFor(() => proceed);
    },
    send: (values) => create(level, values),
    onDone: ({ message, made, data: { username } }, values) => {
      const said = isOneOfMany ? accountFormTexts.createdAccount(username) : (message ?? texts.created);
      notifications.show({ message: made === 'failed' ? texts.createdUninvited(username) : said });
      if (made === null || made === 'failed') goOn(values);
      else setInvitation({ ...made, goOn: () => goOn(values) });
      void reloadAccounts();
    },
    leaves: !isOneOfMany,
  });

  return (
    <>
      <FormPage
        title={texts.add[level]}
        call={saving}
        submitLabel={texts.submit}
        busyLabel={texts.submitting}
        cancelLabel={texts.cancel}
        onCancel={back}
      >
        {level !== 'admin' && <ImportHint path={importPath(role, level)} />}
        <AccountFields level={level} form={form} parent={parent} />
        <Checkbox
          label={accountFormTexts.createAnother}
          description={accountFormTexts.keepsFormAndClears}
          checked={isOneOfMany}
          onChange={(event) => setOneOfMany(event.currentTarget.checked)}
        />
      </FormPage>
      <ConfirmDialog
        opened={asksFor !== null}
        title={NO_GAMES.title}
        confirmLabel={NO_GAMES.confirm}
        confirms={accountRoutes[level].create}
        onClose={() => setAsksFor(null)}
        onConfirm={() => {
          setHasWarned(true);
          setAsksFor(null);
          asksFor?.();
        }}
      >
        {NO_GAMES.text}
      </ConfirmDialog>
      <InvitationDialog
        made={invitation}
        onClose={() => {
          setInvitation(null);
          invitation?.goOn();
        }}
      />
    </>
  );
}

/** Returns their count, 0 for other levels. */
function useAllGames(level: Level, form: UseFormReturnType<AccountForm>): number {
  const { data } = useQuery({ ...GAMES, enabled: level === 'admin' });
  const games = useMemo(() => data?.data.map(({ _id }) => _id) ?? [], [data]);
  const { setInitialValues, getInitialValues, setFieldValue } = form;
  const isChosen = useRef(false);
  const choose = useEffectEvent((all: string[]) => {
    if (isChosen.current || all.length === 0) return;
    isChosen.current = true;
    setInitialValues({ ...getInitialValues(), games: all });
    setFieldValue('games', all);
  });
  useEffect(() => choose(games), [games]);
  return games.length;
}

function ImportHint({ path }: { path: string }) {
  const link = <PathLink href={path}>{accountFormTexts.typePasteOrImport}</PathLink>;
  return <Text size="sm">{richText(accountFormTexts.severalAccountsAtOnce, { link })}</Text>;
}
