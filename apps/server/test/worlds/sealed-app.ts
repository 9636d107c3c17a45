import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEXT_SETTINGS } from '@drawhouse/rules/records/sealed-records';
import { parseBundle, TILE_WIDTH, tileOfTree } from '@drawhouse/tlog/tiles';
import { newPrivateKey, signerOf } from '@drawhouse/tlog/node/ed25519';
import { copierOn, type Copier } from '../../src/platform/db/sql/copy-rows.ts';
import { withDedicatedConnections } from '../../src/platform/db/connection/dedicated-connections.ts';
import { openNewestLog, type SealsPlace } from '../../src/transparency/seal/open-newest-log.ts';
import { sealOnce } from '../../src/transparency/seal/run/run-sealing.ts';
import { readTile } from '../../src/transparency/seal/seal-files.ts';
import type { SealLog } from '../../src/transparency/seal/seal-log.ts';
import { Sealer, type Sealed } from '../../src/transparency/seal/run/sealer.ts';
import type { TestApp } from '../harness.ts';

export interface OpenLog {
  readonly log: SealLog;
  readonly on: Copier;
  look(this: void, nowMs?: number): Promise<Sealed>;
}

const unstopped = new AbortController().signal;

export async function makeSealsPlace(): Promise<SealsPlace & { remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'drawhouse-seals-'));
  const remove = (): Promise<void> => rm(dir, { recursive: true, force: true });
  return { dir, name: 'test', signer: signerOf(newPrivateKey()), remove };
}

export async function withNewestLog<T>(
  t: Pick<TestApp, 'database'>,
  place: SealsPlace,
  act: (open: OpenLog) => Promise<T>,
  anew?: string,
): Promise<T> {
  return withDedicatedConnections(t.database.serverUrl, 1, unstopped, async ([client]) => {
    const on = copierOn(client!);
    await on.query(TEXT_SETTINGS);
    const log = await openNewestLog(on, place, anew === undefined ? undefined : { because: anew, found: [], lost: [] });
    let now = 0;
    const sealer = new Sealer(log, () => now);
    const look = (nowMs = 0): Promise<Sealed> => {
      now = nowMs;
      return sealOnce(on, log, sealer, unstopped);
    };
    return act({ log, on, look });
  });
}

export async function sealAll(t: Pick<TestApp, 'database'>, place: SealsPlace): Promise<void> {
  await withNewestLog(t, place, ({ look }) => look());
}

export async function entriesFrom({ folder, state }: SealLog, first: number): Promise<string[]> {
  const entries: string[] = [];
  for (let index = Math.floor(first / TILE_WIDTH); index * TILE_WIDTH < state.size; index++) {
    const tile = tileOfTree(state.size, 'entries', index)!;
    const bundle = parseBundle(await readTile(folder, tile));
    entries.push(...bundle.map((entry) => Buffer.from(entry).toString()));
  }
  return entries.slice(first % TILE_WIDTH);
}
