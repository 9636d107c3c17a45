import { listBackups } from '@drawhouse/contract/backup/backups';
import type { Backup } from '@drawhouse/contract/backup/backups';
import type { NetworkWorkState } from '@drawhouse/contract/network-work/work';
import { IconArchive } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, errorMessage } from '../../lib/api.ts';
import { partOf } from '../../lib/part.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { isUnderWay, useNetworkWork } from '../../lib/useNetworkWork.ts';
import { usePageNote } from '../../lib/usePageNote.ts';
import type { PageNote } from '../../lib/usePageNote.ts';
import { useUser } from '../../lib/useSession.ts';
import { HeadButton } from '../../ui/HeadButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { WorkProgress } from '../../ui/WorkProgress.tsx';
import type { BackupQuestion } from './BackupDialogs.tsx';
import classes from './BackupsPage.module.css';
import { BackupTable } from './BackupTable.tsx';
import type { BackupAction } from './BackupTable.tsx';
import { backupTexts as texts } from './backupTexts.ts';
import { BackupTrouble } from './BackupTrouble.tsx';
import { failWith } from './failWith.ts';
import { UndoOffer } from './UndoOffer.tsx';
import { useBackupActs } from './useBackupActs.ts';
import { toldOf } from './workAnswer.ts';

const useDialogs = partOf(() => import('./BackupDialogs.tsx'));

/** What is asked before some actions. */
const QUESTIONS = { import: 'restore', transfer: 'transfer', delete: 'deletion' } as const;

/** The backups of the admin's network: which there are, how far they can be relied on, and what can be done with them. */
export function BackupsPage() {
  const { username } = useUser();
  const queries = useQueryClient();
  const acts = useBackupActs();
  const note = usePageNote();
  const [asked, setAsked] = useState<BackupQuestion | null>(null);
  const dialogs = useDialogs(asked !== null);
  const view = useNetworkWork(acts.pending !== null || asked !== null, (ended) => {
    void queries.invalidateQueries({ queryKey: [queryKeys.backups] });
    tell(ended, note);
  });
  const working = isUnderWay(view.work) ? view.work : null;
  const list = useQuery({
    queryKey: [queryKeys.backups],
    queryFn: ({ signal }) =>
      failWith(texts.failures.list, (options) =>
        call(listBackups, {}, { ...options, signal, background: working !== null }),
      ),
    // A backup is under way a moment before its folder is there.
    refetchInterval: ({ state }) =>
      working?.kind === 'backup' && !isMaking(state.data?.backups) ? LOOK_AGAIN_MS : false,
  });
  const busy = working ?? (acts.pending && { ...JUST_BEGUN, kind: acts.pending.kind, by: username });
  const generate = () => void acts.begin({ kind: 'backup' }, view);

  function act(action: BackupAction, backup: Backup) {
    if (action === 'download') void acts.download(backup.name);
    else if (action === 'check' || action === 'drill') void acts.begin({ kind: action, folder: backup.name }, view);
    else setAsked({ kind: QUESTIONS[action], backup });
  }

  return (
    <>
      <PageHeader
        title={texts.title}
        action={<HeadButton name={texts.generate} icon={IconArchive} onClick={generate} disabled={busy !== null} />}
      />
      {/* The question of a restore says itself how far that is. */}
      {busy && busy.kind !== asked?.kind && <WorkProgress work={busy} />}
      <BackupTrouble trouble={acts.trouble} work={view.work} onClose={acts.clearTrouble} />
      {list.data && (
        <UndoOffer
          until={list.data.undoUntil}
          work={view.work}
          onUndo={() => setAsked({ kind: 'undo', backup: null })}
        />
      )}
      {list.data && !list.data.isEncrypted && <p className={classes.note}>{texts.readable}</p>}
      <BackupTable
        backups={list.data?.backups}
        loading={list.isFetching}
        error={list.error && !list.data ? errorMessage(list.error) : null}
        onRetry={() => void list.refetch()}
        onAct={act}
        onGenerate={busy ? null : generate}
      />
      {dialogs && (
        <dialogs.BackupDialogs
          asked={asked}
          work={working}
          onTransfer={({ name }) => void acts.begin({ kind: 'transfer', folder: name }, view)}
          look={view.look}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

const LOOK_AGAIN_MS = 1_000;

const isMaking = (backups: readonly Backup[] = []): boolean => backups.some(({ state }) => state === 'making');

/** What was begun here, until the server knows of it. */
const JUST_BEGUN = { step: '', done: 0, total: 0 } as const;

/** Tells that something has ended, whoever began it. Why it failed stands on the page. */
function tell(work: NetworkWorkState, note: PageNote): void {
  const { message, isBad } = toldOf(work);
  if (message !== null) note.show({ message, ...(isBad && { color: 'yellow', autoClose: false }) });
}
