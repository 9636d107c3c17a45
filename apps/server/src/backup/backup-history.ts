import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { time } from '@drawhouse/contract/frame/primitives';
import * as z from 'zod/mini';
import { syncFolder, writeDurably } from '../db/durable-file.ts';
import { readSmall } from './plain-file.ts';

const HISTORY = 'history.json';
const PART = `${HISTORY}.part`;
const MAX_BYTES = 10e6;

const history = z.object({
  /** Last checksum comparison, passed or failed. */
  checkedAt: z.optional(time),
  /** Last successful trial restore. */
  drilledAt: z.optional(time),
  transferredAt: z.optional(time),
  /** Problems of the last check, one sentence each. */
  problems: z.optional(z.array(z.string())),
});

export type BackupHistory = z.infer<typeof history>;

/** True for files that are not part of the backup itself. */
export function isHistory(name: string): boolean {
  return name === HISTORY || name === PART;
}

/** Unreadable history counts as empty; backups do not depend on it. */
export async function readHistory(folder: string): Promise<BackupHistory> {
  try {
    return z.parse(history, JSON.parse(await readSmall(path.join(folder, HISTORY), MAX_BYTES)));
  } catch {
    return {};
  }
}

/** Merges news into the history file. Callers must serialize writes per folder. */
export async function noteHistory(folder: string, news: BackupHistory): Promise<void> {
  const part = path.join(folder, PART);
  const known = await readHistory(folder);
  // A killed process may have left a partial file.
  await rm(part, { force: true });
  await writeDurably(part, `${JSON.stringify({ ...known, ...news }, undefined, 2)}\n`);
  await rename(part, path.join(folder, HISTORY));
  await syncFolder(folder);
}

export async function noteChecked(
  folder: string,
  at: Date,
  { problems }: { readonly problems: readonly string[] },
): Promise<void> {
  await noteHistory(folder, { checkedAt: at.toISOString(), problems: [...problems] });
}

export async function noteDrilled(
  folder: string,
  at: Date,
  { problems }: { readonly problems: readonly string[] },
): Promise<void> {
  await noteHistory(folder, { ...(problems.length === 0 && { drilledAt: at.toISOString() }), problems: [...problems] });
}
