import type { Backup } from '@drawhouse/contract/backup/backups';
import { Button } from '@mantine/core';
import {
  IconCloudUpload,
  IconDatabaseImport,
  IconDownload,
  IconShieldCheck,
  IconTestPipe,
  IconTrash,
} from '@tabler/icons-react';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { RowAction } from '../../ui/RowActions.tsx';
import { BACKUP_COLUMNS } from './backupColumns.tsx';
import { BackupDetails } from './BackupDetails.tsx';
import { backupTexts as texts } from './backupTexts.ts';

const PAGE_ROWS = 25;

/** What can be done with a backup. */
export type BackupAction = keyof typeof texts.actions;

interface BackupTableProps {
  /** Undefined until they are loaded. */
  backups: readonly Backup[] | undefined;
  loading: boolean;
  error: string | null;
  onRetry: () => void;
  onAct: (action: BackupAction, backup: Backup) => void;
  /** Makes the first; null while something is under way. */
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

/** The list of backups, the newest first, with what can be done with each. */
export function BackupTable({ backups, loading, error, onRetry, onAct, onGenerate }: BackupTableProps) {
  return (
    <DataTable
      label={texts.title}
      rows={backups}
      columns={BACKUP_COLUMNS}
      rowKey={nameOf}
      rowLabel={nameOf}
      actions={(backup) =>
        offered(backup).map((id) => ({
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

/** What can be done with a backup as it is: nothing with one that is being made, and with what nobody can read only one thing. */
function offered(backup: Backup): readonly BackupAction[] {
  const actions = offeredIn(backup);
  return backup.isEvidence ? actions.filter((action) => action !== 'delete') : actions;
}

function offeredIn({ state, by }: Backup): readonly BackupAction[] {
  if (state === 'making') return [];
  if (by === null) return ['delete'];
  if (state === 'damaged') return ['download', 'check', 'drill', 'delete'];
  return ['import', 'download', 'transfer', 'check', 'drill', 'delete'];
}
