import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { excessOf, roleOf } from './granted-rights.ts';
import { TABLE_OWNERS } from '../../../config/tables/table-owners.ts';
import { TestApp } from '../../../../test/harness.ts';

const RECORD = [
  'transfers',
  'activity',
  'tickets',
  'ticket_wins',
  'ticket_claims',
  'draw_settlements',
  'player_settlements',
  'draw_terms',
];
const FORBIDDEN = { code: '42501' };

let t: TestApp;

beforeAll(async () => {
  t = await TestApp.start();
  const net = await t.network({ credit: 100 });
  await t.bet(net.user, { 1: 10 });
  await t.finishDraw();
});
afterAll(() => t.close());

describe('the serving role', () => {
  it('is not a superuser, owns nothing, and cannot create roles', async () => {
    const [role] = await t.served.query(
      `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
              exists (select from pg_class where relowner = r.oid) as owns from pg_roles r where rolname = current_user`,
    );
    expect(Object.values(role!)).toEqual(Array.from({ length: 6 }, () => false));
    expect(await excessOf(t.database.serverUrl)).toBeUndefined();
    expect(await excessOf(t.database.ownerUrl)).toBe('is a superuser');
  });

  it.each(RECORD)('inserts into %s, without update or delete', async (table) => {
    const [column] = await t.db.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum = 1`,
      [table],
    );
    const name = column!.name;
    await expect(t.served.query(`update ${table} set ${name} = ${name}`)).rejects.toMatchObject(FORBIDDEN);
    await expect(t.served.query(`delete from ${table}`)).rejects.toMatchObject(FORBIDDEN);
    await expect(t.served.query(`truncate ${table}`)).rejects.toMatchObject(FORBIDDEN);
  });

  it("changes only a draw's progress, not its terms", async () => {
    for (const column of ['terms_id', 'commitment', 'game_id', 'opens_at', 'closes_at', 'draws_at'])
      await expect(t.served.query(`update draws set ${column} = ${column}`), `of ${column}`).rejects.toMatchObject(
        FORBIDDEN,
      );
    await expect(t.served.query('delete from draws')).rejects.toMatchObject(FORBIDDEN);
  });

  it('creates, alters and drops no table', async () => {
    for (const sql of [
      'create table mine (id int)',
      'create schema mine',
      'drop table transfers',
      'alter table transfers drop constraint transfers_check',
      'create trigger t before insert on transfers execute function suppress_redundant_updates_trigger()',
      'set role drawhouse',
    ])
      await expect(t.served.query(sql), `of ${sql}`).rejects.toMatchObject(FORBIDDEN);
  });

  it('is mentioned for every table in grants.sql, at least for reading', async () => {
    const tables = await t.db.query<{ name: string; read: boolean; truncate: boolean }>(
      `select c.relname as name, has_table_privilege($1::name, c.oid, 'select') as read,
              has_table_privilege($1::name, c.oid, 'truncate, trigger, references, maintain') as truncate
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')`,
      [roleOf(t.database.serverUrl)],
    );
    expect(tables.filter(({ read }) => !read)).toEqual([]);
    expect(tables.filter(({ truncate }) => truncate)).toEqual([]);
    // `migrations` belongs to the migration tool.
    expect(tables.map(({ name }) => name).sort()).toEqual([...Object.keys(TABLE_OWNERS), 'migrations'].sort());
  });
});
