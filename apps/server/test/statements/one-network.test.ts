import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CROSS_NETWORK_REASONS, crossNetworkComment } from '../../src/platform/db/cross-network-sql.ts';
import { judge } from './one-network.ts';
import { StatementWatch } from './statement-watch.ts';

const straysIn = (sql: string): string[] => judge(sql).strays.map(({ table, part }) => `${table} in ${part}`);

describe('a statement within one network', () => {
  it.each([
    ['by a parameter', 'select from draws d where d.network_id = $1 and d.id = $2'],
    ['by a number', 'select from activity_heads where network_id = 0'],
    ['by a typed parameter', 'select from draws where network_id = $1::int'],
    [
      'by a join to a bound table',
      'select from tickets t join draws d on d.network_id = t.network_id where t.network_id = $1',
    ],
    ['by USING', 'select from tickets t join draws d using (network_id) where t.network_id = $1'],
    ['by the networks table', 'select from networks n join draws d on d.network_id = n.id where n.id = $1'],
    ['by a row comparison', 'select from draws d where (d.network_id, d.id) = ($1, $2)'],
    ['in the ON of an outer join', 'select from games g left join draws d on d.network_id = $1 and d.game_id = g.id'],
    [
      'in both arms of a union',
      'select id from draws where network_id = $1 union all select id from tickets where network_id = $1',
    ],
    [
      'in a CTE and its readers',
      'with mine as (select * from draws where network_id = $1) select from mine join games g on g.id = mine.game_id',
    ],
    ['in an insert', 'insert into wallets (network_id, id) values ($1, $2), ($1, $3)'],
    [
      'in an insert from a select',
      'insert into wallets (network_id, id) select $1, id from unnest($2::uuid[]) as n (id)',
    ],
    [
      'in an insert from a bound table',
      'insert into wallets (network_id, id) select d.network_id, d.id from draws d where d.network_id = $1',
    ],
    [
      'in an update',
      'update wallets w set balance = 0 from unnest($2::int[]) as n (id) where w.network_id = $1 and w.id = n.id',
    ],
    ['in a delete', 'delete from network_games where network_id = $1 and game_id = $2'],
    ['where a CTE is named like a table', 'with tickets as (select 1 as id) select from tickets'],
    ['without network tables', 'select from accounts a join games g on true'],
    ['within EXPLAIN', 'explain (format json) select from draws where network_id = 7'],
  ])('%s', (_, sql) => expect(straysIn(sql)).toEqual([]));
});

describe('refuses', () => {
  it.each([
    ['without a network', 'select from draws d where d.id = $1', 'draws in the statement itself'],
    [
      'of any of several networks',
      'select from draws where network_id = any($1::int[])',
      'draws in the statement itself',
    ],
    ['with an OR', 'select from draws where network_id = $1 or id = $2', 'draws in the statement itself'],
    [
      'of networks read by a subquery',
      'select from draws where network_id in (select id from networks)',
      'draws in the statement itself',
    ],
    [
      'by a value from another row source',
      'select from unnest($1::int[]) as n (id) join draws d on d.network_id = n.id',
      'draws in the statement itself',
    ],
    [
      'a join on another column',
      'select from tickets t join draws d on d.id = t.draw_id where t.network_id = $1',
      'draws in the statement itself',
    ],
    ['a CTE', 'with mine as (select * from draws) select from mine where network_id = $1', 'draws in the CTE "mine"'],
    [
      'a subquery in FROM',
      'select from (select * from draws) as d where d.network_id = $1',
      'draws in the subquery "d"',
    ],
    [
      'a correlated subquery',
      'select from tickets t where t.network_id = $1 and exists (select from draws d where d.network_id = t.network_id)',
      'draws in a subquery',
    ],
    ['a subquery of IN', 'select from accounts where id in (select owner_id from wallets)', 'wallets in a subquery'],
    [
      'a lateral subquery',
      'select from draws d cross join lateral (select from tickets t where t.network_id = d.network_id) as t where d.network_id = $1',
      'tickets in the subquery "t"',
    ],
    [
      'an arm of a union',
      'select id from draws where network_id = $1 union all select id from tickets',
      'tickets in the statement itself',
    ],
    [
      'rows of several networks',
      'insert into wallets (network_id, id) select n, $2 from unnest($1::int[]) as n',
      'wallets in the statement itself',
    ],
    ['a row with the default network', 'insert into wallets (id) values ($1)', 'wallets in the statement itself'],
    [
      'the select of an insert',
      'insert into images (hash) select hash from game_images g join draws d on true',
      'draws in what is read for the INSERT',
    ],
    [
      'an update of all rows',
      'update wallets w set balance = 0 from unnest($1::int[]) as n (id) where w.network_id = n.id',
      'wallets in the statement itself',
    ],
    [
      'an update of the network',
      'update wallets set network_id = $2 where network_id = $1',
      'wallets in the statement itself',
    ],
    ['a delete', 'delete from network_games where game_id = $1', 'network_games in the statement itself'],
    [
      'an update within a CTE',
      'with gone as (delete from network_games returning game_id) select from gone',
      'network_games in the CTE "gone"',
    ],
    [
      'a merge',
      'merge into wallets w using unnest($1::int[]) as n (id) on w.network_id = n.id when matched then delete',
      'wallets in the statement itself',
    ],
  ])('%s', (_, sql, stray) => expect(straysIn(sql)).toEqual([stray]));
});

describe('the one-network watch', () => {
  const at =
    (...places: string[]) =>
    () =>
      places;
  const HERE = at('apps/server/src/platform/db/database.ts:9', 'apps/server/src/games/pairs/pairs.ts:57');

  it('names sender, table, place and remedy, once', () => {
    const watch = new StatementWatch();
    for (let times = 0; times < 2; times++)
      watch.look('with mine as (select * from draws d) select from mine', [], HERE);
    expect(watch.take()).toEqual([
      `apps/server/src/games/pairs/pairs.ts:57 sends a statement that is not of one network:
  - draws in the CTE "mine": say d.network_id = $n in the WHERE or the ON of this very part. It stands at: draws d) select from mine
  Where it has to be over several, put crossNetworkComment('…') into it,
    with its reason in apps/server/src/platform/db/cross-network-sql.ts.
  with mine as (select * from draws d) select from mine`,
    ]);
    expect(watch.take()).toEqual([]);
  });

  it("compares the networks given to a statement's parts", () => {
    const watch = new StatementWatch();
    const sql = 'select from draws where network_id = $1 union all select from tickets where network_id = $2';
    watch.look(sql, [7, '7'], HERE);
    expect(watch.take()).toEqual([]);
    watch.look(sql, [7, 8], HERE);
    expect(watch.take()).toEqual([
      expect.stringContaining('it is of the networks 7 and 8: send one statement for each'),
    ]);
  });

  it("checks a feature's statement even after an operator or test sent it", () => {
    const watch = new StatementWatch();
    const sql = 'select 3 from draws';
    watch.look(sql, [], at('apps/server/src/audit/draws/audit-draws.ts:3'));
    watch.look(sql, [], at('apps/server/src/draws/draw-opening.test.ts:3'));
    expect(watch.take()).toEqual([]);
    watch.look(sql, [], HERE);
    expect(watch.take()).toHaveLength(1);
  });

  it('allows statements with a stated reason, operators and tests', () => {
    const watch = new StatementWatch();
    watch.look(`select from draws ${crossNetworkComment('schedule')}`, [], HERE);
    watch.look(
      'select 1 from draws',
      [],
      at('apps/server/src/platform/db/database.ts:9', 'apps/server/src/audit/draws/audit-draws.ts:3'),
    );
    watch.look('select 2 from draws', [], at('apps/server/src/draws/draw-opening.test.ts:3'));
    watch.look(
      'select 4 from draws',
      [],
      at(
        'apps/server/src/platform/db/database.ts:9',
        'apps/server/src/platform/db/connection/granted-rights.test.ts:3',
      ),
    );
    expect(watch.take()).toEqual([]);
    watch.look('select from draws /* over networks: whim */', [], HERE);
    expect(watch.take()).toHaveLength(1);
  });
});

it('has no stale reason', () => {
  const src = join(import.meta.dirname, '../../src');
  const code = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(src, name), 'utf8'))
    .join('\n');
  const unused = Object.keys(CROSS_NETWORK_REASONS).filter((why) => !code.includes(`crossNetworkComment('${why}')`));
  expect(unused, 'take these out of apps/server/src/platform/db/cross-network-sql.ts').toEqual([]);
});
