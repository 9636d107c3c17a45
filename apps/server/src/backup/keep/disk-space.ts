import { statfs } from 'node:fs/promises';
import { isNearlyFull, readDisks, type ReadDisk } from '../../platform/disks.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { BACKUP_TEXTS } from '../backup-texts.ts';

const MIN_FREE_BYTES = 1e9;

/** Callers see the message. */
export class BackupRefused extends Error {}

export interface Disk {
  readonly free: (folder: string) => Promise<number>;
  readonly checkEveryBytes: number;
}

export const REAL_DISK: Disk = {
  async free(folder) {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
  checkEveryBytes: 64e6,
};

/** Throws {@link BackupRefused} unless 1 GB remains free. */
export async function requireSpace(disk: Disk, folder: string, forBytes: number): Promise<void> {
  const left = await spaceProblem(disk, folder, forBytes);
  if (left) throw new BackupRefused(BACKUP_TEXTS.noSpace(left));
}

/** PostgreSQL stops for every network if its WAL runs out of space. An undefined folder means a remote database. */
export async function requireDatabaseSpace(disk: Disk, folder: string | undefined, forBytes: number): Promise<void> {
  const left = folder === undefined ? undefined : await spaceProblem(disk, folder, forBytes);
  if (left) throw new BackupRefused(BACKUP_TEXTS.noDatabaseSpace(left));
}

/**
 * Throws {@link BackupRefused} on a nearly full disk. A clearing's backup stays 90 days, so clearings stop before
 * ordinary backups.
 */
export async function requireSpaceToClear(backupDir: string, readSpace?: ReadDisk): Promise<void> {
  const [disk] = await readDisks({ BACKUP_DIR: backupDir }, readSpace);
  if (disk && isNearlyFull(disk)) throw new BackupRefused(BACKUP_TEXTS.diskNearlyFull(sizeText(disk.free)));
}

async function spaceProblem(disk: Disk, folder: string, forBytes: number): Promise<string | undefined> {
  const free = await disk.free(folder);
  if (free - forBytes >= MIN_FREE_BYTES) return undefined;
  return BACKUP_TEXTS.spaceLeft(sizeText(free), sizeText(forBytes));
}

export function toDiskError(error: unknown): unknown {
  if (error instanceof BackupRefused)
    return new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.nothingLost(error.message) });
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined || !OF_FILES.test(code)) return error;
  return new CallError('RULE_REFUSED', {
    message: BACKUP_TEXTS.folderUnusable(code),
  });
}

const OF_FILES =
  /^(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EIO|ENOENT|ENOTDIR|EEXIST|EISDIR|EMFILE|ENFILE|ENOTEMPTY|EBUSY)$/;

const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** 2,345,678 → `2.3 MB`. Rounds sizes below 1 MB up to whole kilobytes. */
export function sizeText(bytes: number): string {
  if (bytes > 0 && bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${format.format(bytes / 1e6)} MB` : `${format.format(bytes / 1e9)} GB`;
}
