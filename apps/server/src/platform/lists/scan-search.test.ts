import { END } from '@drawhouse/contract/core/list';
import * as fc from 'fast-check';
import { sql, type Sql } from '../db/sql/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reader } from '../db/database.ts';
import { allRows } from '../db/visibility-predicate.ts';
import { scanAll, countForFile, scanPage, type ScannedPage, type Search } from './scan-search.ts';
import { TestApp } from '../../../test/harness.ts';
import { runsOf } from '../../../test/test-tier.ts';

/** One second apart with time-ordered ids. All are counted, however slow. */
const ROWS = 4_900;
const FIRST_MS = Date.parse('2026-03-10T10:00:00Z');
const MOST_MS = 60_000;
const LEFT_MS = 100;

let t: TestApp;
beforeAll(async () => {
  t = await TestApp.start();
  await t.db.query('create table lines (id uuid primary key, n integer not null)');
  await t.db.query(
    `insert into lines select (lpad(to_hex($1::bigint + n * 1000), 12, '0') || '7000800000000000' || lpad(n::text, 4, '0'))::uuid, n
     from generate_series(1, ${ROWS}) n`,
    [FIRST_MS],
  );
});
afterAll(() => t.close());

const matches = (n: number): boolean => (n <= 2_000 ? n % 7 === 0 : n % 500 === 3);
const MATCHES = sql`case when l.n <= 2000 then l.n % 7 = 0 else l.n % 500 = 3 end`;
const MATCHING = Array.from({ length: ROWS }, (_, index) => index + 1).filter(matches);

interface Asked {
  readonly where?: Sql;
  readonly descending?: boolean;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly limit?: number;
  readonly countUpTo?: number;
  readonly mostMs?: number;
  readonly lookMs?: number;
}

function timed(lookMs = 0): { readonly on: Reader; readonly now: () => number } {
  let nowMs = 0;
  const snapshot: Reader['snapshot'] = async (read) => {
    const found = await t.db.snapshot(read);
    nowMs += lookMs;
    return found;
  };
  return { on: { ...t.db, snapshot }, now: () => nowMs };
}

function look({
  where = MATCHES,
  descending = true,
  before,
  after,
  limit = 25,
  countUpTo = 10_000,
  mostMs = MOST_MS,
  lookMs,
}: Asked): Promise<ScannedPage> {
  const { on, now } = timed(lookMs);
  return scanPage(on, searchOf(where, descending), { before, after }, { limit, countUpTo, mostMs, now });
}

function searchOf(matching: Sql, descending: boolean): Search {
  const key = sql`l.id`;
  const source = {
    from: sql`lines l`,
    authority: allRows('A list of nobody.'),
    key,
    select: sql`l.n`,
    toRow: (row: never) => row,
  };
  const wanted = {
    source,
    isNarrowed: true,
    where: sql`true`,
    joins: [],
    orderJoins: [],
    order: { by: key },
    descending,
  };
  return { wanted, matches: matching };
}
const numbersOf = ({ stored }: ScannedPage): number[] => (stored as { n: number }[]).map(({ n }) => n);

it('returns matches page by page, from either end in either order, with their number', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(400, 150, 290, 291, 1000),
      fc.boolean(),
      fc.boolean(),
      async (limit, descending, fromEnd) => {
        const found: number[] = [];
        let cursor: { before?: string | undefined; after?: string | undefined } = {};
        const isDescending = descending !== fromEnd;
        if (fromEnd) cursor = isDescending ? { before: END } : { after: END };
        for (;;) {
          const page = await look({ ...cursor, descending, limit });
          expect([page.count, page.countIsLess, page.searchedTo]).toEqual([MATCHING.length, false, null]);
          const numbers = numbersOf(page);
          expect(numbers).toEqual(numbers.toSorted((a, b) => (descending ? b - a : a - b)));
          found.push(...numbers);
          const next = isDescending ? page.older : page.newer;
          if (next === null) break;
          cursor = isDescending ? { before: next } : { after: next };
        }
        expect(found.toSorted((a, b) => a - b)).toEqual(MATCHING);
      },
    ),
    { numRuns: runsOf(12) },
  );
});

it('counts only up to the requested limit', async () => {
  expect(await look({ countUpTo: 100 })).toMatchObject({ count: 100, countIsLess: true });
  expect(await look({ countUpTo: MATCHING.length })).toMatchObject({ count: MATCHING.length, countIsLess: false });
});

it('stops at its time limit with its findings and continues from there', async () => {
  // Scans 2,000 rows in time; the next ones exceed the remaining time.
  const slow = sql`case when l.n > 2900 then ${MATCHES} else pg_sleep(5) is null end`;
  const cut = await look({ where: slow, lookMs: MOST_MS - LEFT_MS });
  expect(numbersOf(cut)).toEqual([4503, 4003, 3503, 3003]);
  expect([cut.count, cut.countIsLess, cut.newer]).toEqual([4, true, null]);
  expect(cut.searchedTo).toEqual(new Date(FIRST_MS + 2_901_000));
  const next = await look({ before: cut.older!, limit: 400 });
  expect([...numbersOf(cut), ...numbersOf(next)]).toEqual(MATCHING.toReversed());
  const back = await look({ after: next.newer!, limit: 400 });
  expect(numbersOf(back)).toEqual(numbersOf(cut));
});

it('reports that it could check nothing in time', async () => {
  await expect(look({ where: sql`pg_sleep(5) is null`, mostMs: 300 })).rejects.toMatchObject({
    code: 'REPORT_STOPPED',
  });
});

it('gives an export all matches in chunks, in either order', async () => {
  for (const descending of [true, false])
    for (const chunkRows of [100, 290, 10_000]) {
      const found: number[] = [];
      for await (const chunk of scanAll(t.db, searchOf(MATCHES, descending), chunkRows)) {
        expect(chunk.length).toBeLessThanOrEqual(chunkRows);
        found.push(...(chunk as { n: number }[]).map(({ n }) => n));
      }
      expect(found).toEqual(descending ? MATCHING.toReversed() : MATCHING);
    }
});

it('counts for an export while time allows', async () => {
  const countWithin = (matching: Sql, lookMs: number): Promise<number | null> => {
    const { on, now } = timed(lookMs);
    return countForFile(on, searchOf(matching, true), { mostMs: MOST_MS, now });
  };
  expect(await countWithin(MATCHES, 0)).toBe(MATCHING.length);
  const slow = sql`case when l.n > 2900 then true else pg_sleep(5) is null end`;
  expect(await countWithin(slow, MOST_MS - LEFT_MS)).toBe(null);
});
