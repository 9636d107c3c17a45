import type { Logger } from 'pino';
import type { ReadDisk } from '../../platform/disks.ts';
import type { Work } from '../../activity/network-work/network-work.ts';
import type { Services } from '../../platform/services.ts';
import { foldersOf, newFolderName } from '../keep/backup-folders.ts';
import { BackupRefused, requireSpaceToClear } from '../keep/disk-space.ts';
import type { Manifest } from './archive/manifest.ts';
import { takeBackup, type BackupOrder } from './take-backup.ts';
import { BACKUP_TEXTS } from '../backup-texts.ts';

interface Place {
  readonly connectionString: () => string;
  readonly dir: string;
  readonly key: string | undefined;
  readonly sealKey?: Uint8Array | undefined;
  readonly take?: ((order: BackupOrder) => Promise<Manifest>) | undefined;
}

interface Asked extends Partial<Pick<Work, 'progress'>>, Pick<BackupOrder, 'disk' | 'without'> {
  readonly admin: { readonly id: string; readonly networkId: number };
  readonly by: string;
  readonly signal: AbortSignal;
}

/** Follows a username in `by`. Usernames have no comma. */
const SAFETY = ', before a restore';

export function safetyBy(username: string): string {
  return `${username}${SAFETY}`;
}

export function isSafety({ by }: Pick<Manifest, 'by'>): boolean {
  return by.endsWith(SAFETY);
}

const BEFORE_CLEARING = ', before clearing';
const EVIDENCE_DAYS = 90;

/** The admin cannot delete backups taken by a clearing or restore. */
export function isEvidence({ by }: Pick<Manifest, 'by'>): boolean {
  return by.endsWith(BEFORE_CLEARING) || isSafety({ by });
}

export function evidenceUntil({ takenAt }: Pick<Manifest, 'takenAt'>): Date {
  return new Date(Date.parse(takenAt) + EVIDENCE_DAYS * 86_400_000);
}

export async function backUpNetwork(
  { clock }: Pick<Services, 'clock'>,
  { connectionString, dir, key, sealKey, take = takeBackup }: Place,
  { admin: { id, networkId }, ...asked }: Asked,
): Promise<{ name: string; manifest: Manifest }> {
  const takenAt = clock.now();
  const name = newFolderName(takenAt);
  const into = foldersOf(dir, id);
  const manifest = await take({
    ...asked,
    connectionString: connectionString(),
    networkId,
    into,
    name,
    takenAt,
    key,
    sealKey,
  });
  return { name, manifest };
}

/** Internal details such as paths are only logged. */
export async function backUpBeforeClearing(
  services: Pick<Services, 'clock'>,
  place: Place,
  {
    actor,
    readSpace,
    ...asked
  }: Pick<Asked, 'signal' | 'progress'> & {
    readonly actor: Asked['admin'] & { readonly username: string };
    readonly readSpace?: ReadDisk | undefined;
  },
  logger: Pick<Logger, 'error'>,
): Promise<string> {
  try {
    await requireSpaceToClear(place.dir, readSpace);
    const by = `${actor.username}${BEFORE_CLEARING}`;
    return (await backUpNetwork(services, place, { admin: actor, by, ...asked })).name;
  } catch (error) {
    if (error instanceof BackupRefused || asked.signal.aborted) throw error;
    logger.error({ error }, 'a backup could not be made');
    throw new Error(BACKUP_TEXTS.notMade, { cause: error });
  }
}
