import type { Backup } from '@drawhouse/contract/backup/backups';
import type { WorkKind } from '@drawhouse/contract/network-work/work';
import { formatCount, formatDateTime } from '../../lib/format.ts';

export interface FailureWords {
  readonly failed: string;
  readonly unanswered: string;
}

/** Spec texts verbatim, then our own. */
export const backupTexts = {
  title: 'Backup',
  generate: 'Generate Backup',
  emptyTitle: 'No backups yet',
  emptyText: 'A backup keeps all of your network as it is at one moment. Bets go on while it is made.',
  readable:
    'The files of new backups are not encrypted: whoever has the disk of the server, or a downloaded archive, can read them. A downloaded archive has no passwords. Whoever runs the server can set BACKUP_KEY.',
  failures: {
    list: { failed: 'Failed to load backups', unanswered: 'Error fetching backup list' },
    backup: { failed: 'Backup failed', unanswered: 'Backup request failed' },
    restore: { failed: 'Restore failed', unanswered: 'Restore request failed' },
    download: { failed: 'Download failed', unanswered: 'Download failed' },
    transfer: { failed: 'Transfer failed', unanswered: 'Transfer request failed' },
    deletion: { failed: 'Delete failed', unanswered: 'Delete request failed' },
    check: { failed: 'Check failed', unanswered: 'Check request failed' },
    drill: { failed: 'Trial failed', unanswered: 'Trial request failed' },
    undo: { failed: 'Undo failed', unanswered: 'Undo request failed' },
    move: { failed: 'Move failed', unanswered: 'Move request failed' },
    clearing: { failed: 'Clearing failed', unanswered: 'Clearing request failed' },
  } satisfies Record<WorkKind | 'list' | 'download', FailureWords>,
  states: {
    making: 'Being made',
    whole: 'Whole',
    damaged: 'Damaged',
    unfinished: 'Unfinished',
  } satisfies Record<Backup['state'], string>,
  meaning: {
    making: 'It is being made now.',
    whole: 'Nothing is known to be wrong with it.',
    damaged: 'Something is wrong with it:',
    unfinished: 'The server was ended while it was made. There is nothing in it to restore: delete it.',
  } satisfies Record<Backup['state'], string>,
  checkedRight: (at: string) => `Its checksums were last found right on ${formatDateTime(at)}.`,
  unchecked: 'Its checksums were not looked at since it was made.',
  evidence:
    'It was taken before a clearing or a restore. Only the superadmin can delete it, 90 days after it was taken.',
  encrypted: 'Its files are encrypted.',
  notEncrypted: 'Its files are not encrypted.',
  actions: {
    import: 'Import',
    download: 'Download',
    transfer: 'Transfer',
    check: 'Check',
    drill: 'Try',
    delete: 'Delete',
  },
  delete: {
    title: 'Delete Confirmation',
    question: (name: string) => `Are you sure you want to delete backup "${name}"?`,
    consequence: 'It is deleted permanently: nobody can bring it back.',
  },
  transfer: {
    title: 'Transfer Confirmation',
    question: (name: string) => `Are you sure you want to transfer backup "${name}" to shared hosting?`,
    consequence: (isEncrypted: boolean) =>
      isEncrypted
        ? 'Its archive is sent to the place that the settings of the server name. It is encrypted.'
        : 'Its archive is sent to the place that the settings of the server name, where it can be read: it is not encrypted.',
  },
  restore: {
    title: 'Import Confirmation',
    question: (name: string) => `Are you sure you want to restore from "${name}"? It overwrites the database.`,
    gone: (takenAt: string) => `What came since ${formatDateTime(takenAt)} will be gone:`,
    nothingGone: (takenAt: string) => `Nothing came since ${formatDateTime(takenAt)}: nothing will be gone.`,
    openDraws: (count: number) =>
      count === 1
        ? 'One draw was open in it. It will be void, and its stakes given back.'
        : `${formatCount(count)} draws were open in it. They will be void, and their stakes given back.`,
    safety: 'A backup of what there is now is made first, and for a day the restore can be undone.',
    sessions: 'Everybody of your network is signed out, you too. Passwords stay as they are now.',
    taken: 'These names belong to others now. Give each a new one:',
    newName: (username: string, role: string) => `New name of ${username} (${role})`,
    restoring: 'Restoring…',
    doubt: 'It may go on all the same. The page says what is under way.',
    signInAgain: 'All sessions of your network have ended. Please sign in again; passwords are as they were.',
  },
  undo: {
    offer: (until: string) => `The last restore can be undone until ${formatDateTime(until)}.`,
    label: 'Undo restore',
    title: 'Undo the restore?',
    text: 'Your network is put back to what it was just before the restore. What came since the restore will be gone, and everybody of your network is signed out, you too.',
    signInAgain: 'All sessions of your network have ended. Please sign in again; passwords are as they were.',
    safety: (folder: string) => `What there was before it is in backup "${folder}".`,
  },
} as const;

/** `12 tickets`; omits zero counts. */
export function lossWords(lost: Readonly<Record<'tickets' | 'transfers' | 'accounts' | 'changes', number>>): string[] {
  const words = [
    [lost.tickets, 'ticket', 'tickets'],
    [lost.transfers, 'transfer of credit', 'transfers of credit'],
    [lost.accounts, 'account', 'accounts'],
    [lost.changes, 'row of the log', 'rows of the log'],
  ] as const;
  return words.flatMap(([count, one, many]) =>
    count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? one : many}`],
  );
}
