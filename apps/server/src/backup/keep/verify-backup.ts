import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Writable, type Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type { Work } from '../../activity/network-work/network-work.ts';
import { openerOf } from '../take/archive/encryption.ts';
import { isHistory } from './backup-folders.ts';
import { bytesOf, fileNameOf, MANIFEST, requireManifest, type ManifestFile } from '../take/archive/manifest.ts';
import { createMeasure, differenceOf, unreadable } from '../take/measure-stream.ts';
import { ALTERED, isSignatureValid } from '../take/archive/sign-manifest.ts';
import { streamOf } from '../take/archive/plain-file.ts';
import { DAMAGE } from '../backup-texts.ts';

const NEWLINE = 0x0a;
/** Stops counting rows this far beyond the manifest's number. */
const FAR_MORE = 1e6;

export interface Verified {
  readonly problems: readonly string[];
  /** False if encrypted without identity. */
  readonly areRowsCounted: boolean;
}

export interface Verifying {
  /** Identity, or recipient, which decrypts nothing. */
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Work['progress'] | undefined;
}

export async function verifyBackup(folder: string, { key, signal, progress }: Verifying = {}): Promise<Verified> {
  const manifest = await requireManifest(folder).catch((error: Error) => error.message);
  if (typeof manifest === 'string') return { problems: [manifest], areRowsCounted: false };
  const open = await openerOf(manifest, key);
  const total = bytesOf(manifest);
  let done = 0;
  const expected = new Set([MANIFEST, ...manifest.files.map(({ table }) => fileNameOf(table, manifest))]);
  const problems = (await readdir(folder))
    .filter((name) => !expected.has(name) && !isHistory(name))
    .map((name) => DAMAGE.notInManifest(name));
  if (!isSignatureValid(manifest)) problems.push(ALTERED);
  for (const file of manifest.files) {
    const name = fileNameOf(file.table, manifest);
    const problem = await problemOf(path.join(folder, name), file, { open, signal });
    signal?.throwIfAborted();
    done += file.bytes;
    progress?.('Reading files', done, total);
    if (problem !== undefined) problems.push(`${name} ${problem}`);
  }
  return { problems, areRowsCounted: open !== undefined };
}

export function excessRowsText({ rows }: Pick<ManifestFile, 'rows'>): string {
  return DAMAGE.moreRows(rows);
}

/** Clause to follow the file name; undefined if correct. Counts rows only with `open`. */
export async function problemOf(
  file: string,
  about: ManifestFile,
  { open, signal }: { open: (() => Duplex) | undefined; signal: AbortSignal | undefined },
): Promise<string | undefined> {
  const measure = createMeasure();
  let lines = 0;
  const counted = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
      done(open && lines > about.rows + FAR_MORE ? new Error(excessRowsText(about)) : null);
    },
  });
  const reading = open === undefined ? [] : [open(), createZstdDecompress()];
  try {
    await pipeline([streamOf(file), measure.step, ...reading, counted], { signal });
  } catch (error) {
    return unreadable(error as Error);
  }
  const difference = differenceOf(measure, about);
  if (difference !== undefined) return difference;
  return open !== undefined && lines !== about.rows ? DAMAGE.otherRows(lines, about.rows) : undefined;
}
