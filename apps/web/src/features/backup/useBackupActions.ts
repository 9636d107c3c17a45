import {
  checkBackup,
  backupAddress,
  drillBackup,
  exportBackup,
  transferBackup,
} from '@drawhouse/contract/backup/backups';
import { useState } from 'react';
import { call, errorMessage } from '../../lib/server/api.ts';
import type { CallOptions } from '@drawhouse/session/api-client';
import type { NetworkWorkView } from '../../lib/server/useNetworkWork.ts';
import { backupTexts } from './backupTexts.ts';
import { failWith, mayHaveStarted } from './backupCalls.ts';
import type { WorkKind } from '@drawhouse/contract/network-work/network-work-texts';

export type BackupAct =
  | { readonly kind: 'backup' }
  | { readonly kind: 'check' | 'drill' | 'transfer'; readonly folder: string };

export interface Trouble {
  readonly title: string;
  readonly text: string | null;
}

export interface BackupActs {
  readonly pending: BackupAct | null;
  readonly trouble: Trouble | null;
  readonly clearTrouble: () => void;
  readonly begin: (act: BackupAct, view: NetworkWorkView) => Promise<void>;
  readonly download: (folder: string) => Promise<void>;
}

export function useBackupActions(): BackupActs {
  const [pending, setPending] = useState<BackupAct | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);

  async function begin(act: BackupAct, { work, read }: NetworkWorkView) {
    if (pending) return;
    const before = work?.startedAt;
    setTrouble(null);
    setPending(act);
    try {
      await failWith(backupTexts.failures[act.kind], (options) => send(act, options));
      await read();
    } catch (error) {
      const latest = await read();
      // A lost answer does not stop the job.
      const isBegun = mayHaveStarted(error) && latest?.kind === act.kind && latest.startedAt !== before;
      if (!isBegun || latest.failure !== null) setTrouble(troubleOf(act.kind, error));
    } finally {
      setPending(null);
    }
  }

  async function download(folder: string) {
    setTrouble(null);
    try {
      const { address } = await failWith(backupTexts.failures.download, (options) =>
        call(backupAddress, { query: { folder } }, options),
      );
      // A download does not leave the page either.
      if (!window.open(address, '_blank')) window.location.assign(address);
    } catch (error) {
      setTrouble(troubleOf('download', error));
    }
  }

  return { pending, trouble, clearTrouble: () => setTrouble(null), begin, download };
}

function send(act: BackupAct, options: CallOptions): Promise<unknown> {
  switch (act.kind) {
    case 'backup':
      return call(exportBackup, {}, options);
    case 'check':
      return call(checkBackup, { query: { folder: act.folder } }, options);
    case 'drill':
      return call(drillBackup, { body: { folder: act.folder } }, options);
    case 'transfer':
      return call(transferBackup, { query: { folder: act.folder } }, options);
  }
}

function troubleOf(kind: WorkKind | 'download', error: unknown): Trouble {
  const { failed, unanswered } = backupTexts.failures[kind];
  const message = errorMessage(error, failed);
  return message === failed || message === unanswered
    ? { title: message, text: null }
    : { title: failed, text: message };
}
