import { describe, expect, it } from 'vitest';
import type { TableOwner } from '../apps/server/src/config/tables/table-owner.ts';
import { sourceFile } from './source.ts';
import { checkTableUse } from './table-use.ts';

const TABLES: Record<string, TableOwner> = {
  accounts: {
    owner: 'accounts',
    backup: { where: (id) => `network_id = ${id}` },
    clearing: { stays: 'they are needed' },
  },
  tickets: { owner: 'tickets', clearing: { ticket: 'all' } },
};
const MIGRATION = `create table accounts (
  id uuid primary key -- not (network_id)
);
create table tickets (
  id uuid not null,
  network_id integer not null,
  primary key (network_id, id)
);
`;
const GRANTS = `revoke all on all tables in schema public from :"server";
grant usage on schema public to :"server";
grant select, insert, update (win) on accounts, tickets to :"server";
grant select on migrations to :"server";
`;

/** Adds a matching migration and grants; returns `path:line message`. */
function found(files: Record<string, string>, tables = TABLES): string[] {
  const all = {
    'apps/server/migrations/0001-all.sql': MIGRATION,
    'apps/server/grants.sql': GRANTS,
    ...files,
  };
  const sources = Object.entries(all).map(([path, text]) => sourceFile(path, text));
  return checkTableUse(sources, tables).map(({ path, line, message }) => `${path}:${line} ${message}`);
}

const inFeature = (feature: string, text: string): string[] => found({ [`apps/server/src/${feature}/one.ts`]: text });

describe('a table', () => {
  it('may be read everywhere, and written by its owner', () => {
    expect(inFeature('accounts', 'on.query(`select t.id\n from tickets t`);')).toEqual([]);
    expect(inFeature('tickets', "on.query('delete from tickets');")).toEqual([]);
  });

  it.each([
    'tx.query(`insert into accounts (id) values ($1)`);',
    "tx.query('update accounts set active = false');",
    "tx.query('delete from accounts where id = $1');",
    'tx.query(`with gone as (delete from only accounts returning id) select id from gone`);',
  ])('must not be written elsewhere: %s', (text) =>
    expect(inFeature('tickets', text)).toEqual([
      expect.stringMatching(/one\.ts:1 only accounts writes accounts: call/),
    ]),
  );

  it.each([
    '// delete from tickets',
    'const tickets = update(tickets, accounts);',
    'on.query(`select * from tickets for no key update`);',
    'on.query(`insert into accounts (id) values ($1) on conflict do update set id = 1`);',
  ])('is not matched in %s', (text) => expect(inFeature('accounts', text)).toEqual([]));

  it('is unrestricted in tests', () =>
    expect(found({ 'apps/server/src/accounts/a.test.ts': "on.query('delete from tickets');" })).toEqual([]));
});

describe('table owners', () => {
  const TICKETS = TABLES['tickets']!;

  it('match the migrations', () => {
    const { accounts } = TABLES;
    expect(found({}, { accounts: accounts! })).toEqual([
      expect.stringMatching(/0001-all\.sql:4 tickets has no owner: /),
      expect.stringMatching(/grants\.sql:1 tickets is not a table of /),
    ]);
    expect(found({}, { ...TABLES, draws: TICKETS })).toEqual([
      expect.stringMatching(/no migration creates draws: /),
      expect.stringMatching(/draws has no line here: /),
    ]);
  });

  it('drop tables that later migrations drop', () =>
    expect(
      found({
        'apps/server/migrations/0001-all.sql': `${MIGRATION}create table old (\n  id uuid primary key\n);\n`,
        'apps/server/migrations/0002-less.sql': 'drop table old;\n',
      }),
    ).toEqual([]));

  it('match their keys', () => {
    expect(found({}, { ...TABLES, tickets: { ...TICKETS, backup: { left: 'for now' } } })).toEqual([
      expect.stringMatching(/:4 the key of tickets starts with network_id: /),
    ]);
    expect(
      found({}, { ...TABLES, accounts: { ...TABLES['accounts']!, backup: { left: 'for now', ofNetwork: true } } }),
    ).toEqual([expect.stringMatching(/:1 accounts belongs to a network: start its primary key with network_id/)]);
  });
});
