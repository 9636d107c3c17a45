import { LOGGED_TABLES } from '@drawhouse/rules/records/changed-rows';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { SEALED_TABLES } from '@drawhouse/rules/records/sealed-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playNetwork } from '../../test/worlds/audit-world.ts';
import { TestApp } from '../../test/harness.ts';
import { oneOf, sealEveryKind } from '../../test/tampering/seal-every-kind.ts';
import { eachNth } from '../../test/test-tier.ts';
import type { TestSeals } from '../../test/worlds/sealed-world.ts';
import { columnsOf, otherValue } from '../../test/tampering/sample-rows.ts';
import { appendActivity, SYSTEM } from '../activity/append-activity.ts';
import { NOWHERE } from '../platform/http/handler.ts';
import { audit } from './audit.ts';

let t: TestApp;
let seals: TestSeals;

const CASES = eachNth(6, LOGGED_TABLES).flatMap((table) =>
  [...SEALED_TABLES[table]!.columns, 'added', 'removed'].map((what): [string, string] => [table, what]),
);
const FIELDS = CASES.filter(([, what]) => what !== 'added' && what !== 'removed');

const silent = new Map<string, string>();
let found: { readonly sealed: readonly string[]; readonly rest: readonly string[] };

/** Writes another log row first. Returns the transaction. */
async function change(table: string, what: string, logged: (key: string) => object): Promise<string> {
  const sql = await changeOf(table, what);
  const { key } = SEALED_TABLES[table]!;
  const [row] = await t.db.transaction(async (tx) => {
    const [named] = await tx.query<{ key: string }>(
      `select concat_ws(E'\\t', ${key.join(', ')}) as key from ${table} where ${oneRow(table)}`,
    );
    const entry = { accountId: null, username: SYSTEM, subject: 'Signed in', origin: NOWHERE };
    await appendActivity(tx, ROOT_NETWORK, t.app.services, [{ ...entry, detail: { ...logged(named!.key) } }]);
    await tx.query(sql);
    return tx.query<{ xid: string }>('select pg_current_xact_id()::text as xid');
  });
  await seals.seal();
  return row!.xid;
}

const oneRow = (table: string): string => oneOf(table, table === 'networks' ? 'id <> 0' : 'true');

async function changeOf(table: string, what: string): Promise<string> {
  const columns = await columnsOf(t.db, table);
  const { key } = SEALED_TABLES[table]!;
  if (what === 'removed') return `delete from ${table} where ctid = (select max(ctid) from ${table})`;
  if (what === 'added') {
    const names = columns.filter(({ is_generated, name }) => !is_generated && name !== 'written_by');
    // Must reference an existing network.
    const other = (column: (typeof names)[number]): string =>
      column.name === 'network_id' ? String(ROOT_NETWORK) : otherValue(column);
    const values = names.map((column) => (column.name === key.at(-1) ? other(column) : column.name));
    return `insert into ${table} (${names.map(({ name }) => name).join(', ')}) overriding system value
      select ${values.join(', ')} from ${table} where ${oneRow(table)}`;
  }
  const column = columns.find(({ name }) => name === what)!;
  return `update ${table} set ${what} = ${otherValue(column)} where ${oneRow(table)}`;
}

beforeAll(async () => {
  t = await TestApp.start();
  const { net } = await playNetwork(t);
  seals = await sealEveryKind(t, net.networkId);
  // A trigger numbers removals.
  await t.byHand('alter table removals alter column id add generated always as identity (start 1000000)');
  for (const [table, what] of CASES) silent.set(`${table} ${what}`, await change(table, what, () => ({})));
  for (const [table, field] of FIELDS)
    await change(table, field, (key) => ({ wrote: [{ table, keys: [key], fields: ['other'] }] }));
  found = {
    sealed: await seals.problems(),
    rest: (await t.served.snapshot(audit)).flatMap(({ problems }) => problems),
  };
});
afterAll(async () => {
  await t.close();
  await seals.remove();
});

describe('detects a silent change beside an unrelated log row', () => {
  it.each(CASES)('in %s: %s', (table, what) => {
    const by = `transaction ${silent.get(`${table} ${what}`)!}`;
    const how = what === 'added' || what === 'removed' ? 'added or removed' : `changed in ${what}`;
    // The audit derives chains from parents, which also change here.
    if (what !== 'chain')
      expect(found.rest).toContainEqual(
        expect.stringMatching(new RegExp(`^${table} \\(.*\\) was ${how} by ${by}, without a log row`)),
      );
    const sealed =
      what === 'removed'
        ? /\) was (changed by|added or removed, according to record \d+|removed after it was sealed)/
        : new RegExp(`\\) was changed by ${by}, according to record`);
    expect(found.sealed.filter((problem) => problem.startsWith(`${table} (`))).toContainEqual(
      expect.stringMatching(sealed),
    );
  });
});

describe('detects a change of an unlogged field although the log names the row', () => {
  it.each(FIELDS)('in %s: %s', (table, field) => {
    expect(found.sealed).toContainEqual(
      expect.stringMatching(
        new RegExp(`^${table} \\(.*\\) was changed in ${field}, according to record \\d+, without a log row$`),
      ),
    );
  });
});
