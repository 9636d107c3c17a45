import { Readable } from 'node:stream';
import { leafNode, rootAbove } from '@drawhouse/rules/fair/tree/merkle';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type Network } from '../../../test/harness.ts';
import { entriesFrom } from '../../../test/worlds/sealed-app.ts';
import { TestSeals } from '../../../test/worlds/sealed-world.ts';
import { batchesOf } from './row-batches.ts';

interface Row {
  readonly transaction: number;
  readonly draw: string;
  readonly network: number;
  readonly rest: string;
}

const row = fc.record({
  transaction: fc.integer({ min: 1, max: 3 }),
  draw: fc.constantFrom('a', 'b'),
  network: fc.integer({ min: 1, max: 2 }),
  rest: fc.string({ unit: fc.constantFrom('x', 'ñ', ' ', '号') }),
});

function expectedLines(rows: readonly Row[]): string[] {
  const batches = Map.groupBy(rows, ({ transaction, draw, network }) => `${network}\ttickets\t${draw}\t${transaction}`);
  return [...batches].map(([name, some]) => {
    const leaves = some.map(({ network, rest }) => leafNode(Buffer.from(`tickets 1\n${network}\t${rest}\n`)));
    const root = Buffer.from(rootAbove(leaves.toSorted((one, other) => Buffer.compare(one, other)))).toString('hex');
    return `${name}\t${some.length}\t${root}\n`;
  });
}

it('groups rows by transaction, draw and network, in any chunking and order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 40 }), fc.array(fc.nat(), { maxLength: 8 }), async (some, cuts) => {
      const rows = some.toSorted((one, other) => one.transaction - other.transaction);
      const all = Buffer.from(
        rows.map(({ transaction, draw, network, rest }) => `${transaction}\t${draw}\t${network}\t${rest}\n`).join(''),
      );
      const ends = [...new Set(cuts.map((cut) => cut % (all.length + 1))), all.length].toSorted((a, b) => a - b);
      const chunks = ends.map((end, nth) => all.subarray(ends[nth - 1] ?? 0, end)).filter(({ length }) => length > 0);
      const found: string[] = [];
      for await (const batches of batchesOf('tickets', Readable.from(chunks)))
        found.push(...batches.map(({ line }) => line));
      expect(found.toSorted()).toEqual(expectedLines(rows).toSorted());
    }),
  );
});

it('sorts large batches like small ones', async () => {
  const rows = Array.from({ length: 70_000 }, (_, nth) => ({
    transaction: 1,
    draw: 'a',
    network: 1,
    rest: String(nth),
  }));
  for (const some of [rows.slice(0, 3_000), rows]) {
    const text = some.map(({ rest }) => `1\ta\t1\t${rest}\n`).join('');
    const found: string[] = [];
    for await (const batches of batchesOf('tickets', Readable.from([Buffer.from(text)])))
      found.push(...batches.map(({ line }) => line));
    expect(found).toEqual(expectedLines(some));
  }
});

describe('a sealed batch of tickets', () => {
  let t: TestApp;
  let net: Network;
  let seals: TestSeals;
  let ids: string[];
  let before: number;

  beforeAll(async () => {
    t = await TestApp.start();
    net = await t.network();
    seals = await TestSeals.make(t.database);
    await t.bet(net.user, { 3: 2 });
    before = (await seals.seal()).state.size;
    const rows = await t.db.query<{ id: string }>(
      `insert into tickets (stake, placed_at, id, draw_id, account_id, request, request_hash, network_id, digest, lines, ip)
       select stake, placed_at, gen_random_uuid(), draw_id, account_id, gen_random_uuid(), request_hash, network_id,
         digest, lines, '10.0.0.1'::inet + nth
       from tickets cross join generate_series(1, 5) as nth returning id`,
    );
    ids = rows.map(({ id }) => id);
    await seals.seal();
  });
  afterAll(async () => {
    await t.close();
    await seals.remove();
  });

  const named = (what: string): RegExp =>
    new RegExp(`^tickets \\(network_id ${net.networkId}, draw_id .*, all of transaction \\d+\\) was ${what}$`);
  const CHANGED = 'changed after it was sealed, as record \\d+';

  it('is one record with count and root', async () => {
    const entries = await entriesFrom(await seals.seal(), before);
    expect(entries).toEqual([
      expect.stringMatching(
        new RegExp(`^batches 1\n${net.networkId}\ttickets\t[-0-9a-f]{36}\t\\d+\t5\t[0-9a-f]{64}\n$`),
      ),
    ]);
    expect(await seals.problems()).toEqual([]);
  });

  it('matches in any row order', async () => {
    const { sealed } = await seals.foundAfter(
      `with gone as (delete from tickets returning *) insert into tickets select * from gone order by id desc`,
    );
    expect(sealed).toEqual([]);
  });

  it.each([
    ['a ticket of it is edited', `update tickets set lines = '4*2' where id = $1`, [CHANGED]],
    ['a ticket of it is gone', `delete from tickets where id = $1`, [CHANGED]],
    [
      'two tickets of it have exchanged what they say',
      `update tickets t set ip = o.ip from tickets o where (t.id, o.id) in (($1, $2), ($2, $1))`,
      [CHANGED],
    ],
    [
      'a ticket was put into it',
      "insert into tickets select (jsonb_populate_record(k, jsonb_build_object('id', gen_random_uuid(), 'request', " +
        'gen_random_uuid()))).* from tickets k where id = $1',
      [CHANGED],
    ],
    [
      'a ticket of it is said to be of another transaction',
      `update tickets set written_by = (select min(written_by) from tickets) where id = $1`,
      [CHANGED, CHANGED],
    ],
    [
      'a ticket of it is said to be of a transaction that wrote none',
      `update tickets set written_by = '3' where id = $1`,
      [CHANGED, 'added without being sealed'],
    ],
    [
      'all of it is gone',
      `delete from tickets where ip is not null and host(ip) like '10.%'`,
      ['removed after it was sealed, as record \\d+'],
    ],
  ])('is reported when %s', async (_what, sql, says) => {
    const { sealed } = await seals.foundAfter(sql.replaceAll('$1', `'${ids[0]}'`).replaceAll('$2', `'${ids[1]}'`));
    expect(sealed).toHaveLength(says.length);
    for (const what of says) expect(sealed).toContainEqual(expect.stringMatching(named(what)));
  });

  it('is reported forever once a ticket is rewritten and resealed', async () => {
    await t.db.query(`update tickets set ip = '9.9.9.9', written_by = pg_current_xact_id() where id = $1`, [ids[4]]);
    await seals.seal();
    expect(await seals.problems()).toEqual([expect.stringMatching(named(CHANGED))]);
  });
});
