import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../audit/audit.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import {
  clearWithin,
  DAYS,
  playHistory,
  rowsOf,
  takenBack,
  type ClearingWorld,
} from '../../test/worlds/clearing-world.ts';
import { TestApp } from '../../test/harness.ts';
import { CLEARING_ORDER, type ClearingModel } from '@drawhouse/contract/clearing/clearing-texts';

let t: TestApp;
let world: ClearingWorld;

beforeAll(async () => {
  t = await TestApp.start();
  world = await playHistory(t);
});
afterAll(() => t.close());

const problemsOf = async (on: Queryable): Promise<string[]> => (await audit(on)).flatMap((check) => check.problems);
const balancesOf = (on: Queryable): Promise<object[]> =>
  on.query('select network_id, id, balance, version from wallets order by 1, 2');
const sumsOf = (on: Queryable): Promise<object[]> =>
  on.query(
    `select r::text from rollups r union all select c::text from claim_sums c union all select s::text from return_sums s
     union all select d::text from liability_days d order by 1`,
  );

/** Leaves out the root's log, which records each clearing. */
async function rootOf(tx: Tx): Promise<string> {
  const tables = (await rowsOf(tx, 0)).split('\n\n');
  // An empty table leaves a blank line before the next one.
  return tables.filter((rows) => !/^\n*activity(?:_heads)?\n/.test(rows)).join('\n\n');
}

function clear(tx: Tx, models: readonly ClearingModel[], [startDate, endDate]: [string?, string?] = []) {
  return clearWithin(t, tx, { net: world.net, models, ...(startDate && { startDate }), ...(endDate && { endDate }) });
}

const rowsIn = ({ models }: Awaited<ReturnType<typeof clear>>): Record<string, number> =>
  Object.fromEntries(models.map(({ model, rows }) => [model, rows]));

describe('after clearing the audit finds nothing wrong', () => {
  it.each(CLEARING_ORDER)('%s alone, then all the rest', async (model) => {
    await takenBack(t, async (tx) => {
      expect(await problemsOf(tx)).toEqual([]);
      const alone = rowsIn(await clear(tx, [model]));
      expect(alone[model]).toBeGreaterThan(0);
      expect(await problemsOf(tx)).toEqual([]);
      await clear(tx, CLEARING_ORDER);
      expect(await problemsOf(tx)).toEqual([]);
      const again = rowsIn(await clear(tx, CLEARING_ORDER));
      expect(new Set(Object.values(again))).toEqual(new Set([0]));
    });
  });

  it('all models in another order by day, without changing balances, sums or other networks', async () => {
    await takenBack(t, async (tx) => {
      const before = [
        await balancesOf(tx),
        await sumsOf(tx),
        await rowsOf(tx, world.other.networkId),
        await rootOf(tx),
      ];
      for (const day of [DAYS.second, DAYS.first, DAYS.third])
        for (const model of CLEARING_ORDER.toReversed()) {
          await clear(tx, [model], [day, day]);
          expect(await problemsOf(tx), `${model} of ${day}`).toEqual([]);
        }
      const after = [await balancesOf(tx), await sumsOf(tx), await rowsOf(tx, world.other.networkId), await rootOf(tx)];
      expect(after).toEqual(before);
    });
  });

  it('any models and days, one choice after another', async () => {
    const days = Object.values(DAYS);
    const choice = fc.record({
      models: fc.subarray([...CLEARING_ORDER], { minLength: 1 }),
      days: fc
        .tuple(fc.constantFrom(...days), fc.constantFrom(...days))
        .map((pair) => pair.toSorted() as [string, string]),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(choice, { minLength: 1, maxLength: 4 }), async (choices) => {
        await takenBack(t, async (tx) => {
          const before = await balancesOf(tx);
          for (const { models, days: span } of choices) {
            if (span[0] === DAYS.today) continue;
            await clear(tx, models, span);
            expect(await problemsOf(tx)).toEqual([]);
          }
          expect(await balancesOf(tx)).toEqual(before);
        });
      }),
      { numRuns: 100, seed: 12 },
    );
  });
});

it('the audit states the records it can no longer prove', async () => {
  await takenBack(t, async (tx) => {
    const lost = async (): Promise<string[]> => (await audit(tx)).flatMap(({ unproven = [] }) => unproven);
    expect(await lost()).toEqual([]);
    await clear(tx, ['ticket', 'userlog']);
    expect(await lost()).toEqual([
      expect.stringMatching(/^network \d+, until 2026-03-12: \d+ tickets are cleared: their lines/),
      expect.stringMatching(/^network \d+, until 2026-03-12: \d+ log rows are cleared/),
    ]);
    await tx.query('update clearings set finished_at = null');
    expect((await lost()).at(-1)).toMatch(/is running or was interrupted/);
  });
});

describe('an interrupted clearing', () => {
  it('leaves provable books at any statement and resumes', async () => {
    let statements = 0;
    let whole: string[] = [];
    await takenBack(t, async (tx) => {
      await clearWithin(t, tx, { net: world.net, models: CLEARING_ORDER, beforeStatement: () => void statements++ });
      whole = await leftOf(tx);
    });
    expect(statements).toBeGreaterThan(20);
    for (let last = 1; last <= statements; last++)
      await takenBack(t, async (tx) => {
        const cut = new Error('killed');
        let left = last;
        const run = clearWithin(t, tx, {
          net: world.net,
          models: CLEARING_ORDER,
          beforeStatement() {
            if (--left === 0) throw cut;
          },
        });
        await expect(run).rejects.toBe(cut);
        expect(await problemsOf(tx), `cut off at statement ${last}`).toEqual([]);
        await clear(tx, CLEARING_ORDER);
        expect(await problemsOf(tx)).toEqual([]);
        expect(await leftOf(tx)).toEqual(whole);
      });
  });
});

/** Leaves out values that vary between clearings. */
async function leftOf(tx: Tx): Promise<string[]> {
  const tables = ['transfers', 'tickets', 'ticket_wins', 'draws', 'player_settlements', 'exposures', 'wallet_gaps'];
  const found: string[] = [];
  for (const table of [...tables, 'cleared_draws', 'cleared_results', 'cleared_days', 'cleared_marks'])
    for (const { row } of await tx.query<{ row: string }>(
      `select (to_jsonb(r) - 'written_by')::text as row from ${table} r order by 1`,
    ))
      found.push(`${table} ${row}`);
  return found;
}

describe('after clearing the audit still detects manual changes:', () => {
  // Runs last: clears permanently and drops protecting triggers.
  beforeAll(() =>
    t.db.transaction(async (tx) => {
      await clear(tx, CLEARING_ORDER);
      for (const { table, name } of await tx.query<{ table: string; name: string }>(
        `select conrelid::regclass::text as table, conname as name from pg_constraint
         where contype in ('c', 'f') and connamespace = 'public'::regnamespace`,
      ))
        await tx.query(`alter table ${table} drop constraint ${name}`);
    }),
  );

  it('starts without findings', async () => {
    await takenBack(t, async (tx) => expect(await problemsOf(tx)).toEqual([]));
  });

  it.each([
    ['an enlarged gap', 'update wallet_gaps set gained = gained + 1, closing = closing + 1 where first_version = 1'],
    [
      'a deleted gap',
      'delete from wallet_gaps where (network_id, wallet_id) in (select network_id, wallet_id from wallet_gaps limit 1)',
    ],
    ["a gap's wallet", 'update wallet_gaps set wallet_id = wallet_id + 1000'],
    ["a gap's last version", 'update wallet_gaps set last_version = last_version + 1'],
    ["a gap's gains and losses", 'update wallet_gaps set gained = gained + 5, spent = spent + 5'],
    ["a wallet's balance", 'update wallets set balance = balance + 1 where kind = 1 and network_id > 0'],
    ['a deleted remaining transfer', 'delete from transfers where network_id > 0 and kind = 7'],
    [
      'a remaining log row',
      "update activity set subject = subject || '.' where network_id > 0 and detail ? 'parentId'",
    ],
    [
      'a log row after a gap',
      'delete from activity where (network_id, seq) in (select network_id, last_seq + 1 from activity_gaps)',
    ],
    ["a log gap's hash", "update activity_gaps set last_hash = sha256('x')"],
    ['a deleted log gap', 'delete from activity_gaps'],
    ["a cleared draw's stake", 'update cleared_draws set stake = stake + 100'],
    ["a cleared draw's wins", "update cleared_draws set win = win + 100 where source = 'generated'"],
    ['a false mark of cleared tickets', 'update draws set tickets_cleared = true where ticket_count > 0'],
    ['a deleted cleared draw', 'delete from cleared_draws'],
    [
      'a deleted cleared request',
      'delete from cleared_requests where request in (select request from cleared_requests limit 1)',
    ],
    [
      "a cleared day's sums",
      'update cleared_days set player_credit = player_credit + 1, tables = tables - 1 where player_credit <> 0',
    ],
    ["a day's settled worth", 'update cleared_days set settled_worth = settled_worth + 1 where settled_worth <> 0'],
    ["a day's claims worth", 'update cleared_days set claims_worth = claims_worth + 1 where claims_worth <> 0'],
    ["a cleared day's turnover", "update rollups set win = win + 1 where grain = 'day' and network_id > 0"],
    [
      "a player's turnover on a cleared day",
      "update rollups set stake = stake + 1 where account_id in (select id from accounts where role = 'user')",
    ],
    ["a cleared day's claims", 'update claim_sums set claimed = claimed + 1'],
    ["a cleared day's returns", 'update return_sums set stake = stake + 1'],
    [
      "a cleared day's closing holdings",
      'update liability_days set player_credit = player_credit + 1, escrow = escrow - 1 where network_id > 0',
    ],
    ["a clearing's marks", "update cleared_marks set marks = marks + 1 where about = 'ordered'"],
    [
      'ticket marks',
      "insert into cleared_marks (network_id, about, marks) select id, 'credit', 7 from networks where id > 0 on " +
        'conflict (network_id, about) do update set marks = cleared_marks.marks + 7',
    ],
    [
      'commission marks',
      "insert into cleared_marks (network_id, about, marks) select id, 'commission', 7 from networks where id > 0 on " +
        'conflict (network_id, about) do update set marks = cleared_marks.marks + 7',
    ],
    ["a clearing's row count", "update clearings set removed = removed + 1 where model = 'usertransaction'"],
    ["a clearing's log row count", "update clearings set log_rows = log_rows + 1 where model = 'userlog'"],
    ['a deleted clearing', "delete from clearings where model = 'ticket'"],
    ["a clearing's author", "update clearings set account_id = '00000000-0000-0000-0000-000000000000'"],
    ["a clearing's finish time", 'update clearings set finished_at = null'],
    [
      'a ticket in a cleared draw',
      'insert into tickets (stake, placed_at, id, draw_id, account_id, request, request_hash, network_id, api_key, ' +
        'digest, ip, lines) select stake, placed_at, gen_random_uuid(), (select draw_id from cleared_draws limit 1), ' +
        'account_id, gen_random_uuid(), request_hash, network_id, api_key, digest, ip, lines from tickets where ' +
        'network_id > 0 limit 1',
    ],
    ['a deleted owed commission', 'delete from transfers where network_id > 0 and kind = 11'],
  ])('%s', async (_what, sql) => {
    await takenBack(t, async (tx) => {
      await tx.query(sql);
      expect(await problemsOf(tx)).not.toEqual([]);
    });
  });
});
