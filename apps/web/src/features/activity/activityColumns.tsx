import type { Activity } from '@drawhouse/contract/activity';
import { messages } from '../../messages.ts';
import type { DataColumn } from '../../ui/dataColumn.ts';
import { DateTime } from '../../ui/DateTime.tsx';

const { columns: names } = messages.activity;

/** The columns of the activity log. */
export const ACTIVITY_COLUMNS: readonly DataColumn<Activity>[] = [
  { id: 'username', header: names.username, accessor: (row) => row.username, width: 150, priority: true },
  { id: 'subject', header: names.subject, accessor: (row) => row.subject, width: 260, priority: true },
  { id: 'requestUrl', header: names.requestUrl, accessor: (row) => row.requestUrl, width: 260 },
  { id: 'method', header: names.method, accessor: (row) => row.method, width: 90 },
  { id: 'ipAddress', header: names.ipAddress, accessor: (row) => row.ipAddress, width: 140 },
  { id: 'createdAt', header: names.createdAt, cell: (row) => <DateTime value={row.createdAt} />, width: 170 },
];
