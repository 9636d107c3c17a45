import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import type { Work } from '../../activity/network-work/network-work.ts';
import { createMeasure, type Measure } from '../take/measure-stream.ts';
import { NoSpace, TransferMismatch, type Sending, type Destination } from './transfer-texts.ts';
import { BACKUP_STEPS } from '../backup-texts.ts';
import type { FileTarget } from '../../config/backup-settings.ts';
import { OWN_FILE, syncFolder } from '../../platform/db/embedded/durable-file.ts';

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

export function toFile({ folder }: FileTarget): Destination {
  return { where: pathToFileURL(folder).href, send: (sending) => sendWithRename(mountedFolder(folder), sending) };
}

/** Never created: a missing folder means an unmounted disk. */
export function mountedFolder(folder: string): RemoteFolder {
  const at = (name: string): string => path.join(folder, name);
  return {
    list: () => readdir(folder),
    async freeBytes() {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    write: (name) => createWriteStream(at(name), { mode: OWN_FILE, flush: true }),
    read: (name) => createReadStream(at(name)),
    bytesOf: async (name) => (await stat(at(name))).size,
    async rename(from, to) {
      await rename(at(from), at(to));
      await syncFolder(folder);
    },
    remove: (name) => rm(at(name)),
  };
}
