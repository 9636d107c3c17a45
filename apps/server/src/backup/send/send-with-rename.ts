import { pipeline } from 'node:stream/promises';
import type { Readable, Writable } from 'node:stream';
import type { Work } from '../../activity/network-work/network-work.ts';
import { createMeasure, type Measure } from '../take/measure.ts';
import { NoSpace, TransferMismatch, type Sending } from './transfer-texts.ts';
import { BACKUP_STEPS } from '../backup-texts.ts';

const PART = '.part';
const PROGRESS_EVERY_BYTES = 1e6;

export interface RemoteFolder {
  list(): Promise<readonly string[]>;
  freeBytes(): Promise<number | undefined>;
  write(name: string): Writable;
  read(name: string, bytes: number): Readable;
  bytesOf(name: string): Promise<number>;
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Reads the archive back before it gets its final name. */
export async function sendWithRename(far: RemoteFolder, { archive, name, isSibling, work }: Sending): Promise<number> {
  const part = name + PART;
  for (const left of await far.list())
    if (left.endsWith(PART) && isSibling(left.slice(0, -PART.length))) await far.remove(left);
  const bytes = await archive.bytes;
  const free = await far.freeBytes();
  if (free !== undefined && free < bytes) throw new NoSpace(bytes, free);
  try {
    const sent = watched(work, 'Sending', bytes);
    await pipeline(archive, sent.step, far.write(part), work);
    if ((await far.bytesOf(part)) !== bytes) throw new TransferMismatch();
    const found = watched(work, BACKUP_STEPS.checkingTransfer, bytes);
    await pipeline(far.read(part, bytes), found.step, drain, work);
    if (found.bytes() !== bytes || found.sha256() !== sent.sha256()) throw new TransferMismatch();
    await far.rename(part, name);
    return bytes;
  } catch (error) {
    // The next transfer removes leftovers.
    await far.remove(part).catch(() => {});
    throw error;
  }
}

export function watched(work: Work, step: string, total: number): Measure {
  const measure: Measure = createMeasure({
    everyBytes: PROGRESS_EVERY_BYTES,
    run: () => Promise.resolve(work.progress(step, measure.bytes(), total)),
  });
  work.progress(step, 0, total);
  return measure;
}

export async function drain(source: AsyncIterable<unknown>): Promise<void> {
  for await (const _chunk of source);
}
