import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { fileNameOf, MANIFEST, readManifest } from './manifest.ts';
import type { ManifestFile } from './manifest.ts';

const NEWLINE = 0x0a;

/**
 * Reads a whole backup and compares it with its manifest: each file is there and none beside it, with its size, its SHA-256 and so many rows.
 * Gives a sentence for each that is wrong.
 */
export async function verifyBackup(folder: string): Promise<string[]> {
  const manifest = await readManifest(folder).catch((error: Error) => error);
  if (manifest === undefined) return [`${MANIFEST} is missing: the backup was not finished`];
  if (manifest instanceof Error) return [manifest.message];
  const expected = new Set([MANIFEST, ...manifest.files.map(({ table }) => fileNameOf(table))]);
  const problems = (await readdir(folder))
    .filter((name) => !expected.has(name))
    .map((name) => `${name} is there, and the manifest does not name it`);
  for (const file of manifest.files) problems.push(...(await verifyFile(folder, file)));
  return problems;
}

async function verifyFile(folder: string, { table, rows, bytes, sha256 }: ManifestFile): Promise<string[]> {
  const name = fileNameOf(table);
  const hash = createHash('sha256');
  let [size, lines] = [0, 0];
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  const counted = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
      done();
    },
  });
  try {
    await pipeline(createReadStream(path.join(folder, name)), measured, createZstdDecompress(), counted);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return [code === 'ENOENT' ? `${name} is missing` : `${name} can't be read: ${message}`];
  }
  if (size !== bytes) return [`${name} has ${size} bytes; the manifest says ${bytes}`];
  if (hash.digest('hex') !== sha256) return [`${name} was changed: its SHA-256 is not that of the manifest`];
  return lines === rows ? [] : [`${name} has ${lines} rows; the manifest says ${rows}`];
}
