import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { time } from '@drawhouse/contract/core/primitives';
import * as z from 'zod/mini';
import { syncFolder, writeDurably } from '../../platform/db/embedded/durable-file.ts';
import { readSmall } from '../take/archive/plain-file.ts';

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
