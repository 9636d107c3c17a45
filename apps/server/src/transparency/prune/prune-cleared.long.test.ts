import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { entriesFrom } from '../../../test/worlds/sealed-app.ts';
import type { TestApp } from '../../../test/harness.ts';
import type { TestSeals } from '../../../test/worlds/sealed-world.ts';
import {
  bundleOf,
  bundlesThere,
  CLEARED,
  clearedDraw,
  clearing,
  LATER,
  NOW,
  onSealedDraws,
  OTHER,
  pieces,
} from '../../../test/worlds/sealed-draws.ts';
import { runSealing } from '../seal/run/run-sealing.ts';

let t: TestApp;
let seals: TestSeals;
onSealedDraws((app, sealed) => {
  [t, seals] = [app, sealed];
});

const NAMED = 'records 1280 to 1535 of test/seals/1 are gone, and no record says they were cleared';

const BEHIND = 8 * 256;

beforeAll(async () => {
  await t.byHand(clearing(NOW));
  await t.byHand(clearedDraw(NOW));
  await seals.seal();
});

it.each([1, 2, 3])('a pruning killed at step %i has removed nothing', async (step) => {
  let asked = 0;
  const dies = (): void => {
    if (++asked === step) throw new Error('killed');
  };
  await expect(seals.prune(dies)).rejects.toThrow('killed');
  expect(await bundlesThere(seals, CLEARED)).toEqual(CLEARED);
  expect(await seals.problems()).toEqual([]);
});

it('changed seal files are not trusted: nothing is pruned, and the audit names them', async () => {
  const before = await readFile(bundleOf(seals, 2));
  const changed = Buffer.from(before);
  changed[before.lastIndexOf('\t1\t') + 1] = '2'.charCodeAt(0);
  await writeFile(bundleOf(seals, 2), changed);
  const failures: string[] = [];
  expect(await seals.prune(undefined, ({ message }) => failures.push(message))).toBe(0);
  expect(failures).toEqual([expect.stringMatching(/ do not match their root/)]);
  expect(await bundlesThere(seals, CLEARED)).toEqual(CLEARED);
  expect(await seals.problems()).toContainEqual(expect.stringMatching(/: record 767 was changed$/));
  await writeFile(bundleOf(seals, 2), before);
  expect(await seals.problems()).toEqual([]);
});

it('the log announces removed bundles, and other removals are named', async () => {
  expect(await seals.prune()).toBe(3 * 256);
  expect(await bundlesThere(seals, CLEARED)).toEqual([]);
  expect(await seals.problems()).toEqual([]);
  const log = await seals.seal();
  expect(await seals.prune(), 'all of it is gone').toBe(0);
  const prunedEntries = (await entriesFrom(log, BEHIND)).filter((entry) => entry.startsWith('pruned 1\n'));
  expect(new Set(prunedEntries.map((record) => record.split(/\s/)[3]))).toEqual(new Set(['1', '2', '3']));
  expect(prunedEntries.at(-1)).toMatch(/^pruned 1\n1\t3\t[0-9a-f]{64}\n$/);
  expect(await readFile(join(log.folder, 'checkpoint'), 'utf8')).toContain(`\n${log.state.size}\n`);
});

it('removing another range and resealing changes is named by place', async () => {
  const times = (await entriesFrom(await seals.seal(), 5 * 256)).slice(0, 256).map((entry) => entry.split('\t')[2]!);
  await t.byHand(
    `update settlement_pieces set players = 2, written_by = ${NOW} where draw_id = '${OTHER}' and paid_at = any($1::timestamptz[])`,
    [times],
  );
  await seals.seal();
  await rm(bundleOf(seals, 5));
  expect(await seals.problems()).toEqual([NAMED]);
});

it('a server prunes cleared history automatically, and has it witnessed', async () => {
  await t.byHand(`delete from settlement_pieces where draw_id = '${OTHER}'`);
  await t.byHand(clearedDraw(NOW, OTHER));
  const signed: string[] = [];
  const stopping = new AbortController();
  const sealing = runSealing(
    {
      connectionString: async () => t.database.serverUrl,
      place: { dir: seals.dir, name: seals.name, signer: seals.signer },
      nowMs: () => 0,
      lockMs: 1_000,
      pause: async () => {},
      trouble: (error) => expect(error).toBeUndefined(),
      unlogged: () => {},
      unpruned: () => {},
      signed: (_log, checkpoint) => void signed.push(checkpoint),
    },
    stopping.signal,
  );
  await expect.poll(() => signed.length).toBeGreaterThan(0);
  stopping.abort();
  await sealing;
  expect(await bundlesThere(seals, LATER)).toEqual([]);
  const { state } = await seals.seal();
  expect(signed.at(-1)).toContain(`test/seals/1\n${state.size}\n`);
  expect(await seals.problems()).toEqual([NAMED]);
});

describe('pruning a removed draw', () => {
  const third = randomUUID();
  const begin = async (): Promise<void> => {
    await t.byHand('delete from clearings');
    await t.byHand(pieces(third, 1024));
    await seals.seal();
    await t.byHand(`delete from settlement_pieces where draw_id = '${third}'`);
    await t.byHand(clearedDraw(NOW, third));
  };

  it('removes nothing for a clearing known only by hash', async () => {
    await begin();
    await t.byHand(clearing(NOW, 'x'.repeat(70_000)));
    await seals.seal();
    expect(await seals.prune()).toBe(0);
    await t.byHand('delete from clearings');
  });

  it('reports undeletable files and keeps sealing', async () => {
    await t.byHand(clearing(NOW));
    const { folder } = await seals.seal();
    const entries = join(folder, 'tile/entries');
    let asked = 0;
    const why: Error[] = [];
    // The third step is the first after recording and signing.
    const takeAway = (): void => {
      if (++asked === 3) renameSync(entries, `${entries}.away`);
    };
    await seals.prune(takeAway, (error) => void why.push(error));
    expect(why).toEqual([expect.objectContaining({ code: 'ENOENT' })]);
    renameSync(`${entries}.away`, entries);
    expect((await seals.seal()).state.size).toBeGreaterThan(0);
    expect(await seals.prune(), 'it is tried again').toBeGreaterThan(0);
  });

  it("removes a ticket's prints with it, not before", async () => {
    const ticket = randomUUID();
    await t.byHand(
      `insert into tickets (stake, placed_at, id, draw_id, account_id, request, request_hash, network_id, digest, lines)
       values (1, now(), '${ticket}', '${third}', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 0, '', '7*1')`,
    );
    await t.byHand(
      `insert into ticket_prints (printed_at, ticket_id, network_id, nth) select now(), '${ticket}', 0, n from ` +
        'generate_series(1, 1024) as n',
    );
    await seals.seal();
    await t.byHand('delete from ticket_prints');
    expect(await seals.prune()).toBe(0);
    await t.byHand(`delete from tickets where id = '${ticket}'`);
    expect(await seals.prune()).toBeGreaterThanOrEqual(3 * 256);
  });
});
