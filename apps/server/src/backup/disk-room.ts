import { statfs } from 'node:fs/promises';
import { isNearlyFull, readDisks } from '../health/disks.ts';
import type { LookAtDisk } from '../health/disks.ts';
import { CallError } from '../http/http-errors.ts';
import { sizeText } from './size-text.ts';

/** A backup leaves at least so much of the disk free. */
const MIN_FREE_BYTES = 1e9;

/** A backup that was refused, in words for whoever asked for it. Nothing of it is left. */
export class BackupRefused extends Error {}

/** How the room on a disk is looked at, in bytes. */
export interface Disk {
  readonly free: (folder: string) => Promise<number>;
  /** While a file is written, whenever so much more of it is there. */
  readonly lookEvery: number;
}

/** The disk where a folder really is. */
export const REAL_DISK: Disk = {
  async free(folder) {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
  lookEvery: 64e6,
};

/** Throws {@link BackupRefused} where so many bytes more in a folder would leave less than 1 GB of its disk free. */
export async function requireRoom(disk: Disk, folder: string, forBytes: number): Promise<void> {
  const left = await tooLittle(disk, folder, forBytes);
  if (left)
    throw new BackupRefused(
      `The disk has no room for a backup: ${left}. Delete backups, or set BACKUP_DIR to a folder on another disk.`,
    );
}

/**
 * The same for rows that are loaded into the database whose files lie in a folder: PostgreSQL ends where its log finds no room, and with it every network.
 * A folder that nobody knows is on another machine, which is looked after there.
 */
export async function requireRoomForRows(disk: Disk, folder: string | undefined, forBytes: number): Promise<void> {
  const left = folder === undefined ? undefined : await tooLittle(disk, folder, forBytes);
  if (left)
    throw new BackupRefused(
      `The disk of the database has no room for what is loaded beside: ${left}. Make room there first.`,
    );
}

/**
 * Throws {@link BackupRefused} while the disk of the backups is nearly full. A clearing takes a backup that nobody can delete for 90 days, so it
 * stops before backups that can be deleted do.
 */
export async function requireRoomToClear(backupDir: string, look?: LookAtDisk): Promise<void> {
  const [disk] = await readDisks({ BACKUP_DIR: backupDir }, look);
  if (disk && isNearlyFull(disk))
    throw new BackupRefused(
      `The disk of the backups is nearly full: ${sizeText(disk.free)} are free. Make room there first.`,
    );
}

/** How much is free and how much is wanted, in words, where that would leave too little. */
async function tooLittle(disk: Disk, folder: string, forBytes: number): Promise<string | undefined> {
  const free = await disk.free(folder);
  if (free - forBytes >= MIN_FREE_BYTES) return undefined;
  return `${sizeText(free)} are free, it may take ${sizeText(forBytes)} more, and 1 GB is to stay free`;
}

/** What goes wrong with the disk, as the error for whoever asked; anything else is given as it is. */
export function diskInWords(error: unknown): unknown {
  if (error instanceof BackupRefused)
    return new CallError('RULE_REFUSED', { message: `${error.message} Nothing was lost.` });
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined || !OF_FILES.test(code)) return error;
  return new CallError('RULE_REFUSED', {
    message: `The folder of the backups on the server can’t be used (${code}). Nothing was lost. Please tell whoever runs the server.`,
  });
}

const OF_FILES =
  /^(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EIO|ENOENT|ENOTDIR|EEXIST|EISDIR|EMFILE|ENFILE|ENOTEMPTY|EBUSY)$/;
