import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import type { Permission } from '@drawhouse/contract/core/permissions';
import { type Role, roleAbove } from '@drawhouse/contract/core/primitives';
import { VisuallyHidden } from '@mantine/core';
import {
  IconLogout,
  IconPencil,
  IconPlusMinus,
  IconReceipt,
  IconSend,
  IconTrash,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { prefetched } from '../../../lib/lazyParts.ts';
import { type AccountAction, detailsPath, accountPath, addPath, ACTION_RIGHTS } from '../../../lib/paths.ts';
import { type ListView, useList } from '../../../lib/list/useList.ts';
import { useUser } from '../../../lib/session/session.ts';
import { may } from '../../../lib/session/rights.ts';
import { commonTexts, type Level } from '../../../commonTexts.ts';
import { AddLink, type AddLinkTo } from '../../../ui/page/PageHeader.tsx';
import { ListPage } from '../../../ui/page/ListPage.tsx';
import { useSelection } from '../../../ui/table/rows/useSelection.ts';
import type { ConfirmedAction, ConfirmedActionName } from '../accountActions.ts';
import type { BulkTarget } from '../bulk/bulkValues.ts';
import { type QuickAction, useQuickAction } from '../useQuickAction.tsx';
import { DateTime } from '../../../ui/mark/DateTime.tsx';
import type { Cells } from '../../../ui/table/columns/listColumns.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { ShortList } from '../../../ui/mark/StackedText.tsx';
import { CellBadge, OnlineBadge, TestBadge, StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import classes from '../accounts.module.css';
import { accountListTexts } from '../accountsTexts.ts';
import { accountQuery, isElsewhere, movesCredit } from '../../../lib/server/accountLookup.ts';
import type { RowAction } from '../../../ui/table/rows/RowActions.tsx';

const useActionDialog = prefetched(() => import('../AccountActionDialog.tsx'));
const useBulkActions = prefetched(() => import('./BulkActions.tsx'));
const useBulkDialog = prefetched(() => import('../bulk/BulkDialog.tsx'));

const isHere = (account: Account): boolean => !isElsewhere(account);

function keyOf(account: Account): string {
  return account._id;
}

interface AccountListProps {
  view: ListView<Account>;
  level: Level;
  title: string;
  section?: boolean;
  pathOf: (action: AccountAction, row: Account) => string;
  /** Undefined if the accounts can only be read. */
  add: AddLinkTo | undefined;
  below?: string;
  quick?: QuickAction | undefined;
}

export function AccountList(props: AccountListProps) {
  const { view, level, title, section = false, pathOf, add, below } = props;
  const quick = useQuickAction(props.quick);
  const { role: viewer } = useUser();
  const [target, setTarget] = useState<ConfirmedAction | null>(null);
  const [bulk, setBulk] = useState<BulkTarget | null>(null);
  const single = useActionDialog(target !== null);
  const many = useBulkDialog(bulk !== null);
  const cells = useMemo(() => accountCells(viewer, level), [viewer, level]);
  const selection = useSelection<Account>(keyOf, view.identity, isHere);
  // Prefers fresh rows to those at selection time.
  const selected = selection.rows.map((row) => view.rows?.find((fresh) => fresh._id === row._id) ?? row);
  const bulkActions = useBulkActions(selected.length > 0);
  const rowsName = commonTexts.dashboard.cards[level].toLowerCase();
  return (
    <>
      <ListPage
        view={view}
        title={title}
        section={section}
        rowsName={rowsName}
        rowKey={keyOf}
        rowLabel={(row) => row.username}
        rowHref={(row) => detailsPath(viewer, level, row._id)}
        cells={cells}
        actions={(row) => [
          ...(movesCredit(row) ? quick.actionsOf(row) : []),
          ...rowActionsOf(
            row,
            (action) => pathOf(action, row),
            (action) => setTarget({ action, account: row }),
          ),
        ]}
        action={add && may('accounts') && <AddLink {...add} />}
        chips={{ parentId: accountListTexts.below(below ?? '…') }}
        {...(add && { selection })}
        selectionBar={
          bulkActions && (
            <bulkActions.BulkActions
              level={level}
              view={view}
              selection={selection}
              accounts={selected}
              onAsk={(act) => setBulk({ act, accounts: selected })}
            />
          )
        }
        empty={{
          title: accountListTexts.noYet(rowsName),
          text: accountListTexts.theyAppearHereAs,
          action: add && may('accounts') && <AddLink {...add} again />,
        }}
      />
      {quick.dialog}
      {many && (
        <many.BulkDialog
          level={level}
          target={bulk}
          onDone={(accounts) => selection.select(accounts, false)}
          onClose={() => setBulk(null)}
        />
      )}
      {single && (
        <single.AccountActionDialog
          target={target}
          onClose={() => setTarget(null)}
          onRemoved={() => target?.action === 'remove' && selection.select([target.account], false)}
        />
      )}
    </>
  );
}

function accountCells(viewer: Role, level: Level): Cells<Account> {
  return {
    username: (row) => (
      <span className={classes.name} title={[row.username, blockedReason(row)].filter(Boolean).join(': ')}>
        <PathLink href={detailsPath(viewer, level, row._id)}>{row.username}</PathLink>
        <TestBadge isTest={row.testNetwork} />
        <CellBadge cell={row.cell} />
        <AccountStatusMark account={row} />
      </span>
    ),
    games: (row) => <ShortList names={row.games?.map(({ gameName }) => gameName) ?? []} />,
    isLoggedIn: (row) => <OnlineBadge isOnline={row.isLoggedIn} />,
    createdAt: (row) => <DateTime value={row.createdAt} relative />,
    lastLogin: (row) => <DateTime value={row.lastLogin} relative />,
  };
}

const texts = commonTexts.accounts;

interface AccountListPageProps {
  level: Level;
  quick?: QuickAction;
}

export function AccountListPage({ level, quick }: AccountListPageProps) {
  const { role } = useUser();
  const view = useList(accountLists[level], { name: `accounts-${level}`, queryKey: ['accounts', level] });
  const parentId = view.state['parentId'];
  const parent = useQuery({
    ...accountQuery(roleAbove(level) ?? 'superadmin', parentId ?? ''),
    enabled: parentId !== undefined,
  });
  return (
    <AccountList
      view={view}
      level={level}
      quick={quick}
      title={texts.titles[level]}
      pathOf={(action, row) => accountPath(role, level, action, row._id)}
      add={{ label: texts.add[level], href: addPath(role, level) }}
      {...(parent.data && { below: parent.data.data.username })}
    />
  );
}

export function rowActionsOf(
  account: Account,
  pathOf: (action: AccountAction) => string,
  onAsk: (action: ConfirmedActionName) => void,
): readonly RowAction[] {
  const actions: RowAction[] = [
    {
      id: 'credittransfer',
      label: commonTexts.credit.transfer,
      icon: IconSend,
      href: pathOf('credittransfer'),
      prominent: true,
    },
    {
      id: 'creditadjust',
      label: commonTexts.credit.adjust,
      icon: IconPlusMinus,
      href: pathOf('creditadjust'),
      prominent: true,
    },
    { id: 'edit', label: texts.editLabel, icon: IconPencil, href: pathOf('edit') },
    { id: 'statement', label: commonTexts.statement.title, icon: IconReceipt, href: pathOf('statement') },
    account.userStatus
      ? { id: 'toggle', label: texts.toggle.deactivate.label, icon: IconUserOff, onClick: () => onAsk('toggle') }
      : { id: 'toggle', label: texts.toggle.activate.label, icon: IconUserCheck, onClick: () => onAsk('toggle') },
  ];
  if (account.role === 'user') {
    actions.push({ id: 'logout', label: texts.forceLogout.label, icon: IconLogout, onClick: () => onAsk('logout') });
  }
  actions.push({
    id: 'remove',
    label: texts.remove.label,
    icon: IconTrash,
    danger: true,
    onClick: () => onAsk('remove'),
  });
  return actions.filter(({ id }) => may(RIGHTS[id] ?? 'accounts') && isPossible(id, account));
}

function isPossible(action: string, account: Account): boolean {
  if (action === 'credittransfer' || action === 'creditadjust') return movesCredit(account);
  return action === 'statement' || !isElsewhere(account);
}

/** Rights of a login; `accounts` for other actions. */
const RIGHTS: Readonly<Record<string, Permission>> = ACTION_RIGHTS;

/** Null if it can sign in. */
function blockedReason({ inactiveAbove }: Pick<Account, 'inactiveAbove'>): string | null {
  return inactiveAbove && texts.keptOutBy(inactiveAbove.username);
}

function AccountStatusMark({ account }: { account: Account }) {
  if (!account.userStatus) return <StatusBadge tone="bad">{texts.deactive}</StatusBadge>;
  if (!account.inactiveAbove) return null;
  return (
    <StatusBadge tone="warn">
      <span aria-hidden>{texts.keptOut}</span>
      <VisuallyHidden>{texts.keptOutBy(account.inactiveAbove.username)}</VisuallyHidden>
    </StatusBadge>
  );
}

export function AccountStatus({ account }: { account: Account }) {
  const why = blockedReason(account);
  return (
    <>
      <StatusBadge tone={account.userStatus ? 'good' : 'bad'}>
        {account.userStatus ? texts.active : texts.deactive}
      </StatusBadge>
      {why !== null && <StatusBadge tone="warn">{why}</StatusBadge>}
    </>
  );
}
