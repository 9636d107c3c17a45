import type { Logger } from 'pino';
import type { Services } from '../services.ts';
import { foldersOf, newFolderName } from './backup-folders.ts';
import { BackupRefused } from './disk-room.ts';
import { takeBackup } from './take-backup.ts';

/** Where the database is, and where backups lie, for whom they are encrypted. */
interface Place {
  readonly connectionString: () => string;
  readonly dir: string;
  readonly key: string | undefined;
}

/** Whose network is backed up: that of its admin, who asked for it. */
interface Asked {
  readonly actor: { readonly id: string; readonly networkId: number; readonly username: string };
  readonly signal: AbortSignal;
}

/**
 * Backs up the network of an admin into a new folder of its own, and gives the name of that. Throws a sentence where it can't; what is not for the
 * admin's eyes, such as where backups lie, is logged.
 */
export async function backUpNetwork(
  { clock }: Pick<Services, 'clock'>,
  { connectionString, dir, key }: Place,
  { actor: { id, networkId, username: by }, signal }: Asked,
  logger: Pick<Logger, 'error'>,
): Promise<string> {
  const takenAt = clock.now();
  const name = newFolderName(takenAt);
  const into = foldersOf(dir, id);
  try {
    await takeBackup({ connectionString: connectionString(), networkId, into, name, by, takenAt, key, signal });
  } catch (error) {
    if (error instanceof BackupRefused || signal.aborted) throw error;
    logger.error({ error }, 'a backup could not be made');
    throw new Error('It could not be made; the log of the server says why.', { cause: error });
  }
  return name;
}
