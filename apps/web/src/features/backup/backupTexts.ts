import type { Backup } from '@drawhouse/contract/backup/backups';
import { formatCount, formatDateTime } from '../../lib/format/format.ts';
import type { WorkKind } from '@drawhouse/contract/network-work/network-work-texts';

export interface FailureWords {
  readonly failed: string;
  readonly unanswered: string;
}

/** Spec texts verbatim, then our own. */
export const backupTexts = {
  title: 'Backup',
  generate: 'Generate Backup',
  emptyTitle: 'No backups yet',
  emptyText: 'A backup is a snapshot of your whole network. Betting continues while it is created.',
  readable:
    'New backups are not encrypted: anyone with access to the server’s disk or a downloaded archive can ' +
    'read them. Downloaded archives contain no passwords. The server’s operator can set BACKUP_KEY.',
  failures: {
    list: { failed: 'Failed to load backups', unanswered: 'Error fetching backup list' },
    backup: { failed: 'Backup failed', unanswered: 'Backup request failed' },
    restore: { failed: 'Restore failed', unanswered: 'Restore request failed' },
    download: { failed: 'Download failed', unanswered: 'Download failed' },
    transfer: { failed: 'Transfer failed', unanswered: 'Transfer request failed' },
    deletion: { failed: 'Delete failed', unanswered: 'Delete request failed' },
    check: { failed: 'Check failed', unanswered: 'Check request failed' },
    drill: { failed: 'Test restore failed', unanswered: 'Test restore request failed' },
    undo: { failed: 'Undo failed', unanswered: 'Undo request failed' },
    move: { failed: 'Move failed', unanswered: 'Move request failed' },
    clearing: { failed: 'Clearing failed', unanswered: 'Clearing request failed' },
  } satisfies Record<WorkKind | 'list' | 'download', FailureWords>,
  states: {
    making: 'In progress',
    whole: 'Complete',
    damaged: 'Damaged',
    unfinished: 'Unfinished',
  } satisfies Record<Backup['state'], string>,
  meaning: {
    making: 'It is being created.',
    whole: 'No problems found.',
    damaged: 'Problem found:',
    unfinished: 'The server stopped while it was being created. It contains nothing to restore: delete it.',
  } satisfies Record<Backup['state'], string>,
  checkedRight: (at: string) => `Checksums last verified on ${formatDateTime(at)}.`,
  unchecked: 'Checksums not verified since it was created.',
  evidence: 'Taken before a clearing or a restore. Only the superadmin can delete it, after 90 days.',
  encrypted: 'Its files are encrypted.',
  notEncrypted: 'Its files are not encrypted.',
  actions: {
    import: 'Import',
    download: 'Download',
    transfer: 'Transfer',
    check: 'Check',
    drill: 'Test restore',
    delete: 'Delete',
  },
  delete: {
    title: 'Delete Confirmation',
    question: (name: string) => `Are you sure you want to delete backup "${name}"?`,
    consequence: 'It is deleted permanently and can’t be recovered.',
  },
  transfer: {
    title: 'Transfer Confirmation',
    question: (name: string) => `Are you sure you want to transfer backup "${name}" to shared hosting?`,
    consequence: (isEncrypted: boolean) =>
      isEncrypted
        ? 'Its archive is sent to the destination in the server’s settings. It is encrypted.'
        : 'Its archive is sent to the destination in the server’s settings, where it can be read: it is not encrypted.',
  },
  restore: {
    title: 'Import Confirmation',
    question: (name: string) => `Are you sure you want to restore from "${name}"? It overwrites the database.`,
    gone: (takenAt: string) => `Everything after ${formatDateTime(takenAt)} will be lost:`,
    nothingGone: (takenAt: string) => `Nothing was recorded after ${formatDateTime(takenAt)}: nothing will be lost.`,
    kept: (payments: number, weeks: number) =>
      `Payments (${payments}) and closed weeks (${weeks}) since then stay. What this changes in closed weeks appears in the next sheet.`,
    openDraws: (count: number) =>
      count === 1
        ? 'One draw that was open then will be voided and its stakes refunded.'
        : `${formatCount(count)} draws that were open then will be voided and their stakes refunded.`,
    safety: 'A backup of the current state is made first. You can undo the restore for one day.',
    sessions: 'Everyone in your network is signed out, including you. Passwords stay as they are now.',
    taken: 'These names are taken now. Choose new ones:',
    newName: (username: string, role: string) => `New name for ${username} (${role})`,
    restoring: 'Restoring…',
    doubt: 'It may still be running. The page shows its progress.',
    signInAgain: 'All sessions of your network have ended. Sign in again; passwords have not changed.',
  },
  undo: {
    offer: (until: string) => `The last restore can be undone until ${formatDateTime(until)}.`,
    label: 'Undo restore',
    title: 'Undo the restore?',
    text:
      'Your network returns to its state just before the restore. Everything since the restore will be ' +
      'lost, and everyone in your network is signed out, including you.',
    signInAgain: 'All sessions of your network have ended. Sign in again; passwords have not changed.',
    safety: (folder: string) => `The state before it is in backup "${folder}".`,
  },
  loading: 'Loading',
  close: 'Close',
  cancel: 'Cancel',
  confirm: 'Confirm',
} as const;

/** `12 tickets`; omits zero counts. */
export function lossWords(
  lost: Readonly<Record<'tickets' | 'transfers' | 'accounts' | 'orders' | 'changes', number>>,
): string[] {
  const words = [
    [lost.tickets, 'ticket', 'tickets'],
    [lost.transfers, 'credit transfer', 'credit transfers'],
    [lost.accounts, 'account', 'accounts'],
    [lost.orders, 'standing order', 'standing orders'],
    [lost.changes, 'log entry', 'log entries'],
  ] as const;
  return words.flatMap(([count, one, many]) =>
    count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? one : many}`],
  );
}
