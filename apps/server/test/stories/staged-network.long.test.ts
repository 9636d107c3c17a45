import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { login } from '@drawhouse/contract/auth/auth';
import { ROLES } from '@drawhouse/contract/core/primitives';
import { findBackup, type CompleteBackup } from '../../src/backup/keep/backup-folders.ts';
import { dropStagedNetwork, stageNetwork } from '../../src/backup/restore/stage-network.ts';
import { createNetworkWork } from '../../src/activity/network-work/network-work.ts';
import { audit } from '../../src/audit/audit.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeWorld, type World } from '../worlds/foreign-world.ts';
import { TestApp } from '../harness.ts';
import { PASSWORD } from '../test-password.ts';
import { differencesOf, readAll, readingsOf } from '../models/readings.ts';
import { rowCounts } from '../tampering/table-rows.ts';

/** A staged backup is invisible to work across networks, which leaves it untouched. */

const MOST_MS = 120_000;
let t: TestApp;
let world: World;
let number: number;
let foundBefore: readonly string[];

beforeAll(async () => {
  t = await TestApp.start();
  world = await makeWorld(t);
  t.clock.advance(1_000);
  await t.app.tick();
}, MOST_MS);
afterAll(() => t.close());

async function stage(): Promise<number> {
  const { own, names } = world;
  const backup = (await findBackup(t.backupDir, own.admin._id, names.admin['folder']!)) as CompleteBackup;
  return stageNetwork({
    services: t.app.services,
    connectionString: t.database.serverUrl,
    key: undefined,
    backup,
    adminId: own.admin._id,
    work: { signal: new AbortController().signal, progress: () => undefined },
    isForeign: false,
    room: async () => {},
  });
}

const found = async () => (await t.served.snapshot(audit)).flatMap(({ problems }) => problems);
const rowsBeside = () =>
  t.db.query(
    `select (select count(*) from draws where network_id = $1 and status = 'open')::int as open,
            (select count(*) from transfers where network_id = $1)::int as transfers,
            (select max(seq) from activity where network_id = $1)::int as log, (select max(day)::text from liability_days
             where network_id = $1) as day`,
    [number],
  );

it('each network table is staged by number and excluded from audits: its migration calls audited.make_views', async () => {
  const wrong = await t.db.query(
    `select c.relname as name from pg_class c join pg_attribute n on n.attrelid = c.oid and n.attname = 'network_id'
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = n.attnum
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and (
       (c.relname <> 'networks' and coalesce(pg_get_expr(d.adbin, c.oid), '') not like '%drawhouse.network%')
       or exists (
         select from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
           and c.relname <> 'staged_accounts' and not exists (
           select from pg_attribute v where v.attrelid = to_regclass('audited.' || c.relname) and v.attname = a.attname)))`,
  );
  expect(wrong).toEqual([]);
});

it(
  'no route reads staged copies',
  async () => {
    const { own, names } = world;
    const readings = Object.fromEntries(ROLES.map((role) => [role, readingsOf(role, own, names[role])]));
    for (const role of ROLES) await readAll(t, own[role], readings[role]!.slice(0, 1));
    await t.app.tick();
    const before = new Map<string, Awaited<ReturnType<typeof readAll>>>();
    for (const role of ROLES) before.set(role, await readAll(t, own[role], readings[role]!));
    foundBefore = await found();
    number = await stage();
    for (const role of ROLES) {
      const after = await readAll(t, own[role], readings[role]!);
      expect(differencesOf(readings[role]!, before.get(role)!, after)).toEqual([]);
    }
    expect(await found()).toEqual(foundBefore);
  },
  MOST_MS,
);

it('staged usernames cannot sign in and stay available', async () => {
  const { own } = world;
  const username = 'only-there';
  await t.db.query(`update staged_accounts set username = $2 where network_id = $1 and role = 'user'`, [
    number,
    username,
  ]);
  expect((await t.call(login, { body: { username, password: PASSWORD } })).status).toBe(401);
  const added = await t.create(own.retailer, { username });
  await t.ok(accountRoutes.user.remove, { params: { id: added._id } }, own.retailer);
  foundBefore = await found();
});

it('staged draws do not move, their days are not summed, and periodic work logs nothing for them', async () => {
  const before = await rowsBeside();
  const connectionString = (): string => t.database.serverUrl;
  const work = createNetworkWork({ db: t.served, clock: t.clock, connectionString });
  expect(before).toMatchObject([{ open: expect.any(Number) as number }]);
  for (let day = 0; day < 2; day++) {
    t.clock.advance(86_400_000);
    // Leftovers of dead servers are removed, but this restore is still running.
    await work.run({ adminId: world.own.admin._id, kind: 'restore', by: 'somebody' }, () => t.app.tick());
    expect(await rowsBeside()).toEqual(before);
  }
  expect(await found()).toEqual(foundBefore);
});

it('a dropped staged copy leaves no trace', async () => {
  await dropStagedNetwork(t.served, number);
  const counts = await rowCounts(t.db);
  expect(counts).not.toHaveProperty('staged_networks');
  expect(counts).not.toHaveProperty('staged_accounts');
  expect(await rowsBeside()).toEqual([{ open: 0, transfers: 0, log: null, day: null }]);
});
