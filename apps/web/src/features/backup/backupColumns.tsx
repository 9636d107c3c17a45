import type { Backup } from '@drawhouse/contract/backup/backups';
import { formatBytes, formatCount } from '../../lib/format.ts';
import type { DataColumn } from '../../ui/dataColumn.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import { backupTexts } from './backupTexts.ts';

const TONES = { making: 'neutral', whole: 'good', damaged: 'bad', unfinished: 'warn' } as const;

function timeColumn(
  id: 'checkedAt' | 'drilledAt' | 'transferredAt',
  header: string,
  yields: number,
): DataColumn<Backup> {
  const cell = (row: Backup) => <DateTime value={row[id]} relative />;
  return { id, header, accessor: (row) => row[id], cell, width: 136, sortable: true, yields };
}

/** The columns of the list of backups. */
export const BACKUP_COLUMNS: readonly DataColumn<Backup>[] = [
  {
    id: 'name',
    header: 'Folder',
    accessor: ({ name }) => name,
    cell: ({ name }) => <TwoLines text={name} />,
    width: 224,
    sortable: true,
    priority: true,
  },
  {
    id: 'createdAt',
    header: 'Created',
    accessor: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <DateTime value={createdAt} />,
    width: 160,
    sortable: true,
  },
  {
    id: 'state',
    header: 'State',
    accessor: ({ state }) => backupTexts.states[state],
    cell: ({ state }) => <StatusBadge tone={TONES[state]}>{backupTexts.states[state]}</StatusBadge>,
    width: 120,
    sortable: true,
    priority: true,
  },
  {
    id: 'bytes',
    header: 'Size',
    accessor: ({ bytes }) => bytes,
    cell: ({ bytes }) => bytes !== null && formatBytes(bytes),
    align: 'right',
    width: 90,
    sortable: true,
    yields: 1,
  },
  {
    id: 'rows',
    header: 'Rows',
    accessor: ({ rows }) => rows,
    cell: ({ rows }) => rows !== null && formatCount(rows),
    align: 'right',
    width: 110,
    sortable: true,
    yields: 3,
  },
  {
    id: 'by',
    header: 'By',
    accessor: ({ by }) => by,
    cell: ({ by }) => by !== null && <TwoLines text={by} />,
    width: 140,
    sortable: true,
    yields: 2,
  },
  timeColumn('checkedAt', 'Checked', 1),
  timeColumn('drilledAt', 'Tried', 2),
  timeColumn('transferredAt', 'Transferred', 3),
];
