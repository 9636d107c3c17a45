import path from 'node:path';
import { Readable } from 'node:stream';
import type { AppOptions } from '../../src/compose/app-options.ts';

export const RESTORES_NOTHING: NonNullable<AppOptions['backupParts']> = {
  restoring: {
    losses: async (_call, { manifest }) => ({
      takenAt: typeof manifest === 'object' ? manifest.takenAt : '',
      lost: { tickets: 0, transfers: 0, accounts: 0, orders: 0, changes: 0 },
      openDraws: 0,
      kept: { payments: 0, weeks: 0 },
      namesTaken: [],
    }),
    restore: async () => ({ safetyFolder: '2026-03-10T10-00-00Z-000000', notes: [], slips: [] }),
    drill: async () => [],
    undo: async () => {},
    undoUntil: async () => undefined,
  },
  archiveOf: (folder) => Readable.from([`the archive of ${path.basename(folder)}`]),
  transferring: { send: async () => ({ where: 'nowhere', bytes: 1 }) },
};
