import type { Account } from '@drawhouse/contract/accounts';
import { roleBelow } from '@drawhouse/contract/primitives';
import type { Role } from '@drawhouse/contract/primitives';
import { IconAdjustmentsHorizontal, IconSend, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { creditPath, listPath } from '../../lib/paths.ts';
import { messages } from '../../messages.ts';
import type { Level } from '../../messages.ts';
import type { DataColumn } from '../../ui/dataColumn.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { PathLink } from '../../ui/PathLink.tsx';
import { Points } from '../../ui/Points.tsx';
import { RowActions } from '../../ui/RowActions.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import classes from './accountColumns.module.css';

const texts = messages.accounts;

/** The columns of the list of one level, as a viewer of a role above it sees them. */
export function accountColumns(
  viewer: Role,
  level: Level,
  onToggle: (account: Account) => void,
): readonly DataColumn<Account>[] {
  const below = roleBelow(level);
  const columns: (DataColumn<Account> | false)[] = [
    {
      id: 'username',
      header: texts.columns.username,
      accessor: (row) => row.username,
      cell: (row) => (
        <span className={classes.name} title={row.username}>
          {below ? <PathLink href={listPath(viewer, below, row._id)}>{row.username}</PathLink> : row.username}
          {!row.userStatus && <StatusBadge tone="bad">{texts.deactive}</StatusBadge>}
        </span>
      ),
      width: 180,
      sortable: true,
      priority: true,
    },
    {
      id: 'refId',
      header: texts.columns.refId,
      accessor: (row) => row.refId?.username ?? texts.noParent,
      width: 130,
      sortable: true,
    },
    {
      id: 'uniqueId',
      header: texts.columns.uniqueId,
      cell: (row) => <span className={classes.code}>{row.uniqueId}</span>,
      width: 105,
      sortable: true,
    },
    {
      id: 'walletBalance',
      header: texts.columns.points,
      cell: (row) => <Points value={row.walletBalance} />,
      align: 'right',
      width: 125,
      sortable: true,
      priority: true,
    },
    level === 'admin' && {
      id: 'games',
      header: texts.columns.games,
      cell: (row) => {
        const names = row.games?.map((game) => game.gameName).join(', ') ?? '';
        return <span title={names}>{names}</span>;
      },
      width: 200,
    },
    level === 'user' && {
      id: 'isLoggedIn',
      header: texts.columns.isOnline,
      cell: (row) => (
        <StatusBadge tone={row.isLoggedIn ? 'good' : 'neutral'}>
          {row.isLoggedIn ? texts.online : texts.offline}
        </StatusBadge>
      ),
      width: 110,
      sortable: true,
    },
    {
      id: 'createdAt',
      header: texts.columns.createdAt,
      cell: (row) => <DateTime value={row.createdAt} />,
      width: 155,
      sortable: true,
    },
    level === 'user' && {
      id: 'lastLogin',
      header: texts.columns.lastLogin,
      cell: (row) => <DateTime value={row.lastLogin} />,
      width: 155,
      sortable: true,
    },
    {
      id: 'action',
      header: texts.columns.action,
      cell: (row) => (
        <RowActions
          of={row.username}
          actions={[
            {
              label: messages.credit.transfer,
              icon: IconSend,
              href: creditPath(viewer, level, 'credittransfer', row._id),
            },
            {
              label: messages.credit.adjust,
              icon: IconAdjustmentsHorizontal,
              href: creditPath(viewer, level, 'creditadjust', row._id),
            },
            row.userStatus
              ? { label: texts.toggle.deactivate.label, icon: IconUserOff, danger: true, onClick: () => onToggle(row) }
              : { label: texts.toggle.activate.label, icon: IconUserCheck, onClick: () => onToggle(row) },
          ]}
        />
      ),
      width: 124,
      pinned: true,
    },
  ];
  return columns.filter((column) => column !== false);
}
