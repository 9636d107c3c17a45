import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readManifest } from './manifest.ts';
import type { Manifest } from './manifest.ts';

/** What the folders of backups are called, and nothing else is. */
const NAME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z-[0-9a-f]{6}$/;

/** A folder with a backup of a network. */
export interface BackupFolder {
  readonly name: string;
  readonly folder: string;
  /** Undefined while it is being made, and where it was never finished; a sentence where it can't be read. */
  readonly manifest: Manifest | undefined | string;
}

/** Whether a folder of a backup can be called so. */
export function isFolderName(name: string): boolean {
  return NAME.test(name);
}

/** The name of a new folder: when it was made, in UTC, and something that no other has. */
export function newFolderName(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z-${randomBytes(3).toString('hex')}`;
}

/** Where the backups of the network of an admin lie. */
export function foldersOf(backupDir: string, adminId: string): string {
  return path.join(backupDir, adminId);
}

/** The backups of the network of an admin, the newest first. */
export async function listBackups(backupDir: string, adminId: string): Promise<BackupFolder[]> {
  const into = foldersOf(backupDir, adminId);
  const names = await readdir(into).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return Promise.all(
    names
      .filter(isFolderName)
      .toSorted()
      .toReversed()
      .map(async (name) => {
        const folder = path.join(into, name);
        return { name, folder, manifest: await readManifest(folder).catch((error: Error) => error.message) };
      }),
  );
}
