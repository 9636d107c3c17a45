import type { Account } from '@drawhouse/contract/accounts';
import type { Role } from '@drawhouse/contract/primitives';
import { detailsPath } from '../../lib/paths.ts';
import { messages } from '../../messages.ts';
import type { Level } from '../../messages.ts';
import type { DataColumn } from '../../ui/dataColumn.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { PathLink } from '../../ui/PathLink.tsx';
import { Points } from '../../ui/Points.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { AccountStatusMark, keptOutText } from './AccountStatus.tsx';
import classes from './accountColumns.module.css';

const texts = messages.accounts;

/** The columns of the list of one level, as a viewer of a role above it sees them. */
export function accountColumns(viewer: Role, level: Level): readonly DataColumn<Account>[] {
  const columns: (DataColumn<Account> | false)[] = [
    {
      id: 'username',
      header: texts.columns.username,
      accessor: (row) => row.username,
      cell: (row) => (
        <span className={classes.name} title={[row.username, keptOutText(row)].filter(Boolean).join(': ')}>
          <PathLink href={detailsPath(viewer, level, row._id)}>{row.username}</PathLink>
          <AccountStatusMark account={row} />
        </span>
      ),
      width: 170,
      sortable: true,
      priority: true,
    },
    {
      id: 'refId',
      header: texts.columns.refId,
      cell: (row) => <span title={row.refId?.username}>{row.refId?.username ?? texts.noParent}</span>,
      width: 120,
      sortable: true,
    },
    {
      id: 'uniqueId',
      header: texts.columns.uniqueId,
      cell: (row) => <span className={classes.code}>{row.uniqueId}</span>,
      width: 104,
      sortable: true,
    },
    {
      id: 'walletBalance',
      header: texts.columns.points,
      cell: (row) => <Points value={row.walletBalance} />,
      align: 'right',
      // Nine digits with their separators and decimals.
      width: 128,
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
      yields: 1,
    },
    level === 'user' && {
      id: 'isLoggedIn',
      header: texts.columns.isOnline,
      cell: (row) => (
        <StatusBadge tone={row.isLoggedIn ? 'good' : 'neutral'}>
          {row.isLoggedIn ? texts.online : texts.offline}
        </StatusBadge>
      ),
      width: 100,
      sortable: true,
    },
    {
      id: 'createdAt',
      header: texts.columns.createdAt,
      cell: (row) => <DateTime value={row.createdAt} relative />,
      width: 120,
      sortable: true,
    },
    level === 'user' && {
      id: 'lastLogin',
      header: texts.columns.lastLogin,
      cell: (row) => <DateTime value={row.lastLogin} relative />,
      width: 120,
      sortable: true,
    },
  ];
  return columns.filter((column) => column !== false);
}
