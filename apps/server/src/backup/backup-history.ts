import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { time } from '@drawhouse/contract/frame/primitives';
import * as z from 'zod/mini';
import { syncFolder, writeDurably } from '../db/durable-file.ts';
import { readSmall } from './plain-file.ts';

/** The file beside a manifest with what has become of the backup since it was made. */
const HISTORY = 'history.json';
const PART = `${HISTORY}.part`;
const MAX_BYTES = 10e6;

const history = z.object({
  /** When its checksums were last compared, whatever was found. */
  checkedAt: z.optional(time),
  /** When it was last restored beside and proved right. */
  drilledAt: z.optional(time),
  transferredAt: z.optional(time),
  /** What was last found to be wrong with it, a sentence for each. */
  problems: z.optional(z.array(z.string())),
});

/** What has become of a backup since it was made. */
export type BackupHistory = z.infer<typeof history>;

/** Whether a file of this name is none that a backup was made with. */
export function isHistory(name: string): boolean {
  return name === HISTORY || name === PART;
}

/** What has become of the backup in a folder. What can't be read tells nothing: it is no part of the backup. */
export async function readHistory(folder: string): Promise<BackupHistory> {
  try {
    return z.parse(history, JSON.parse(await readSmall(path.join(folder, HISTORY), MAX_BYTES)));
  } catch {
    return {};
  }
}

/** Adds to that. One at a time for each folder. */
export async function noteHistory(folder: string, news: BackupHistory): Promise<void> {
  const part = path.join(folder, PART);
  const known = await readHistory(folder);
  // Whoever was killed while it wrote has left one.
  await rm(part, { force: true });
  await writeDurably(part, `${JSON.stringify({ ...known, ...news }, undefined, 2)}\n`);
  await rename(part, path.join(folder, HISTORY));
  await syncFolder(folder);
}

/** Notes what was found when its checksums were compared. */
export async function noteChecked(
  folder: string,
  at: Date,
  { problems }: { readonly problems: readonly string[] },
): Promise<void> {
  await noteHistory(folder, { checkedAt: at.toISOString(), problems: [...problems] });
}

/** Notes what was found when it was restored beside. */
export async function noteDrilled(
  folder: string,
  at: Date,
  { problems }: { readonly problems: readonly string[] },
): Promise<void> {
  await noteHistory(folder, { ...(problems.length === 0 && { drilledAt: at.toISOString() }), problems: [...problems] });
}
