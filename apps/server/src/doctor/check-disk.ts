import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import path from 'node:path';
import { sizeText } from '../backup/size-text.ts';
import type { Config } from '../config.ts';
import { fault, ok, reasonOf, warning } from './findings.ts';
import type { Finding } from './findings.ts';

/** A backup leaves so much free; PostgreSQL's log alone may take half of it. */
const LITTLE_BYTES = 1e9;
/** Below this it is a matter of hours, or less. */
const LEAST_BYTES = 200e6;
const LEAST_FILES = 1_000;

/** A folder that the server writes to. */
export interface WrittenFolder {
  readonly name: string;
  readonly folder: string;
  /** Whether it is to be there: nothing makes it. */
  readonly isMade?: boolean;
}

/** The folders that a server writes to, as the settings say. */
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

/** Whether a folder, or where it would be made, can be written to and has room. It writes nothing. */
export async function checkFolder({ name, folder, isMade }: WrittenFolder): Promise<Finding> {
  const there = await nearest(folder);
  const where = `${name} (${folder})`;
  if (isMade && there !== folder)
    return fault('disk', `${where} is not there.`, 'Mount its disk, or make the folder there: it is never made here.');
  try {
    await access(there, constants.W_OK | constants.X_OK);
  } catch (error) {
    return fault(
      'disk',
      `${where} can’t be written to: ${reasonOf(error)}.`,
      'Let the user that the server runs as write there. (This looked as the user who asked.)',
    );
  }
  const { bavail, bsize, blocks, files, ffree } = await statfs(there);
  const [free, all] = [bavail * bsize, blocks * bsize];
  const room = `${sizeText(free)} of ${sizeText(all)} are free`;
  const toDo =
    'Make room there, or move the folder to a larger disk. Without room PostgreSQL ends, and no bet is taken.';
  if (free < LEAST_BYTES) return fault('disk', `${where}: ${room}.`, toDo);
  if (free < LITTLE_BYTES) return warning('disk', `${where}: ${room}.`, toDo);
  if (files > 0 && ffree < LEAST_FILES)
    return warning('disk', `${where}: ${ffree} more files fit.`, 'Remove files there that nobody needs.');
  return ok('disk', `${where}: ${room}${there === folder ? '' : '; it is made when it is needed'}.`);
}

/** The folder itself, or the nearest above it that is there. */
async function nearest(folder: string): Promise<string> {
  const isThere = await access(folder, constants.F_OK).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
  const above = path.dirname(folder);
  return isThere || above === folder ? folder : nearest(above);
}
