import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../db/durable-file.ts';
import { MANIFEST, readManifest } from './manifest.ts';
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
  return NAME.test(name) && !Number.isNaN(timeOfName(name).getTime());
}

/** One whose manifest could be read. */
export type WholeBackup = Omit<BackupFolder, 'manifest'> & { readonly manifest: Manifest };

/** The name of a new folder: when it was made, in UTC, and something that no other has. */
export function newFolderName(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z-${randomBytes(3).toString('hex')}`;
}

/** Where the backups of the network of an admin lie. */
export function foldersOf(backupDir: string, adminId: string): string {
  return path.join(backupDir, adminId);
}

/** The backups of the network of an admin, the newest first. */
export async function readBackups(backupDir: string, adminId: string): Promise<BackupFolder[]> {
  const names = await namesOf(backupDir, adminId);
  return Promise.all(names.map((name) => readBackup(backupDir, adminId, name)));
}

/** The backup of the network of an admin that is called so; undefined where none of its backups is. */
export async function findBackup(backupDir: string, adminId: string, name: string): Promise<BackupFolder | undefined> {
  // Whatever else a caller may call a folder, a path among them, is none of these.
  const names = await namesOf(backupDir, adminId);
  return names.includes(name) ? readBackup(backupDir, adminId, name) : undefined;
}

/** When a folder was made, by its name. */
export function timeOfName(name: string): Date {
  const [day, time] = name.split('T') as [string, string];
  return new Date(`${day}T${time.slice(0, 8).replaceAll('-', ':')}Z`);
}

/** Deletes a backup for good. The manifest goes first, so that half a backup never counts as whole. */
export async function removeBackup({ folder }: Pick<BackupFolder, 'folder'>): Promise<void> {
  await rm(path.join(folder, MANIFEST), { recursive: true, force: true });
  await syncFolder(folder);
  await rm(folder, { recursive: true, force: true });
  await syncFolder(path.dirname(folder));
}

async function namesOf(backupDir: string, adminId: string): Promise<string[]> {
  const all = await readdir(foldersOf(backupDir, adminId), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  // A link may lead to what is another network's, or anywhere.
  const names = all.filter((entry) => entry.isDirectory() && isFolderName(entry.name)).map(({ name }) => name);
  return names.toSorted().toReversed();
}

async function readBackup(backupDir: string, adminId: string, name: string): Promise<BackupFolder> {
  const folder = path.join(foldersOf(backupDir, adminId), name);
  return { name, folder, manifest: await readManifest(folder).catch((error: Error) => error.message) };
}
