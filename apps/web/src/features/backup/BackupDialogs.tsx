import { deleteBackup, transferBackup, undoRestore, type Backup } from '@drawhouse/contract/backup/backups';
import type { NetworkWorkState } from '@drawhouse/contract/network-work/network-work';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../lib/server/api.ts';
import { useConfirmCall } from '../../lib/form/useConfirmCall.ts';
import type { NetworkWorkView } from '../../lib/server/useNetworkWork.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { WorkProgress } from '../../ui/page/Loading.tsx';
import { backupTexts } from './backupTexts.ts';
import { failWith, leaveAfterRestore } from './backupCalls.ts';
import { RestoreDialog } from './RestoreDialog.tsx';

export type BackupQuestion =
  | { readonly kind: 'restore' | 'transfer' | 'deletion'; readonly backup: Backup }
  | { readonly kind: 'undo'; readonly backup: null };

interface BackupDialogsProps {
  target: BackupQuestion | null;
  work: NetworkWorkState | null;
  look: NetworkWorkView['read'];
  onTransfer: (backup: Backup) => void;
  onClose: () => void;
}

export function BackupDialogs({ target, work, look, onTransfer, onClose }: BackupDialogsProps) {
  const of = (kind: BackupQuestion['kind']) => (target?.kind === kind ? target.backup : null);
  return (
    <>
      <RestoreDialog backup={of('restore')} work={work} look={look} onClose={onClose} />
      <TransferDialog
        backup={of('transfer')}
        onConfirm={(backup) => {
          onClose();
          onTransfer(backup);
        }}
        onClose={onClose}
      />
      <DeleteDialog backup={of('deletion')} look={look} onClose={onClose} />
      <UndoDialog target={target?.kind === 'undo'} work={work} onClose={onClose} />
    </>
  );
}

interface TransferDialogProps {
  backup: Backup | null;
  onConfirm: (backup: Backup) => void;
  onClose: () => void;
}

function TransferDialog({ backup, onConfirm, onClose }: TransferDialogProps) {
  const { title, question, consequence } = backupTexts.transfer;
  const shown = useShown(backup);
  return (
    <ConfirmDialog
      opened={backup !== null}
      title={title}
      confirms={transferBackup}
      onConfirm={() => backup && onConfirm(backup)}
      onClose={onClose}
    >
      {shown && question(shown.name)}
      {shown && <Text mt="xs">{consequence(shown.isEncrypted === true)}</Text>}
    </ConfirmDialog>
  );
}

interface DeleteDialogProps {
  backup: Backup | null;
  look: NetworkWorkView['read'];
  onClose: () => void;
}

function DeleteDialog({ backup, look, onClose }: DeleteDialogProps) {
  const { title, question, consequence } = backupTexts.delete;
  const { shown, dialog } = useConfirmCall(backup, {
    send: ({ name }) =>
      failWith(backupTexts.failures.deletion, (options) => call(deleteBackup, { query: { folder: name } }, options)),
    onDone: () => void look(),
    onClose,
  });
  return (
    <ConfirmDialog {...dialog} title={title} confirms={deleteBackup} danger>
      {shown && question(shown.name)}
      <Text mt="xs">{consequence}</Text>
    </ConfirmDialog>
  );
}

interface UndoDialogProps {
  target: boolean;
  work: NetworkWorkState | null;
  onClose: () => void;
}

const UNDO = {};

function UndoDialog({ target, work, onClose }: UndoDialogProps) {
  const { title, text, label, signInAgain } = backupTexts.undo;
  const { dialog } = useConfirmCall(target ? UNDO : null, {
    send: () => failWith(backupTexts.failures.undo, (options) => call(undoRestore, {}, options)),
    onDone: ({ message }) => leaveAfterRestore(message, signInAgain),
    onClose,
  });
  return (
    <ConfirmDialog {...dialog} title={title} confirmLabel={label} confirms={undoRestore} danger>
      {dialog.busy && work?.kind === 'undo' ? <WorkProgress work={work} /> : text}
    </ConfirmDialog>
  );
}

function useShown(backup: Backup | null): Backup | null {
  const [shown, setShown] = useState(backup);
  if (backup && backup !== shown) setShown(backup);
  return shown;
}
