import type { Activity } from '@drawhouse/contract/activity';
import { messages } from '../../messages.ts';
import type { DataColumn } from '../../ui/dataColumn.ts';
import { DateTime } from '../../ui/DateTime.tsx';

const { columns: names } = messages.activity;

/** The columns of the activity log. */
export const ACTIVITY_COLUMNS: readonly DataColumn<Activity>[] = [
  { id: 'username', header: names.username, accessor: (row) => row.username, width: 130, priority: true },
  {
    id: 'subject',
    header: names.subject,
    cell: (row) => <span title={row.subject}>{row.subject}</span>,
    width: 300,
    priority: true,
  },
  {
    id: 'requestUrl',
    header: names.requestUrl,
    cell: (row) => <span title={row.requestUrl}>{row.requestUrl}</span>,
    width: 150,
    yields: 2,
  },
  { id: 'method', header: names.method, accessor: (row) => row.method, width: 80, yields: 2 },
  {
    id: 'ipAddress',
    header: names.ipAddress,
    cell: (row) => <span title={row.ipAddress}>{row.ipAddress}</span>,
    width: 128,
    yields: 1,
  },
  {
    id: 'createdAt',
    header: names.createdAt,
    cell: (row) => <DateTime value={row.createdAt} />,
    sortable: true,
    width: 160,
  },
];
