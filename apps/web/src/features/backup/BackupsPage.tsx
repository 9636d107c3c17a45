import { listBackups, type Backup } from '@drawhouse/contract/backup/backups';
import type { NetworkWorkState } from '@drawhouse/contract/network-work/network-work';
import { IconArchive, IconArrowBackUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { call, errorMessage } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { prefetched } from '../../lib/lazyParts.ts';
import { isRunning, useNetworkWork } from '../../lib/server/useNetworkWork.ts';
import { usePageNote, type PageNote } from '../../lib/form/usePageNote.ts';
import { useUser } from '../../lib/session/session.ts';
import { HeadButton, PageHeader } from '../../ui/page/PageHeader.tsx';
import { WorkProgress, Strip } from '../../ui/page/Loading.tsx';
import type { BackupQuestion } from './BackupDialogs.tsx';
import classes from './BackupsPage.module.css';
import { BackupTable, type BackupAction } from './BackupTable.tsx';
import { backupTexts as texts, backupTexts } from './backupTexts.ts';
import { failWith } from './backupCalls.ts';
import { useBackupActions, type Trouble } from './useBackupActions.ts';
import { Button, Alert } from '@mantine/core';
import { useMinute } from '../../ui/mark/DateTime.tsx';
import { formatDateTime } from '../../lib/format/format.ts';
import { writeStored, readStored, subscribeStored } from '../../lib/devicePreferences.ts';
import { RequestId } from '../../lib/RequestId.tsx';

const useDialogs = prefetched(() => import('./BackupDialogs.tsx'));

const QUESTIONS = { import: 'restore', transfer: 'transfer', delete: 'deletion' } as const;

export function BackupsPage() {
  const { username } = useUser();
  const acts = useBackupActions();
  const note = usePageNote(texts.title);
  const [target, setTarget] = useState<BackupQuestion | null>(null);
  const dialogs = useDialogs(target !== null);
  const view = useNetworkWork(acts.pending !== null || target !== null, (ended) => {
    void reload(['backups']);
    notifyOutcome(ended, note);
  });
  const working = isRunning(view.work) ? view.work : null;
  const list = useQuery({
    queryKey: ['backups'],
    queryFn: ({ signal }) =>
      failWith(texts.failures.list, (options) =>
        call(listBackups, {}, { ...options, signal, background: working !== null }),
      ),
    // The job starts shortly before its folder exists.
    refetchInterval: ({ state }) =>
      working?.kind === 'backup' && !isMaking(state.data?.backups) ? LOOK_AGAIN_MS : false,
  });
  const busy = working ?? (acts.pending && { ...JUST_BEGUN, kind: acts.pending.kind, by: username });
  const generate = () => void acts.begin({ kind: 'backup' }, view);

  function act(action: BackupAction, backup: Backup) {
    if (action === 'download') void acts.download(backup.name);
    else if (action === 'check' || action === 'drill') void acts.begin({ kind: action, folder: backup.name }, view);
    else setTarget({ kind: QUESTIONS[action], backup });
  }

  return (
    <>
      <PageHeader
        title={texts.title}
        action={<HeadButton name={texts.generate} icon={IconArchive} onClick={generate} disabled={busy !== null} />}
      />
      {busy && busy.kind !== target?.kind && <WorkProgress work={busy} />}
      <BackupTrouble trouble={acts.trouble} work={view.work} onClose={acts.clearTrouble} />
      {list.data && (
        <UndoOffer
          until={list.data.undoUntil}
          work={view.work}
          onUndo={() => setTarget({ kind: 'undo', backup: null })}
        />
      )}
      {list.data && !list.data.isEncrypted && <p className={classes.note}>{texts.readable}</p>}
      <BackupTable
        backups={list.data?.backups}
        loading={list.isFetching}
        canTransfer={list.data?.canTransfer ?? false}
        error={list.error && !list.data ? errorMessage(list.error) : null}
        onRetry={() => void list.refetch()}
        onAct={act}
        onGenerate={busy ? null : generate}
      />
      {dialogs && (
        <dialogs.BackupDialogs
          target={target}
          work={working}
          onTransfer={({ name }) => void acts.begin({ kind: 'transfer', folder: name }, view)}
          look={view.read}
          onClose={() => setTarget(null)}
        />
      )}
    </>
  );
}

const LOOK_AGAIN_MS = 1_000;

const isMaking = (backups: readonly Backup[] = []): boolean => backups.some(({ state }) => state === 'making');

const JUST_BEGUN = { step: '', done: 0, total: 0 } as const;

function notifyOutcome(work: NetworkWorkState, note: PageNote): void {
  const { message, isBad } = outcomeText(work);
  if (message !== null) note.show({ message, ...(isBad && { color: 'yellow', autoClose: false }) });
}

interface UndoOfferProps {
  until: string | null;
  /** Also shows the outcome of a restore, which ended all sessions. */
  work: NetworkWorkState | null | undefined;
  onUndo: () => void;
}

function UndoOffer({ until, work, onUndo }: UndoOfferProps) {
  const now = useMinute();
  if (until === null || Date.parse(until) <= now) return null;
  const { message, safetyFolder, notes } = answerOf(work?.kind === 'restore' ? work : { answer: null });
  return (
    <Strip aria-label={backupTexts.undo.label}>
      <div className={classes.undo}>
        <p>
          {message !== null && <strong>{message}. </strong>}
          {safetyFolder !== null && `${backupTexts.undo.safety(safetyFolder)} `}
          {backupTexts.undo.offer(until)}
        </p>
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
      <Button variant="default" size="xs" leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={onUndo}>
        {backupTexts.undo.label}
      </Button>
    </Strip>
  );
}

interface WorkAnswer {
  readonly message: string | null;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly safetyFolder: string | null;
}

/** The answer may be an older server's. */
function answerOf({ answer }: Pick<NetworkWorkState, 'answer'>): WorkAnswer {
  const known = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  return {
    message: textOf(known['message']),
    problems: textsOf(known['problems']),
    notes: textsOf(known['notes']),
    safetyFolder: textOf(known['safetyFolder']),
  };
}

function outcomeText(work: Pick<NetworkWorkState, 'answer' | 'failure'>): { message: string | null; isBad: boolean } {
  const { message, problems } = answerOf(work);
  return { message: work.failure === null ? message : null, isBad: problems.length > 0 };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

interface BackupTroubleProps {
  trouble: Trouble | null;
  /** Failed jobs are shown in every tab and after a reload. */
  work: NetworkWorkState | null | undefined;
  onClose: () => void;
}

const READ = 'backup-trouble-read';

/** Stays until dismissed or until another job starts. */
function BackupTrouble({ trouble, work, onClose }: BackupTroubleProps) {
  const read = useSyncExternalStore(subscribeStored, () => readStored(READ));
  const shown = trouble ?? (work && work.startedAt !== read ? failureOf(work) : null);
  if (!shown) return null;
  return (
    <Alert
      className={classes.trouble}
      color="red"
      variant="light"
      role="alert"
      title={shown.title}
      withCloseButton
      closeButtonLabel="Close"
      onClose={() => {
        if (work) writeStored(READ, work.startedAt);
        onClose();
      }}
    >
      {shown.text}
      <RequestId message={shown.text ?? shown.title} />
    </Alert>
  );
}

function failureOf({ kind, by, finishedAt, failure }: NetworkWorkState): Trouble | null {
  if (failure === null || finishedAt === null) return null;
  const { failed } = backupTexts.failures[kind];
  return { title: failed, text: `${failure} (${by}, ${formatDateTime(finishedAt)})` };
}
