import { statfs } from 'node:fs/promises';
import { isNearlyFull, readDisks } from '../../platform/disks.ts';
import type { ReadDisk } from '../../platform/disks.ts';
import { CallError } from '../../platform/http/http-errors.ts';

const MIN_FREE_BYTES = 1e9;

/** The backup was not begun, or was removed. Callers see the message. */
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

/** Throws {@link BackupRefused} if less than 1 GB would remain free. */
export async function requireSpace(disk: Disk, folder: string, forBytes: number): Promise<void> {
  const left = await spaceProblem(disk, folder, forBytes);
  if (left)
    throw new BackupRefused(
      `Not enough disk space for a backup: ${left}. Delete backups, or set BACKUP_DIR to a folder on another disk.`,
    );
}

/**
 * Refuses a staged copy that would fill the database's disk: PostgreSQL stops for every network when its WAL runs out
 * of space. An undefined folder means a remote database.
 */
export async function requireDatabaseSpace(disk: Disk, folder: string | undefined, forBytes: number): Promise<void> {
  const left = folder === undefined ? undefined : await spaceProblem(disk, folder, forBytes);
  if (left)
    throw new BackupRefused(
      `Not enough space on the database's disk for a staged copy: ${left}. Free space there first.`,
    );
}

/**
 * Throws {@link BackupRefused} while the disk is nearly full. A clearing's backup stays 90 days, so clearings stop
 * before ordinary backups do.
 */
export async function requireSpaceToClear(backupDir: string, readSpace?: ReadDisk): Promise<void> {
  const [disk] = await readDisks({ BACKUP_DIR: backupDir }, readSpace);
  if (disk && isNearlyFull(disk))
    throw new BackupRefused(
      `The disk of the backups is nearly full: ${sizeText(disk.free)} are free. Free space there first.`,
    );
}

async function spaceProblem(disk: Disk, folder: string, forBytes: number): Promise<string | undefined> {
  const free = await disk.free(folder);
  if (free - forBytes >= MIN_FREE_BYTES) return undefined;
  return `${sizeText(free)} are free, up to ${sizeText(forBytes)} more are needed, and 1 GB must stay free`;
}

export function toDiskError(error: unknown): unknown {
  if (error instanceof BackupRefused)
    return new CallError('RULE_REFUSED', { message: `${error.message} Nothing was lost.` });
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined || !OF_FILES.test(code)) return error;
  return new CallError('RULE_REFUSED', {
    message: `The server's backup folder can’t be used (${code}). Nothing was lost. Please contact the operator of the server.`,
  });
}

const OF_FILES =
  /^(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EIO|ENOENT|ENOTDIR|EEXIST|EISDIR|EMFILE|ENFILE|ENOTEMPTY|EBUSY)$/;

const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** 2,345,678 → `2.3 MB`. Sizes below 1 MB round up to whole kilobytes. */
export function sizeText(bytes: number): string {
  if (bytes > 0 && bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${format.format(bytes / 1e6)} MB` : `${format.format(bytes / 1e9)} GB`;
}
