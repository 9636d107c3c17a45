import { statfs } from 'node:fs/promises';
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
  const free = await disk.free(folder);
  if (free - forBytes < MIN_FREE_BYTES) throw new BackupRefused(noRoom(free, forBytes));
}

function noRoom(free: number, forBytes: number): string {
  return `The disk has no room for a backup: ${sizeText(free)} are free, it may take ${sizeText(forBytes)} more, and 1 GB is to stay free. Delete backups, or set BACKUP_DIR to a folder on another disk.`;
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
