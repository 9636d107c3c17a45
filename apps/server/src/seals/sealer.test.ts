import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newPrivateKey, signerOf } from '@drawhouse/tlog/on-node-ed25519';
import { parseBundle } from '@drawhouse/tlog/entry-bundles';
import { TEXT_SETTINGS } from '@drawhouse/rules/sealed-records';
import { TILE_WIDTH } from '@drawhouse/tlog/tile-paths';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../../test/harness.ts';
import type { Network } from '../../test/harness.ts';
import { copierOn } from '../db/copy-snapshot.ts';
import type { Copier } from '../db/copy-snapshot.ts';
import { withOwnConnections } from '../db/own-connections.ts';
import { openNewestLog } from './begin-log.ts';
import { lookOnce } from './run-sealing.ts';
import { readTile } from './seal-files.ts';
import type { SealLog } from './seal-log.ts';
import { Sealer } from './sealer.ts';

let t: TestApp;
let net: Network;
let dir: string;
const signer = signerOf(newPrivateKey());
const unstopped = new AbortController().signal;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network();
  dir = await mkdtemp(join(tmpdir(), 'drawhouse-seals-'));
});
afterAll(async () => {
  await t.close();
  await rm(dir, { recursive: true, force: true });
});

/** Looks as a server does that has just started. */
async function withLog<T>(act: (log: SealLog, look: () => Promise<number>, on: Copier) => Promise<T>): Promise<T> {
  return withOwnConnections(t.database.serverUrl, 1, unstopped, async ([client]) => {
    const on = copierOn(client!);
    await on.query(TEXT_SETTINGS);
    const log = await openNewestLog(on, { dir, name: 'test', signer });
    const sealer = new Sealer(log, () => 0);
    return act(log, async () => (await lookOnce(on, log, sealer, unstopped)).added, on);
  });
}

/** The entries of a log from one place on. */
async function entriesFrom(log: SealLog, first: number): Promise<string[]> {
  const entries: string[] = [];
  for (let at = Math.floor(first / TILE_WIDTH); at * TILE_WIDTH < log.state.size; at++) {
    const width = Math.min(TILE_WIDTH, log.state.size - at * TILE_WIDTH);
    const bytes = await readTile(log.folder, { level: 'entries', index: at, width });
    entries.push(...parseBundle(bytes).map((entry) => Buffer.from(entry).toString()));
  }
  return entries.slice(first % TILE_WIDTH);
}

describe('the sealer', () => {
  it('seals all that there is, once', async () => {
    await withLog(async (log, look) => {
      expect(await look()).toBeGreaterThan(50);
      expect(await look()).toBe(0);
      const names = await entriesFrom(log, 0);
      expect(names.filter((entry) => entry.startsWith('accounts 1\n'))).toHaveLength(6);
      expect(new Set(names).size).toBe(names.length);
    });
  });

  it('goes on after a start where it was, and seals what changed and nothing else', async () => {
    await t.app.tick();
    await withLog(async (log, look) => {
      await look();
      const before = log.state.size;
      expect((await t.bet(net.user, { 3: 2 })).status).toBe(201);
      expect(await look()).toBeGreaterThan(0);
      const kinds = (await entriesFrom(log, before)).map((entry) => entry.split(' ')[0]);
      expect(kinds).toEqual(['tickets']);
    });
  });

  it('leaves out nothing that is committed late, whatever was committed meanwhile', async () => {
    const insert = (number: string): [string, string[]] => [
      "insert into pinned_settings (name, value) values ($1, 'x')",
      [number],
    ];
    await withLog(async (log, look) => {
      await look();
      const before = log.state.size;
      await t.db.transaction(async (late) => {
        await late.query(...insert('late'));
        await t.db.transaction((early) => early.query(...insert('early')));
        expect(await look()).toBe(1);
      });
      expect(await look()).toBe(1);
      expect(await look()).toBe(0);
      expect(await entriesFrom(log, before)).toEqual(['pinned_settings 1\nearly\tx\n', 'pinned_settings 1\nlate\tx\n']);
    });
  });
});
