import { randomBytes } from 'node:crypto';
import { readdir, rm, rename } from 'node:fs/promises';
import path from 'node:path';
import { time } from '@drawhouse/contract/core/primitives';
import * as z from 'zod/mini';
import { syncFolder, writeDurably } from '../../platform/db/embedded/durable-file.ts';
import { MANIFEST, readManifest, type Manifest } from '../take/archive/manifest.ts';
import { readSmall } from '../take/archive/plain-file.ts';

const NAME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z-[0-9a-f]{6}$/;

export interface BackupFolder {
  readonly name: string;
  readonly folder: string;
  /** A string says why it is unreadable. */
  readonly manifest: Manifest | undefined | string;
}

export function isFolderName(name: string): boolean {
  return NAME.test(name) && !Number.isNaN(timeOfName(name).getTime());
}

export type CompleteBackup = Omit<BackupFolder, 'manifest'> & { readonly manifest: Manifest };

export function newFolderName(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z-${randomBytes(3).toString('hex')}`;
}

export function foldersOf(backupDir: string, adminId: string): string {
  return path.join(backupDir, adminId);
}

export async function readBackups(backupDir: string, adminId: string): Promise<BackupFolder[]> {
  const names = await namesOf(backupDir, adminId);
  return Promise.all(names.map((name) => readBackup(backupDir, adminId, name)));
}

export async function findBackup(backupDir: string, adminId: string, name: string): Promise<BackupFolder | undefined> {
  // Names from callers could be paths, so compares with existing folders.
  const names = await namesOf(backupDir, adminId);
  return names.includes(name) ? readBackup(backupDir, adminId, name) : undefined;
}

export function timeOfName(name: string): Date {
  const [day, clock] = name.split('T') as [string, string];
  return new Date(`${day}T${clock.slice(0, 8).replaceAll('-', ':')}Z`);
}

/** Manifest first, so a partial backup never looks complete. */
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
  // Symbolic links could lead to another network's files.
  const names = all.filter((entry) => entry.isDirectory() && isFolderName(entry.name)).map(({ name }) => name);
  return names.toSorted().toReversed();
}

async function readBackup(backupDir: string, adminId: string, name: string): Promise<BackupFolder> {
  const folder = path.join(foldersOf(backupDir, adminId), name);
  return { name, folder, manifest: await readManifest(folder).catch((error: Error) => error.message) };
}

const HISTORY = 'history.json';
const PART = `${HISTORY}.part`;
const MAX_BYTES = 10e6;

const history = z.object({
  checkedAt: z.optional(time),
  drilledAt: z.optional(time),
  transferredAt: z.optional(time),
  problems: z.optional(z.array(z.string())),
});

export type BackupHistory = z.infer<typeof history>;

export function isHistory(name: string): boolean {
  return name === HISTORY || name === PART;
}

/** Unreadable history counts as empty. */
export async function readHistory(folder: string): Promise<BackupHistory> {
  try {
    return z.parse(history, JSON.parse(await readSmall(path.join(folder, HISTORY), MAX_BYTES)));
  } catch {
    return {};
  }
}

/** Serialize writes per folder. */
export async function recordHistory(folder: string, news: BackupHistory): Promise<void> {
  const part = path.join(folder, PART);
  const earlier = await readHistory(folder);
  await rm(part, { force: true });
  await writeDurably(part, `${JSON.stringify({ ...earlier, ...news }, undefined, 2)}\n`);
  await rename(part, path.join(folder, HISTORY));
  await syncFolder(folder);
}

export async function recordCheck(
  folder: string,
  at: Date,
  { problems }: { readonly problems: readonly string[] },
): Promise<void> {
  await recordHistory(folder, { checkedAt: at.toISOString(), problems: [...problems] });
}

export async function recordTrial(
  folder: string,
  at: Date,
  { problems }: { readonly problems: readonly string[] },
): Promise<void> {
  await recordHistory(folder, {
    ...(problems.length === 0 && { drilledAt: at.toISOString() }),
    problems: [...problems],
  });
}
