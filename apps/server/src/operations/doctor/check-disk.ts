import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import path from 'node:path';
import { sizeText } from '../../backup/keep/disk-space.ts';
import type { Config } from '../../config/config.ts';
import { isNearlyFull } from '../../platform/disks.ts';
import { fault, ok, reasonOf, warning, type Finding } from './findings.ts';

/** Below this the disk fills up within hours. */
const LEAST_BYTES = 200e6;
const LEAST_FILES = 1_000;

export interface WrittenFolder {
  readonly name: string;
  readonly folder: string;
  readonly isMade?: boolean;
}

export function foldersOfSettings({ dataDir, sealDir, backupDir, backupTransfer }: Config): WrittenFolder[] {
  return [
    { name: 'DATA_DIR', folder: dataDir },
    { name: 'SEAL_DIR', folder: sealDir },
    { name: 'BACKUP_DIR', folder: backupDir },
    ...(backupTransfer?.kind === 'file'
      ? [{ name: 'BACKUP_TRANSFER_URL', folder: backupTransfer.folder, isMade: true }]
      : []),
  ];
}

/** Uses the nearest existing parent of a missing folder. Writes nothing. */
export async function checkFolder({ name, folder, isMade }: WrittenFolder): Promise<Finding> {
  const existing = await nearest(folder);
  const where = `${name} (${folder})`;
  if (isMade && existing !== folder)
    return fault(
      'disk',
      `${where} does not exist.`,
      'Mount its disk, or create the folder. It is never created automatically.',
    );
  try {
    await access(existing, constants.W_OK | constants.X_OK);
  } catch (error) {
    return fault(
      'disk',
      `${where} can’t be written to: ${reasonOf(error)}.`,
      "Let the server's user write there. (Checked as the user running this command.)",
    );
  }
  const { bavail, bsize, blocks, files, ffree } = await statfs(existing);
  const room = { free: bavail * bsize, size: blocks * bsize, moreFiles: files > 0 ? ffree : undefined };
  return judgeRoom(where, room, existing === folder ? '' : '; it will be created when needed');
}

interface Room {
  readonly free: number;
  readonly size: number;
  readonly moreFiles: number | undefined;
}

export function judgeRoom(where: string, { free, size, moreFiles }: Room, also = ''): Finding {
  const room = `${sizeText(free)} of ${sizeText(size)} free`;
  const toDo =
    'Free space there, or move the folder to a larger disk. On a full disk PostgreSQL stops, and no bets are taken.';
  if (free < LEAST_BYTES) return fault('disk', `${where}: ${room}.`, toDo);
  if (isNearlyFull({ free, size })) return warning('disk', `${where}: ${room}.`, toDo);
  if (moreFiles !== undefined && moreFiles < LEAST_FILES)
    return warning('disk', `${where}: space for only ${moreFiles} more files.`, 'Delete unneeded files there.');
  return ok('disk', `${where}: ${room}${also}.`);
}

async function nearest(folder: string): Promise<string> {
  const isThere = await access(folder, constants.F_OK).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
  const above = path.dirname(folder);
  return isThere || above === folder ? folder : nearest(above);
}
