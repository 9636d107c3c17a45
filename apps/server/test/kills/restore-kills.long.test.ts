import { exportBackup, importBackup, listBackups, undoRestore } from '@drawhouse/contract/backup/backups';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { playNetwork } from '../worlds/audit-world.ts';
import { dyingAt } from '../processes/dying-database.ts';
import { TestApp, type Network } from '../harness.ts';
import { digestsOf, rowCounts } from '../tampering/table-rows.ts';

/** A server killed before any restore statement leaves the old or the new network intact. */

let t: TestApp;
let net: Network;
let folder: string;

beforeAll(async () => {
  t = await TestApp.start();
  ({ net } = await playNetwork(t, { confirmed: false }));
  ({ folder } = await t.ok(exportBackup, {}, net.admin));
  await t.bet(net.user, { 8: 2 });
  await t.give(net.superadmin, net.admin, 9);
});
afterAll(() => t.close());

async function playUntil(number: number, act: (on: TestApp) => Promise<{ status: number }>): Promise<[number, number]> {
  let count = -Infinity;
  const server = await t.beside({ through: (db) => dyingAt(db, () => ++count >= number) });
  await server.app.tick();
  count = 0;
  const { status } = await act(server);
  const made = count;
  count = -Infinity;
  await server.app.close().catch(() => {});
  await server.served.close();
  return [status, made];
}

/** By network id and table; the played network by table only, because restores swap ids. */
const liveRows = async (): Promise<Record<string, string>> => {
  const networks = await t.db.query<{ id: number; admin_id: string }>('select id, admin_id from networks');
  const rows: Record<string, string> = {};
  for (const { id, admin_id: admin } of networks)
    for (const [table, digest] of Object.entries(await digestsOf(t.db, id)))
      rows[admin === net.admin._id ? table : `${id} ${table}`] = digest;
  return rows;
};

it.each([
  ['restore', (on: TestApp) => on.call(importBackup, { query: { folder } }, net.admin)],
  ['undo', (on: TestApp) => on.call(undoRestore, { body: {} }, net.admin)],
] as const)(
  'survives a kill before any statement of a %s',
  async (name, act) => {
    const signIn = async (): Promise<void> => void Object.assign(net.admin, await t.signIn(net.admin.username));
    await signIn();
    if (name === 'undo') {
      await t.ok(importBackup, { query: { folder } }, net.admin);
      await signIn();
    }
    const [done, statements] = await playUntil(Infinity, act);
    expect(done).toBe(200);
    await signIn();
    await t.ok(undoRestore, { body: {} }, net.admin);
    await t.expectBooksToBalance();
    for (let number = 1; number <= statements; number++) {
      await signIn();
      const before = await liveRows();
      const [status] = await playUntil(number, act);
      const isNew = (await t.call(listBackups, {}, net.admin)).status === 401;
      const changed = changedIn(before, await liveRows());
      if (!isNew) expect(changed, `at statement ${number}: ${status}`).toEqual([]);
      // Unchanged rows were audited before.
      else await t.expectBooksToBalance();
      await signIn();
      if (isNew) await t.ok(undoRestore, { body: {} }, net.admin);
      await t.app.tick();
      const open = await t.db.query('select enter_books(id) as open from networks where admin_id = $1', [
        net.admin._id,
      ]);
      expect({ number, open }).toEqual({ number, open: [{ open: true }] });
      expect(await t.db.query('select from network_work where closed_network is not null')).toEqual([]);
      expect((await rowCounts(t.db))['staged_networks'] ?? 0).toBeLessThan(40);
    }
    await t.expectBooksToBalance();
  },
  1_800_000,
);

function changedIn(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys({ ...before, ...after }).filter((table) => before[table] !== after[table]);
}
