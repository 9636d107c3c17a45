import { username } from '@drawhouse/contract/accounts/accounts';
import {
  deleteBackup,
  transferBackup,
  undoRestore,
  type Backup,
  backupLosses,
  importBackup,
  type BackupLosses,
} from '@drawhouse/contract/backup/backups';
import { ROLE_NAMES } from '@drawhouse/contract/core/roles';
import type { NetworkWorkState } from '@drawhouse/contract/network-work/network-work';
import { ApiError } from '@drawhouse/session/api-client';
import { Text, Button, Group, List, Skeleton, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, errorMessage } from '../../lib/server/api.ts';
import { useConfirmCall } from '../../lib/form/useConfirmCall.ts';
import type { NetworkWorkView } from '../../lib/server/useNetworkWork.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { WorkProgress } from '../../ui/page/Loading.tsx';
import { backupTexts, lossWords } from './backupTexts.ts';
import { failWith, leaveAfterRestore, mayHaveStarted } from './backupCalls.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { DialogForm } from '../../ui/dialog/DialogForm.tsx';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import classes from './BackupsPage.module.css';

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

const texts = backupTexts.restore;

interface RestoreDialogProps {
  backup: Backup | null;
  work: NetworkWorkState | null;
  look: NetworkWorkView['read'];
  onClose: () => void;
}

function RestoreDialog({ backup, work, look, onClose }: RestoreDialogProps) {
  const [shown, setShown] = useState(backup);
  if (backup && backup !== shown) setShown(backup);
  const [isBusy, setIsBusy] = useState(false);
  return (
    <Dialog
      opened={backup !== null}
      // Stays open until the outcome is known.
      onClose={() => isBusy || onClose()}
      title={texts.title}
    >
      {shown && (
        <Restoring
          key={shown.name}
          name={shown.name}
          work={work?.kind === 'restore' ? work : null}
          onBusy={setIsBusy}
          look={look}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface RestoringProps {
  name: string;
  work: NetworkWorkState | null;
  onBusy: (isBusy: boolean) => void;
  look: NetworkWorkView['read'];
  onClose: () => void;
}

function Restoring({ name, ...props }: RestoringProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['backups', 'losses', name],
    queryFn: ({ signal }) =>
      failWith(backupTexts.failures.restore, (options) =>
        call(backupLosses, { query: { folder: name } }, { ...options, signal }),
      ),
    // Losses grow until the restore.
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Stack gap="md">
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {texts.question(name)}
      </Text>
      {error instanceof ApiError && REFUSED.has(error.status) ? (
        <Refused why={error.message} onClose={props.onClose} />
      ) : error ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : data ? (
        <RestoreForm name={name} losses={data} {...props} />
      ) : (
        <output aria-label={backupTexts.loading}>
          {[80, 60, 70].map((width) => (
            <Skeleton key={width} height={14} width={`${width}%`} mb={10} />
          ))}
        </output>
      )}
    </Stack>
  );
}

/** Missing or invalid backup: a retry would fail too. */
const REFUSED: ReadonlySet<number> = new Set([404, 422]);

function Refused({ why, onClose }: { why: string; onClose: () => void }) {
  return (
    <>
      <Text role="alert" c="var(--dh-loss)" className={classes.refused}>
        {why}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {backupTexts.close}
        </Button>
      </Group>
    </>
  );
}

function RestoreForm({ name, losses, work, onBusy, look, onClose }: RestoringProps & { losses: BackupLosses }) {
  const { namesTaken } = losses;
  const form = useForm({
    initialValues: { names: namesTaken.map(() => '') },
    validate: ({ names }) => wrongNames(names),
  });
  const restore = useFormCall(form, {
    send: async ({ names }) => {
      onBusy(true);
      const renames = Object.fromEntries(namesTaken.map((taken, index) => [taken.username, names[index]!.trim()]));
      const query = { folder: name, ...(namesTaken.length > 0 && { renames: JSON.stringify(renames) }) };
      return failWith(backupTexts.failures.restore, (options) => call(importBackup, { query }, options));
    },
    onDone: ({ message }) => leaveAfterRestore(message, texts.signInAgain),
    onRefused: () => {
      onBusy(false);
      return look();
    },
    doubtText: (error) => (mayHaveStarted(error) ? texts.doubt : null),
    leaves: true,
  });
  return (
    <DialogForm
      label={texts.title}
      call={restore}
      submit={restore.busy ? texts.restoring : backupTexts.confirm}
      danger
      confirms={importBackup}
      onCancel={() => restore.busy || onClose()}
    >
      {restore.busy && work ? <WorkProgress work={work} /> : <RestoreConsequences losses={losses} />}
      {namesTaken.length > 0 && <Text>{texts.taken}</Text>}
      {namesTaken.map((taken, index) => (
        <TextInput
          key={taken.username}
          className={classes.newName}
          label={texts.newName(taken.username, ROLE_NAMES[taken.role])}
          spellCheck={false}
          disabled={restore.busy}
          data-autofocus={index === 0 || undefined}
          {...form.getInputProps(`names.${index}`)}
        />
      ))}
    </DialogForm>
  );
}

function wrongNames(names: readonly string[]): Record<string, string> {
  const found = names.map((name, index) => [`names.${index}`, username.safeParse(name).error?.issues[0]?.message]);
  return Object.fromEntries(found.filter(([, message]) => message !== undefined));
}

function RestoreConsequences({ losses: { takenAt, lost, openDraws, kept } }: { losses: BackupLosses }) {
  const gone = lossWords(lost);
  return (
    <Stack gap="xs">
      {gone.length === 0 ? <Text>{texts.nothingGone(takenAt)}</Text> : <Text>{texts.gone(takenAt)}</Text>}
      {gone.length > 0 && (
        <List>
          {gone.map((words) => (
            <List.Item key={words}>{words}</List.Item>
          ))}
        </List>
      )}
      {openDraws > 0 && <Text>{texts.openDraws(openDraws)}</Text>}
      {kept.payments + kept.weeks > 0 && <Text>{texts.kept(kept.payments, kept.weeks)}</Text>}
      <Text>{texts.safety}</Text>
      <Text>{texts.sessions}</Text>
    </Stack>
  );
}
