import type { BackupParts } from './own-backups.ts';

/** TEMPORARY, until createRestoring is merged: nothing of it is there. */
export const TO_COME: Pick<BackupParts, 'restoring'> = {
  restoring: {
    losses: toCome,
    restore: toCome,
    drill: toCome,
    undo: toCome,
    undoUntil: async () => undefined,
  },
};

function toCome(): never {
  throw new Error('This is not merged yet.');
}
