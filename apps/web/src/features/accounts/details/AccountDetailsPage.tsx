import { childLists } from '@drawhouse/contract/accounts/account-lists';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import { inviteAccount } from '@drawhouse/contract/auth/invitations';
import { type Role, roleAbove, roleBelow } from '@drawhouse/contract/core/primitives';
import { Button, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { detailsPath, editFromDetailsPath, fromDetailsPath, homePath, listPath } from '../../../lib/paths.ts';
import { go } from '../../../lib/navigation.ts';
import { useUser } from '../../../lib/session/session.ts';
import { may } from '../../../lib/session/rights.ts';
import { commonTexts, type Level } from '../../../commonTexts.ts';
import { CellBadge, OnlineBadge, TestBadge } from '../../../ui/mark/StatusBadge.tsx';
import { WarningNote } from '../../../ui/page/Notes.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { AccountActionDialog } from '../AccountActionDialog.tsx';
import type { ConfirmedAction } from '../accountActions.ts';
import { AccountCards, AccountCardsSkeleton } from './AccountCards.tsx';
import { AccountLoad } from '../AccountLoad.tsx';
import { AccountStatus, rowActionsOf, AccountList } from '../list/AccountList.tsx';
import { type QuickAction, useQuickAction } from '../useQuickAction.tsx';
import classes from './AccountDetailsPage.module.css';
import type { RowAction } from '../../../ui/table/rows/RowActions.tsx';
import { useList } from '../../../lib/list/useList.ts';
import { accountQuery, isElsewhere, movesCredit } from '../../../lib/server/accountLookup.ts';
import { accountDetailsTexts } from '../accountsTexts.ts';
import { queryClient } from '../../../lib/server/queryClient.ts';
import { useConfirmCall } from '../../../lib/form/useConfirmCall.ts';
import { call } from '../../../lib/server/api.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { InvitationDialog, type MadeInvitation } from '../../../ui/dialog/OnceDialog.tsx';

const texts = commonTexts.accounts;

interface AccountDetailsPageProps {
  level: Level;
  id: string;
  quick?: QuickAction;
  Protection: ComponentType<{ account: Account }>;
  Overview: ComponentType<{ level: Level; account: Account }>;
  Standing: ComponentType<{ account: Account }>;
}

export function AccountDetailsPage({ level, id, quick, Protection, Overview, Standing }: AccountDetailsPageProps) {
  return (
    <AccountLoad level={level} id={id} title={texts.titles[level]} skeleton={<AccountCardsSkeleton />}>
      {(account) => (
        <div className={classes.page}>
          <AccountHead level={level} account={account} quick={quick} />
          {isElsewhere(account) && <WarningNote>{accountDetailsTexts.elsewhere(account.cell!.name)}</WarningNote>}
          <AccountCards level={level} account={account} />
          {!isElsewhere(account) && <Standing account={account} />}
          {level !== 'user' && <ChildAccounts parent={account} parentLevel={level} quick={quick} />}
          {may('reports') && <Overview level={level} account={account} />}
          {level === 'user' && !isElsewhere(account) && <Protection account={account} />}
        </div>
      )}
    </AccountLoad>
  );
}

function AccountHead({ level, account, quick: what }: { level: Level; account: Account; quick?: QuickAction }) {
  const { role: viewer, _id: ownId } = useUser();
  const [target, setTarget] = useState<ConfirmedAction | null>(null);
  const quick = useQuickAction(what);
  const ownActions = rowActionsOf(
    account,
    (action) =>
      action === 'edit'
        ? editFromDetailsPath(viewer, level, account._id)
        : fromDetailsPath(viewer, level, account._id, action),
    (action) => setTarget({ action, account }),
  );
  const actions = [...(movesCredit(account) ? quick.actionsOf(account) : []), ...ownActions];
  return (
    <>
      <AccountTrail level={level} account={account} />
      <PageHeader title={`${texts.titles[level]} ${account.username}`}>
        <AccountStatus account={account} />
        <TestBadge isTest={account.testNetwork} />
        <CellBadge cell={account.cell} />
        {level === 'user' && <OnlineBadge isOnline={account.isLoggedIn} />}
        <div className={classes.actions}>
          {actions.map((action) => !action.danger && <ActionButton key={action.id} {...action} />)}
          {level !== 'user' && may('accounts') && !isElsewhere(account) && <InviteAccount account={account} />}
          {actions.map((action) => action.danger && <ActionButton key={action.id} {...action} />)}
        </div>
      </PageHeader>
      {quick.dialog}
      <AccountActionDialog
        target={target}
        onClose={() => setTarget(null)}
        onRemoved={() => go.replace(afterRemoval())}
      />
    </>
  );

  function afterRemoval(): string {
    const parent = account.refId;
    const above = roleAbove(level);
    return parent && above && parent._id !== ownId ? detailsPath(viewer, above, parent._id) : listPath(viewer, level);
  }
}

function ActionButton({ label, icon: Icon, href, onClick, danger }: RowAction) {
  const shared = {
    size: 'xs',
    variant: 'default',
    leftSection: <Icon size={14} aria-hidden />,
    className: danger ? classes.danger : undefined,
  };
  return href === undefined ? (
    <Button {...shared} onClick={onClick}>
      {label}
    </Button>
  ) : (
    <Button {...shared} component={PathLink} href={href}>
      {label}
    </Button>
  );
}

interface ChildAccountsProps {
  parent: Account;
  parentLevel: Exclude<Level, 'user'>;
  quick?: QuickAction | undefined;
}

function ChildAccounts({ parent, parentLevel, quick }: ChildAccountsProps) {
  const level = roleBelow(parentLevel) as Level;
  const { role } = useUser();
  const view = useList(childLists[parentLevel], {
    name: `accounts-${level}`,
    queryKey: ['accounts', level, 'children'],
    params: { id: parent._id },
  });
  return (
    <div className={classes.children}>
      <AccountList
        view={view}
        level={level}
        title={commonTexts.dashboard.cards[level]}
        section
        quick={quick}
        pathOf={(action, row) => fromDetailsPath(role, parentLevel, parent._id, action, row._id)}
        add={
          isElsewhere(parent)
            ? undefined
            : {
                label: commonTexts.accounts.addChild[level],
                href: fromDetailsPath(role, parentLevel, parent._id, 'create'),
              }
        }
      />
    </div>
  );
}

interface Step {
  id: string;
  username: string;
  role: Role;
}

function AccountTrail({ level, account }: { level: Level; account: Account }) {
  const user = useUser();
  const { data: between } = useQuery({
    queryKey: ['accounts', 'chain', account._id, account.refId?._id],
    queryFn: async () => {
      // Accounts know only their parent.
      const steps: Step[] = [];
      let role = roleAbove(level);
      let parent = account.refId;
      while (role && parent && parent._id !== user._id) {
        steps.unshift({ id: parent._id, username: parent.username, role });
        const { data } = await queryClient.fetchQuery(accountQuery(role, parent._id));
        parent = data.refId;
        role = roleAbove(role);
      }
      return steps;
    },
    enabled: account.refId !== null,
  });
  return (
    <nav aria-label={accountDetailsTexts.breadcrumbs}>
      <ol className={classes.trail}>
        <li>
          <PathLink href={homePath(user.role)}>{user.username}</PathLink>
        </li>
        {between?.map((step) => (
          <li key={step.id}>
            <PathLink href={detailsPath(user.role, step.role, step.id)}>{step.username}</PathLink>
          </li>
        ))}
        <li aria-current="page">{account.username}</li>
      </ol>
    </nav>
  );
}

const inviteTexts = accountDetailsTexts.invite;

function InviteAccount({ account }: { account: Account }) {
  const [isAsked, setAsked] = useState(false);
  const [made, setMade] = useState<MadeInvitation | null>(null);
  const { dialog } = useConfirmCall(isAsked ? account : null, {
    send: async ({ _id: accountId, username: of }) => ({
      of,
      ...(await call(inviteAccount, { params: { accountId } })),
    }),
    onDone: setMade,
    onClose: () => setAsked(false),
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconMail size={14} aria-hidden />}
        onClick={() => setAsked(true)}
      >
        {inviteTexts.label}
      </Button>
      <ConfirmDialog {...dialog} title={inviteTexts.title} confirmLabel={inviteTexts.make} confirms={inviteAccount}>
        {inviteTexts.question(account.username)}
        <Text mt="xs">{inviteTexts.consequence}</Text>
      </ConfirmDialog>
      <InvitationDialog made={made} onClose={() => setMade(null)} />
    </>
  );
}
