import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { SEALED_TABLES } from '@drawhouse/rules/records/sealed-records';
import { parseCheckpoint, type Checkpoint } from '@drawhouse/tlog/checkpoints';
import { parseBundle, TILE_WIDTH, tileOfTree, type Tile } from '@drawhouse/tlog/tiles';
import { keyLength } from '@drawhouse/tlog/node/record-entries';
import { parseNote } from '@drawhouse/tlog/signed-notes';
import { readConsistency } from '@drawhouse/tlog/tree-reader';
import { isConsistent } from '@drawhouse/tlog/verify-proofs';
import type { Queryable } from '../../apps/server/src/platform/db/database.ts';
import { readTile } from '../../apps/server/src/transparency/seal/seal-files.ts';
import { logsIn } from '../../apps/server/src/transparency/seal/seal-log.ts';
import { readState } from '../../apps/server/src/transparency/seal/seal-state.ts';
import { pause } from '../../tools/demo/client.ts';
import { sealsClient, Trouble } from '../../tools/witness/seals-client.ts';
import type { Stand } from './stand.ts';

const POLL_EVERY_MS = 150;
/** Allows for a busy machine, with failover and catch-up. */
const SEALED_MS = 60_000;
const WRITING_MS = 10_000;
/** Temporary files that await renaming. */
const TEMPORARY = /\.[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|\.new$/;
const NEWLINE = 0x0a;

export interface SealsSeen {
  newest: Checkpoint | undefined;
  seen: number;
  readonly problems: string[];
}

export function createSealsSeen(): SealsSeen {
  return { newest: undefined, seen: 0, problems: [] };
}

/** Verifies that each extends the last. */
export async function keepWatchingSeals(stand: Stand, log: SealsSeen, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const url of stand.urls())
      try {
        await check(url, log);
      } catch (error) {
        // No checkpoint yet, or the server is down.
        if (!(error instanceof Trouble)) throw error;
      }
    await pause(POLL_EVERY_MS, signal);
  }
}

async function check(url: string, log: SealsSeen): Promise<void> {
  const client = sealsClient(url);
  const next = parseCheckpoint(parseNote(await client.checkpoint()).text);
  const before = log.newest;
  if (before && next.origin !== before.origin)
    log.problems.push(`The log ${before.origin} was seen, and then ${next.origin}.`);
  else if (before && next.size < before.size)
    log.problems.push(`A checkpoint of ${before.size} records was seen, and then one of ${next.size}.`);
  else if (before && next.size > before.size) {
    const tiles = { size: next.size, readTile: (tile: Tile) => client.tile(1, tile) };
    const proof = await readConsistency(tiles, before.size, next.size);
    if (!isConsistent(before, next, proof))
      log.problems.push(`The tree of ${next.size} records does not go on from that of ${before.size}.`);
    log.seen++;
  }
  log.newest = next;
}

/** Waits until all commits are sealed. The audit compares row contents. */
export async function judgeSeals(on: Queryable, dir: string): Promise<string[]> {
  const [now] = await on.query<{ next: bigint }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next',
  );
  const folder = path.join(dir, '1');
  if (!(await within(SEALED_MS, async () => (await sealedBefore(folder)) >= now!.next)))
    return [`Not all is sealed after ${SEALED_MS / 1_000} s.`];
  const problems: string[] = [];
  const logs = await logsIn(dir);
  if (logs.length !== 1) problems.push(`There are ${logs.length} logs of seals.`);
  problems.push(...(await sealedTwice(folder)));
  let left: string[] = [];
  await within(WRITING_MS, async () => {
    left = (await readdir(dir, { recursive: true })).filter((name) => TEMPORARY.test(name));
    return left.length === 0;
  });
  if (left.length > 0) problems.push(`There are left in the folder of the seals: ${left.join(', ')}.`);
  return problems;
}

/** All transaction ids below this one are sealed. */
async function sealedBefore(folder: string): Promise<bigint> {
  const state = await readState(folder);
  return BigInt(/^\d+/.exec(state?.snapshot ?? '')?.[0] ?? 0);
}

async function sealedTwice(folder: string): Promise<string[]> {
  const { size } = (await readState(folder))!;
  const seen = new Set<string>();
  const twice: string[] = [];
  for (let index = 0; index * TILE_WIDTH < size; index++) {
    const bundle = parseBundle(await readTile(folder, tileOfTree(size, 'entries', index)!));
    for (const entry of bundle) {
      const kindEnd = entry.indexOf(NEWLINE);
      const table = Buffer.from(entry.subarray(0, kindEnd)).toString().split(' ')[0]!;
      const sealed = SEALED_TABLES[table];
      // The sealer's own records belong to no table.
      if (sealed?.row !== 'record') continue;
      const { key } = sealed;
      const line = entry.subarray(kindEnd + 1);
      const name = `${table} ${Buffer.from(line.subarray(0, keyLength(line, key.length))).toString()}`;
      if (seen.has(name)) twice.push(`${name.replaceAll('\t', ' ')} was sealed twice.`);
      seen.add(name);
    }
  }
  return twice;
}

async function within(mostMs: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + mostMs;
  for (;;) {
    if (await isSo()) return true;
    if (performance.now() > until) return false;
    await pause(50);
  }
}
