import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleBackup } from '../../../../test/backups/sample-backup.ts';
import { createArchive } from './archive.ts';
import { manifestText, writeManifest } from './manifest.ts';
import { openArchive } from '../../load/unpack-archive.ts';

const SIZE = 2 ** 32 + 1_000_000;
const MAX_GROWTH_BYTES = 100e6;
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'large-archive-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

it('a backup above 4 GB is packed and unpacked in little memory', async () => {
  const { folder, manifest } = await sampleBackup(dir);
  const tickets = path.join(folder, 'tickets.zst');
  const handle = await open(tickets, 'w');
  await handle.truncate(SIZE);
  await handle.close();
  const files = manifest.files.map((file) =>
    file.table === 'tickets' ? { ...file, bytes: SIZE, sha256: zeroes(SIZE) } : file,
  );
  await writeManifest(folder, manifestText({ ...manifest, files }));

  const before = process.memoryUsage().rss;
  let most = before;
  const watch = (chunk: Buffer): Buffer => {
    most = Math.max(most, process.memoryUsage().rss);
    return chunk;
  };
  const file = path.join(dir, 'large.zip');
  const archive = createArchive(folder);
  await pipeline(
    archive,
    async function* (source) {
      for await (const chunk of source) yield watch(chunk as Buffer);
    },
    createWriteStream(file),
  );
  expect((await stat(file)).size).toBe(await archive.bytes);
  const into = path.join(dir, 'unpacked');
  const unpacked = await openArchive(file, (opened) => opened.unpack(into, new AbortController().signal));
  watch(Buffer.alloc(0));
  expect((await stat(path.join(unpacked, 'tickets.zst'))).size).toBe(SIZE);
  expect(most - before).toBeLessThan(MAX_GROWTH_BYTES);
});

function zeroes(bytes: number): string {
  const hash = createHash('sha256');
  const block = Buffer.alloc(1_000_000);
  for (let left = bytes; left > 0; left -= block.length) hash.update(block.subarray(0, Math.min(left, block.length)));
  return hash.digest('hex');
}
