import type { Backup } from '@drawhouse/contract/backup/backups';
import { Button, List, Text } from '@mantine/core';
import {
  IconCloudUpload,
  IconDatabaseImport,
  IconDownload,
  IconShieldCheck,
  IconTestPipe,
  IconTrash,
} from '@tabler/icons-react';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyState } from '../../ui/page/PageStates.tsx';
import type { RowAction } from '../../ui/table/rows/RowActions.tsx';
import { backupTexts as texts, backupTexts } from './backupTexts.ts';
import classes from './BackupsPage.module.css';
import { formatBytes, formatCount } from '../../lib/format/format.ts';
import type { DataColumn } from '../../ui/table/columns/dataColumn.ts';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import { StatusBadge } from '../../ui/mark/StatusBadge.tsx';
import { TwoLines } from '../../ui/mark/StackedText.tsx';

const PAGE_ROWS = 25;

export type BackupAction = keyof typeof texts.actions;

interface BackupTableProps {
  backups: readonly Backup[] | undefined;
  loading: boolean;
  error: string | null;
  canTransfer: boolean;
  onRetry: () => void;
  onAct: (action: BackupAction, backup: Backup) => void;
  onGenerate: (() => void) | null;
}

const ICONS: Readonly<Record<BackupAction, RowAction['icon']>> = {
  import: IconDatabaseImport,
  download: IconDownload,
  transfer: IconCloudUpload,
  check: IconShieldCheck,
  drill: IconTestPipe,
  delete: IconTrash,
};

export function BackupTable(props: BackupTableProps) {
  const { backups, loading, error, canTransfer, onRetry, onAct, onGenerate } = props;
  return (
    <DataTable
      label={texts.title}
      rows={backups}
      columns={BACKUP_COLUMNS}
      rowKey={nameOf}
      rowLabel={nameOf}
      actions={(backup) =>
        availableActions(backup, canTransfer).map((id) => ({
          id,
          label: texts.actions[id],
          icon: ICONS[id],
          onClick: () => onAct(id, backup),
          prominent: id === 'import' || id === 'download' || id === 'transfer',
          danger: id === 'delete',
        }))
      }
      numbered
      loading={loading}
      error={error}
      onRetry={onRetry}
      pageSize={PAGE_ROWS}
      keepsPage
      details={detailsOf}
      empty={
        <EmptyState
          title={texts.emptyTitle}
          text={texts.emptyText}
          action={
            <Button variant="default" onClick={onGenerate ?? undefined} disabled={onGenerate === null}>
              {texts.generate}
            </Button>
          }
        />
      }
    />
  );
}

function nameOf({ name }: Backup): string {
  return name;
}

function detailsOf(backup: Backup) {
  return <BackupDetails backup={backup} />;
}

/**
 * Offers none during creation. Without `by`, a backup is unreadable and can only be deleted. Evidence cannot be
 * deleted.
 */
function availableActions(backup: Backup, canTransfer: boolean): readonly BackupAction[] {
  const refused = [backup.isEvidence && 'delete', !canTransfer && 'transfer'];
  return offeredIn(backup).filter((action) => !refused.includes(action));
}

function offeredIn({ state, by }: Backup): readonly BackupAction[] {
  if (state === 'making') return [];
  if (by === null) return ['delete'];
  if (state === 'damaged') return ['download', 'check', 'drill', 'delete'];
  return ['import', 'download', 'transfer', 'check', 'drill', 'delete'];
}

function BackupDetails({ backup }: { backup: Backup }) {
  const { state, problems, checkedAt, isEncrypted, isEvidence } = backup;
  return (
    <div className={classes.details}>
      <Text size="sm">{backupTexts.meaning[state]}</Text>
      {problems.length > 0 && (
        <List size="sm" className={classes.problems}>
          {problems.map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
      )}
      {state === 'whole' && (
        <Text size="sm">{checkedAt === null ? backupTexts.unchecked : backupTexts.checkedRight(checkedAt)}</Text>
      )}
      {isEvidence && <Text size="sm">{backupTexts.evidence}</Text>}
      {isEncrypted !== null && <Text size="sm">{isEncrypted ? backupTexts.encrypted : backupTexts.notEncrypted}</Text>}
    </div>
  );
}

const TONES = { making: 'neutral', whole: 'good', damaged: 'bad', unfinished: 'warn' } as const;

function timeColumn(
  id: 'checkedAt' | 'drilledAt' | 'transferredAt',
  header: string,
  yields: number,
): DataColumn<Backup> {
  const cell = (row: Backup) => <DateTime value={row[id]} relative />;
  return { id, header, accessor: (row) => row[id], cell, width: 136, sortable: true, yields };
}

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
    yields: 3,
  },
  {
    id: 'rows',
    header: 'Rows',
    accessor: ({ rows }) => rows,
    cell: ({ rows }) => rows !== null && formatCount(rows),
    align: 'right',
    width: 110,
    sortable: true,
    yields: 5,
  },
  {
    id: 'by',
    header: 'By',
    accessor: ({ by }) => by,
    cell: ({ by }) => by !== null && <TwoLines text={by} />,
    width: 140,
    sortable: true,
    yields: 4,
  },
  timeColumn('checkedAt', 'Checked', 1),
  timeColumn('drilledAt', 'Tested', 0),
  timeColumn('transferredAt', 'Transferred', 3),
];
