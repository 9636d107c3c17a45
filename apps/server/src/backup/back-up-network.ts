import type { Services } from '../services.ts';
import { foldersOf, newFolderName } from './backup-folders.ts';
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

/** Backs up the network of an admin into a new folder of its own, and gives the name of that. Throws as `takeBackup` does. */
export async function backUpNetwork(
  { clock }: Pick<Services, 'clock'>,
  { connectionString, dir, key }: Place,
  { actor: { id, networkId, username: by }, signal }: Asked,
): Promise<string> {
  const takenAt = clock.now();
  const name = newFolderName(takenAt);
  const into = foldersOf(dir, id);
  await takeBackup({ connectionString: connectionString(), networkId, into, name, by, takenAt, key, signal });
  return name;
}
