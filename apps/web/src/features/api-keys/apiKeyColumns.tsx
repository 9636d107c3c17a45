import type { ApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { formatCount } from '../../lib/format/format.ts';
import type { DataColumn } from '../../ui/table/columns/dataColumn.ts';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import { Points } from '../../ui/mark/Points.tsx';
import { StatusBadge } from '../../ui/mark/StatusBadge.tsx';
import { TwoLines } from '../../ui/mark/StackedText.tsx';
import { apiKeyTexts, apiKeyTexts as texts } from './apiKeyTexts.ts';

const isExpired = ({ expiresAt }: ApiKey): boolean => expiresAt !== null && Date.parse(expiresAt) <= Date.now();
const isUsable = (key: ApiKey): boolean => key.endedAt === null && !isExpired(key);

function stateOf(key: ApiKey): string {
  if (key.endedAt !== null) return apiKeyTexts.ended;
  return isExpired(key) ? apiKeyTexts.expired : apiKeyTexts.active;
}
const callsOf = ({ permissions }: ApiKey): string =>
  permissions.map((permission) => texts.permissions[permission]).join(', ');
const addressesOf = ({ addresses }: ApiKey): string => (addresses.length === 0 ? texts.any : addresses.join(', '));

export const API_KEY_COLUMNS: readonly DataColumn<ApiKey>[] = [
  {
    id: 'name',
    header: 'Name',
    accessor: ({ name }) => name,
    cell: ({ name }) => <TwoLines text={name} />,
    width: 160,
    sortable: true,
    priority: true,
  },
  { id: 'ending', header: apiKeyTexts.endsWith, accessor: ({ ending }) => `…${ending}`, width: 96, yields: 2 },
  {
    id: 'state',
    header: 'State',
    accessor: stateOf,
    cell: (key) => <StatusBadge tone={isUsable(key) ? 'good' : 'neutral'}>{stateOf(key)}</StatusBadge>,
    width: 100,
    sortable: true,
    priority: true,
  },
  {
    id: 'ticketsToday',
    header: apiKeyTexts.ticketsToday,
    accessor: ({ today }) => today.tickets,
    cell: ({ today }) => formatCount(today.tickets),
    align: 'right',
    width: 116,
    sortable: true,
  },
  {
    id: 'stakeToday',
    header: apiKeyTexts.stakesToday,
    accessor: ({ today }) => today.stake,
    cell: ({ today }) => <Points value={today.stake} />,
    align: 'right',
    width: 116,
    sortable: true,
  },
  {
    id: 'ticketsPerMinute',
    header: apiKeyTexts.ticketsMinute,
    accessor: ({ ticketsPerMinute }) => ticketsPerMinute,
    cell: ({ ticketsPerMinute }) => (ticketsPerMinute === null ? texts.any : formatCount(ticketsPerMinute)),
    align: 'right',
    width: 132,
    yields: 3,
  },
  {
    id: 'stakePerDay',
    header: apiKeyTexts.stakesDay,
    accessor: ({ stakePerDay }) => stakePerDay,
    cell: ({ stakePerDay }) => (stakePerDay === null ? texts.any : <Points value={stakePerDay} />),
    align: 'right',
    width: 116,
    yields: 3,
  },
  {
    id: 'permissions',
    header: apiKeyTexts.staffCalls,
    accessor: callsOf,
    cell: (key) => <TwoLines text={callsOf(key)} />,
    width: 180,
    yields: 4,
  },
  {
    id: 'addresses',
    header: 'From',
    accessor: addressesOf,
    cell: (key) => <TwoLines text={addressesOf(key)} />,
    width: 180,
    yields: 4,
  },
  {
    id: 'lastUsedAt',
    header: apiKeyTexts.lastUsed,
    accessor: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) => <DateTime value={lastUsedAt} relative />,
    width: 128,
    sortable: true,
    yields: 1,
  },
  {
    id: 'madeAt',
    header: 'Created',
    accessor: ({ madeAt }) => madeAt,
    cell: ({ madeAt }) => <DateTime value={madeAt} relative />,
    width: 128,
    sortable: true,
    yields: 5,
  },
];
