import type { Logger } from 'pino';
import type { LookAtDisk } from '../health/disks.ts';
import type { Work } from '../network-work/network-work.ts';
import type { Services } from '../services.ts';
import { foldersOf, newFolderName } from './backup-folders.ts';
import { BackupRefused, requireRoomToClear } from './disk-room.ts';
import type { Manifest } from './manifest.ts';
import { takeBackup } from './take-backup.ts';
import type { BackupOrder } from './take-backup.ts';

/** Where the database is, where backups lie and for whom they are encrypted, and what takes them; {@link takeBackup} where it is left out. */
interface Place {
  readonly connectionString: () => string;
  readonly dir: string;
  readonly key: string | undefined;
  /** The private seal key, which signs; undefined: nobody does. */
  readonly sealKey?: Uint8Array | undefined;
  readonly take?: ((order: BackupOrder) => Promise<Manifest>) | undefined;
}

/** Whose network is backed up, by whom as the backup says it, until when, and who hears how far it has come. */
interface Asked extends Partial<Pick<Work, 'progress'>>, Pick<BackupOrder, 'disk'> {
  /** Its admin. */
  readonly admin: { readonly id: string; readonly networkId: number };
  readonly by: string;
  readonly signal: AbortSignal;
}

/** Who made the backup that a restore takes first: its admin, whose name has no comma in it. */
const SAFETY = ', before a restore';

/** By whom a backup is that is taken of what there is before a restore by an admin. */
export function safetyBy(username: string): string {
  return `${username}${SAFETY}`;
}

/** Whether a backup is of what there was before a restore or an undo: to restore it is to undo that. */
export function isSafety({ by }: Pick<Manifest, 'by'>): boolean {
  return by.endsWith(SAFETY);
}

/** Who made the backup that a clearing takes first. */
const BEFORE_CLEARING = ', before clearing';
/** Evidence cannot be deleted for so long. */
const EVIDENCE_DAYS = 90;

/** True for a backup that a clearing or a restore took first: the admin cannot delete it. */
export function isEvidence({ by }: Pick<Manifest, 'by'>): boolean {
  return by.endsWith(BEFORE_CLEARING) || isSafety({ by });
}

/** Until when a backup that is evidence cannot be deleted at all. */
export function evidenceUntil({ takenAt }: Pick<Manifest, 'takenAt'>): Date {
  return new Date(Date.parse(takenAt) + EVIDENCE_DAYS * 86_400_000);
}

/** Backs up the network of an admin into a new folder of its own, and gives the name of that and its manifest. Throws as {@link takeBackup} does. */
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

/**
 * Backs up a network before its admin clears history, and returns the name of the folder. Throws a sentence on failure; what is not for the admin's
 * eyes, such as where backups lie, is logged.
 */
export async function backUpBeforeClearing(
  services: Pick<Services, 'clock'>,
  place: Place,
  {
    actor,
    look,
    ...asked
  }: Pick<Asked, 'signal' | 'progress'> & {
    readonly actor: Asked['admin'] & { readonly username: string };
    /** Looks at the disk itself by default. */
    readonly look?: LookAtDisk | undefined;
  },
  logger: Pick<Logger, 'error'>,
): Promise<string> {
  try {
    await requireRoomToClear(place.dir, look);
    const by = `${actor.username}${BEFORE_CLEARING}`;
    return (await backUpNetwork(services, place, { admin: actor, by, ...asked })).name;
  } catch (error) {
    if (error instanceof BackupRefused || asked.signal.aborted) throw error;
    logger.error({ error }, 'a backup could not be made');
    throw new Error('It could not be made; the log of the server says why.', { cause: error });
  }
}
