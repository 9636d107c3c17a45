import path from 'node:path';
import { Readable } from 'node:stream';
import * as contract from '@drawhouse/contract/backup/backups';
import type { AppOptions } from '../../src/compose/app-options.ts';
import type { Restoring } from '../../src/backup/restore/restoring.ts';
import type { Work } from '../../src/activity/network-work/network-work.ts';
import type { SignedIn, TestApp } from '../harness.ts';

export class RecordingParts {
  readonly asked: unknown[][] = [];
  problems: string[] = [];
  undoUntil: Date | undefined;
  archive!: Readable;
  sending: (work: Work) => Promise<void> = async () => {};

  readonly #restoring: Restoring = {
    losses: async ({ actor }, { name, manifest }) => {
      this.asked.push(['losses', actor.id, name]);
      const lost = { tickets: 1, transfers: 2, accounts: 3, orders: 0, changes: 4 };
      const taken = [{ username: 'anita', role: 'user' as const }];
      const takenAt = typeof manifest === 'object' ? manifest.takenAt : '';
      return { takenAt, lost, openDraws: 5, kept: { payments: 0, weeks: 0 }, namesTaken: taken };
    },
    restore: async ({ call, backup, renames }) => {
      this.asked.push(['restore', call.actor.id, backup.name, renames]);
      return { safetyFolder: 'before', notes: ['One draw is void.'], slips: [] };
    },
    drill: async ({ actor }, { name }) => {
      this.asked.push(['drill', actor.id, name]);
      return this.problems;
    },
    undo: async ({ actor }) => void this.asked.push(['undo', actor.id]),
    undoUntil: async () => this.undoUntil,
  };

  readonly parts: NonNullable<AppOptions['backupParts']> = {
    restoring: this.#restoring,
    archiveOf: (folder) => {
      this.archive = Readable.from([`archive of ${path.basename(folder)}`]);
      return this.archive;
    },
    transferring: {
      send: async (folder, name, work) => {
        this.asked.push(['send', path.basename(folder), name]);
        await this.sending(work);
        return { where: 'shared.example', bytes: 1 };
      },
    },
  };

  reset(): void {
    this.asked.length = 0;
    this.problems = [];
    this.undoUntil = undefined;
    this.sending = async () => {};
  }
}

export const callsOf = (t: TestApp, folder: string) =>
  [
    ['checkbackup', (as: SignedIn) => t.call(contract.checkBackup, { query: { folder } }, as)],
    ['losses', (as: SignedIn) => t.call(contract.backupLosses, { query: { folder } }, as)],
    ['importbackup', (as: SignedIn) => t.call(contract.importBackup, { query: { folder } }, as)],
    ['drill', (as: SignedIn) => t.call(contract.drillBackup, { body: { folder } }, as)],
    ['downloadbackup', (as: SignedIn) => t.call(contract.downloadBackup, { query: { folder } }, as)],
    ['transferbackup', (as: SignedIn) => t.call(contract.transferBackup, { query: { folder } }, as)],
    ['deletebackup', (as: SignedIn) => t.call(contract.deleteBackup, { query: { folder } }, as)],
  ] as const;
