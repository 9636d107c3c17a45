import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { QUICKNET } from '@drawhouse/rules/fair/beacon-rounds';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { FIRST_SUPERADMIN } from '../compose/app.ts';
import { TestApp } from '../../test/harness.ts';
import type { Network, SignedIn } from '../../test/harness.ts';
import { backUp, importBackup, otherInstallation, toolsOf } from '../../test/backups/move-tools.ts';
import { digestsOf } from '../../test/tampering/table-rows.ts';

/** Changes between loading and exchange. */

let there: TestApp;
let here: TestApp;
let root: SignedIn;
let bystander: Network;
let net: Network;

beforeAll(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  [there, here] = [await TestApp.start(), await otherInstallation()];
  bystander = await here.network({ credit: 10 });
  await there.network();
  root = await here.signIn(FIRST_SUPERADMIN);
});
beforeEach(async () => {
  net = await there.network({ credit: 50, games: ['funtargetbingo'], commissions: { admin: 2, user: 1 } });
});
afterAll(() => Promise.all([there.close(), here.close()]));

/** Imports the network, running `act` during the audit after it has read the books. */
async function importWhile(act: () => Promise<unknown>, beacons: readonly string[] = []): Promise<void> {
  const backup = await backUp(there, net.admin);
  here.clock.set(new Date(Math.max(there.clock.now().getTime(), here.clock.now().getTime()) + 1_000));
  root = await here.signIn(FIRST_SUPERADMIN);
  const tools = toolsOf(here);
  const { audit } = tools.parts;
  const parts = {
    ...tools.parts,
    beacons,
    audit: (...[db, connections, trial]: Parameters<typeof audit>) => {
      const snapshots: typeof db.snapshots = (count, read) =>
        db.snapshots(count, async (on) => {
          await act();
          return read(on);
        });
      return audit({ ...db, snapshots }, connections, trial);
    },
  };
  await importBackup(here, backup, {}, { ...tools, parts });
}

it('an admin deleted meanwhile gets nothing', async () => {
  const imported = importWhile(() => here.ok(accountRoutes.admin.remove, { params: { id: net.admin._id } }, root));
  await expect(imported).rejects.toThrow('Its admin was deleted during the move.');
  await expect(importWhile(() => Promise.resolve())).rejects.toThrow('already exists here, or was deleted here');
  expect(await here.db.query('select from staged_networks')).toEqual([]);
  expect(await here.db.query('select from moves')).toEqual([]);
  await here.expectBooksToBalance();
});

it("the superadmin's changes to the admin meanwhile hold", async () => {
  const { _id } = net.admin;
  await importWhile(async () => {
    const body = { commission: 7, games: ['funtargetbingo', 'luckycard12'] };
    await here.ok(accountRoutes.admin.update, { params: { id: _id }, body }, root);
    await here.ok(accountRoutes.admin.toggleStatus, { params: { userId: _id, action: 'activate' } }, root);
  });
  await here.expectBooksToBalance();
  expect(
    await here.db.query(
      'select commission, active, (select count(*)::int from network_games ng where ng.network_id = a.network_id) as ' +
        'games from accounts a where id = $1',
      [_id],
    ),
  ).toEqual([{ commission: 700, active: true, games: 2 }]);
});

it("its games' beacons come along, and are refused unless in BEACONS", async () => {
  const { publicKey } = QUICKNET;
  await there.byHand('update network_games set beacons = array[$2] where network_id = $1', [net.networkId, publicKey]);
  await expect(importWhile(() => Promise.resolve())).rejects.toThrow(
    'Games of this network use drand quicknet, which is not in BEACONS here.',
  );
  await importWhile(() => Promise.resolve(), [publicKey]);
  await here.expectBooksToBalance();
  expect(
    await here.db.query(
      'select ng.beacons from network_games ng join networks n on n.id = ng.network_id where n.admin_id = $1',
      [net.admin._id],
    ),
  ).toEqual([{ beacons: [publicKey] }]);
});

it('players of another network bet and win meanwhile', async () => {
  const before = await digestsOf(here.db, bystander.networkId);
  await importWhile(async () => {
    bystander.user = await here.signIn(bystander.user.username);
    expect(await here.bet(bystander.user, { 1: 2 })).toMatchObject({ status: 201 });
    await here.finishDraw();
  });
  expect((await digestsOf(here.db, bystander.networkId))['tickets']).not.toBe(before['tickets']);
  await here.expectBooksToBalance();
});

it('a network already here is not imported again, nor back to its origin', async () => {
  const backup = await backUp(there, net.admin);
  await importWhile(() => Promise.resolve());
  await here.ok(
    accountRoutes.admin.toggleStatus,
    { params: { userId: net.admin._id, action: 'activate' } },
    await here.signIn(FIRST_SUPERADMIN),
  );
  const onward = await backUp(here, net.admin);
  for (const one of [backup, onward]) {
    there.clock.set(here.clock.now());
    await expect(importBackup(here, one)).rejects.toThrow('already exists here, or was deleted here');
    await expect(importBackup(there, one)).rejects.toThrow('already exists here, or was deleted here');
  }
  await there.expectBooksToBalance();
  await here.expectBooksToBalance();
});

it('the network goes below the named superadmin if there are several', async () => {
  const backup = await backUp(there, net.admin);
  here.clock.set(new Date(Math.max(there.clock.now().getTime(), here.clock.now().getTime()) + 1_000));
  const second = randomUUID();
  await here.db.query(
    `insert into accounts (id, network_id, role, chain, parent_id, username, unique_id, password_hash, commission, note, active, created_at)
     select $1, network_id, role, array[$1::uuid], null, 'second', 'SA-second', password_hash, 0, '', true, created_at
      from accounts where username = $2`,
    [second, FIRST_SUPERADMIN],
  );
  await expect(importBackup(here, backup)).rejects.toThrow('--under second or superadmin');
  await importBackup(here, backup, { under: 'SECOND' });
  expect(
    await here.db.query('select distinct chain[1] as top from accounts where chain[2] = $1', [net.admin._id]),
  ).toEqual([{ top: second }]);
});
