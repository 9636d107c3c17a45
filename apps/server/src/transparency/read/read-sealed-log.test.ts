import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { treeRoot } from '@drawhouse/rules/fair/tree/merkle';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSealsPlace } from '../../../test/worlds/sealed-app.ts';
import { ifMissing, isUnreadable, UnreadableFiles, type IfUnreadable } from '../seal/seal-files.ts';
import { SealLog } from '../seal/seal-log.ts';
import { PruningRecords } from '../verify/pruned-bundles.ts';
import { indexLog } from './index-sealed-log.ts';
import { RecordIndex, SEEN } from './record-index.ts';
import { SealedTree } from './read-sealed-log.ts';

const SIZE = 700;
const entryAt = (nth: number): Buffer => Buffer.from(`record ${nth} ${'x'.repeat(nth % 90)}\n`);

let place: Awaited<ReturnType<typeof makeSealsPlace>>;
let log: SealLog;
let unreadable: UnreadableFiles;

beforeEach(async () => {
  place = await makeSealsPlace();
  unreadable = new UnreadableFiles();
  log = await SealLog.open({ ...place, nth: 1 });
  await log.add(Array.from({ length: SIZE }, (_, nth) => entryAt(nth)));
  await log.seal('1:1:');
});
afterEach(() => place.remove());

async function read(ifUnreadable: IfUnreadable = unreadable.ifUnreadable) {
  const problems: string[] = [];
  const of = { folder: log.folder, origin: log.origin, size: SIZE, ifUnreadable };
  const tree = new SealedTree(of, (text) => problems.push(text));
  const records: string[] = [];
  for await (const { first, width, entries } of tree.bundles()) {
    expect(first).toBe(records.length);
    records.push(...Array.from({ length: width }, (_, nth) => Buffer.from(entries?.[nth] ?? '').toString()));
  }
  return { records, problems, root: Buffer.from(tree.rootAt(SIZE)).toString('hex') };
}

describe('reading a sealed log', () => {
  it('returns everything with the root of its records', async () => {
    const all = Array.from({ length: SIZE }, (_, nth) => entryAt(nth));
    expect(await read()).toEqual({
      records: all.map(String),
      problems: [],
      root: Buffer.from(treeRoot(all)).toString('hex'),
    });
  });

  it('reads on past an unreadable tile', async () => {
    const tile = join(log.folder, 'tile/0/001');
    await rm(tile);
    await mkdir(tile);
    const { problems, records } = await read();
    expect(problems).toEqual([expect.stringContaining('tile/0/001 is missing, unreadable or too short')]);
    expect(records).toHaveLength(SIZE);
    expect(unreadable.problems).toEqual([`1 files could not be read: EISDIR, first ${tile}`]);
    for (const code of ['EBADMSG', 'ESTALE']) expect(isUnreadable({ code })).toBe(true);
  });

  it.each(['entries/001', '0/001', '1/000.p/2'])('stops a pruning at the unreadable tile %s', async (name) => {
    const tile = join(log.folder, 'tile', name);
    await rm(tile);
    await mkdir(tile);
    await expect(read(ifMissing)).rejects.toThrow('EISDIR');
  });

  it('reports each changed record, truncated bundle and missing tile', async () => {
    const at = (path: string): string => join(log.folder, 'tile', path);
    const bundle = await readFile(at('entries/000'));
    await writeFile(at('entries/000'), bundle.toString('latin1').replace('record 7 ', 'record 8 '), 'latin1');
    await truncate(at('entries/001'), 1_000);
    await rm(at('0/002.p/188'));
    const { problems, records } = await read();
    expect(problems.map((text) => text.split(': ').at(-1))).toEqual([
      'record 7 was changed',
      "the records from 256 to 511 can't be read",
      'tile/0/002.p/188 is missing, unreadable or too short',
      'tile/1/000.p/2 is missing, unreadable or does not match its records',
    ]);
    expect(records[256]).toBe('');
    expect(records[699]).toBe(String(entryAt(699)));
  });

  it('ends at a missing bundle with its hashes', async () => {
    for (const path of ['entries/000', '0/000']) await rm(join(log.folder, 'tile', path));
    expect(await read()).toMatchObject({
      records: [],
      problems: [expect.stringContaining('tile/0/000 is missing or unreadable, with its records')],
    });
  });
});

it('names damaged records and indexes the rest', async () => {
  const damaged = [
    'networks 1\n7\tadminx',
    'removals 1\n5\taccounts key\n',
    'removals 1 hashed\n5\tx\n',
    'networks 1 hashed\n7\tx\n',
    'activity 1\n0\t1\tcut\n',
    'batches 1\n0\ttickets\t3\t4\t5\t6\n7\n',
    'unlogged 1\naccounts key\t9\n',
    'pruned 1\n1\t0\trootx',
    'acc0unts 1\n7\n',
    '',
  ];
  const sound = ['cleared_results 1\n0\t7\n', 'past_sessions 1 hashed\nkey\thash\n', 'unlogged 1\ntable\t7\t9\n'];
  log = await SealLog.open({ ...place, nth: 2 });
  await log.add([...damaged, ...sound].map((record) => Buffer.from(record)));
  await log.seal('1:1:');
  const of = { folder: log.folder, origin: log.origin, size: log.state.size, ifUnreadable: ifMissing };
  const index = new RecordIndex(of.size);
  const problems: string[] = [];
  const tree = new SealedTree(of, (text) => problems.push(text));
  await indexLog(tree, { index, prunings: new PruningRecords(), progress: -1 }, (text) => problems.push(text));
  expect(problems).toEqual([
    ...damaged.map((_, nth) => `record ${nth} can't be read`),
    'table (key 7) was changed by transaction 9, according to record 12, without a log row',
  ]);
  expect(damaged.map((_, nth) => index.seen(nth))).toEqual(damaged.map(() => SEEN.unnamed));
  expect([10, 11, 12].map((nth) => index.seen(nth))).toEqual([SEEN.unseen, SEEN.unseen, SEEN.unnamed]);
});
