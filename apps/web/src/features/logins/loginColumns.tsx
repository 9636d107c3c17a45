import type { Login } from '@drawhouse/contract/logins/logins';
import { formatCount } from '../../lib/format/format.ts';
import type { DataColumn } from '../../ui/table/columns/dataColumn.ts';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import { Points } from '../../ui/mark/Points.tsx';
import { TwoLines } from '../../ui/mark/StackedText.tsx';
import { StatusBadge } from '../../ui/mark/StatusBadge.tsx';
import { loginTexts as texts } from './loginTexts.ts';

const stateOf = ({ active }: Login): string => (active ? texts.on : texts.off);
const fromOf = ({ addresses, hours }: Login): string =>
  [addresses.join(', '), hours && `${hours.from} – ${hours.to}`].filter(Boolean).join(' · ') || texts.any;

export const LOGIN_COLUMNS: readonly DataColumn<Login>[] = [
  {
    id: 'name',
    header: texts.name,
    accessor: ({ name }) => name,
    cell: ({ name }) => <TwoLines text={name} />,
    width: 160,
    sortable: true,
    priority: true,
  },
  {
    id: 'username',
    header: texts.username,
    accessor: ({ username }) => username,
    width: 140,
    sortable: true,
    yields: 1,
  },
  {
    id: 'role',
    header: texts.role,
    accessor: ({ role }) => texts.roles[role],
    width: 132,
    sortable: true,
    priority: true,
  },
  {
    id: 'active',
    header: texts.status,
    accessor: stateOf,
    cell: (login) => <StatusBadge tone={login.active ? 'good' : 'neutral'}>{stateOf(login)}</StatusBadge>,
    width: 100,
    sortable: true,
    yields: 2,
  },
  {
    id: 'dailyLimit',
    header: texts.dailyLimit,
    accessor: ({ dailyLimit }) => dailyLimit,
    cell: ({ dailyLimit }) => (dailyLimit === null ? texts.any : <Points value={dailyLimit} />),
    align: 'right',
    width: 116,
    yields: 4,
  },
  {
    id: 'from',
    header: 'From',
    accessor: fromOf,
    cell: (login) => <TwoLines text={fromOf(login)} />,
    width: 180,
    yields: 5,
  },
  {
    id: 'devices',
    header: texts.devices,
    accessor: ({ devices }) => devices,
    cell: ({ devices }) => formatCount(devices),
    align: 'right',
    width: 92,
    sortable: true,
    yields: 3,
  },
  {
    id: 'lastLogin',
    header: texts.lastLogin,
    accessor: ({ lastLogin }) => lastLogin,
    cell: ({ lastLogin }) => <DateTime value={lastLogin} relative />,
    width: 128,
    sortable: true,
    yields: 1,
  },
  {
    id: 'createdAt',
    header: texts.created,
    accessor: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <DateTime value={createdAt} relative />,
    width: 128,
    sortable: true,
    yields: 6,
  },
];
