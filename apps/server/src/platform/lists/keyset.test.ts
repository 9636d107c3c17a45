import { END, list, type List } from '@drawhouse/contract/core/list';
import { timedCursor } from '../../../../../packages/contract/src/reports/transactions.ts';
import { sql } from '../db/sql/sql.ts';
import * as z from 'zod/mini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRows } from '../db/visibility-predicate.ts';
import { countCut, keysetChunks, readKeysetPage, wantedCuts, type AnyKeysetSource } from './read-keyset.ts';
import type { Cut } from './list-source.ts';
import { TestApp } from '../../../test/harness.ts';

let t: TestApp;
beforeAll(async () => {
  t = await TestApp.start();
  await t.db.query('create table beads (part integer, at timestamptz, id uuid, primary key (part, at, id))');
  await t.db.query(
    `insert into beads select n % 3, timestamptz '2026-03-10 12:00Z' + (n / 4) * interval '1 microsecond', gen_random_uuid()
     from generate_series(0, 99) n`,
  );
});
afterAll(() => t.close());

const beads = list({
  path: 'beads',
  summary: 'Beads.',
  access: 'session',
  row: z.object({ id: z.string() }),
  columns: [{ name: 'id', kind: 'text', header: 'Id', width: 100, sort: true }],
  order: '-id',
  paging: 'keyset',
  cursor: timedCursor,
}) as unknown as List;
const source: AnyKeysetSource = {
  from: ({ where, order, limit }: Cut) =>
    sql`generate_series(0, 2) p cross join lateral (select * from beads b where part = p and ${where} ${order} limit ${limit}) b`,
  authority: allRows('A list of nobody.'),
  key: sql`b.id`,
  time: sql`b.at`,
  select: sql`b.id`,
  toRow: (row: object) => row,
};

describe.each(['-id', 'id'])('rows by time and key, %s', (sort) => {
  const wanted = wantedCuts(beads, source, { sort });
  const all = async (): Promise<unknown[]> => {
    const direction = sort === 'id' ? 'asc' : 'desc';
    return (await t.db.query<{ id: string }>(`select id from beads order by at ${direction}, id ${direction}`)).map(
      ({ id }) => id,
    );
  };
  const ids = (rows: readonly object[]): unknown[] => rows.map((row) => (row as { id: string }).id);
  const [onwards, backwards] =
    sort === 'id'
      ? ([['after', 'newer'], ['before', 'older']] as const)
      : ([['before', 'older'], ['after', 'newer']] as const); // prettier-ignore

  it('appear on one page each, from either end', async () => {
    for (const [[field, next], start] of [
      [onwards, {}],
      [onwards, { [onwards[0]]: END }],
      [backwards, { [backwards[0]]: END }],
    ] as const) {
      const found: unknown[] = [];
      let cursor: Readonly<Record<string, string>> = start;
      for (;;) {
        const page = await readKeysetPage(t.db, wanted, cursor, 7);
        const rows = ids(page.stored);
        if (field === onwards[0]) found.push(...rows);
        else found.unshift(...rows);
        if (page[next] === null) break;
        expect(timedCursor.safeParse(page[next]).success).toBe(true);
        cursor = { [field]: page[next] };
      }
      expect(found).toEqual(await all());
    }
  });

  it('are counted up to the bound and exported completely', async () => {
    expect([await countCut(t.db, wanted, undefined), await countCut(t.db, wanted, 100)]).toEqual([100, 100]);
    expect(await countCut(t.db, wanted, 60)).toBe(61);
    const chunks: object[][] = [];
    for await (const chunk of keysetChunks(t.db, wanted, { count: 95, chunkRows: 10 })) chunks.push(chunk);
    expect(chunks.map((chunk) => chunk.length)).toEqual([...Array.from({ length: 9 }, () => 10), 5]);
    expect(chunks.flatMap(ids)).toEqual((await all()).slice(0, 95));
  });
});
