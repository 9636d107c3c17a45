import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../../../test/harness.ts';
import { withDedicatedConnections } from '../../platform/db/connection/dedicated-connections.ts';
import { loadFile } from './load-rows.ts';
import type { Manifest, ManifestFile } from '../take/archive/manifest.ts';

const ROW = `${'x'.repeat(99)}\n`;
const ROWS = 35_000;

let t: TestApp;
let folder: string;
beforeAll(async () => {
  t = await TestApp.start();
  folder = await mkdtemp(path.join(tmpdir(), 'load-rows-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await t.close();
});

it('yields the CPU after each megabyte and still loads everything', async () => {
  const content = zstdCompressSync(ROW.repeat(ROWS));
  await writeFile(path.join(folder, 'notes.zst'), content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const file: ManifestFile = { table: 'notes', columns: ['note'], rows: ROWS, bytes: content.length, sha256 };
  let asked = 0;
  const { signal } = new AbortController();
  const loaded = await withDedicatedConnections(t.database.serverUrl, 1, signal, async ([client]) => {
    await client!.query('create temp table notes (note text)');
    await loadFile(client!, 'pg_temp.notes', file, {
      folder,
      manifest: { recipient: null } as Manifest,
      open: () => new PassThrough(),
      signal,
      read: () => {},
      room: async () => {},
      isBusy: () => ++asked % 2 === 0,
    });
    return (await client!.query<{ count: string }>('select count(*) from notes')).rows[0]!.count;
  });
  expect(asked).toBe(Math.floor((ROW.length * ROWS) / 1e6));
  expect(Number(loaded)).toBe(ROWS);
});
