import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { QUICKNET } from '@drawhouse/rules/fair/beacon-rounds';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { FIRST_SUPERADMIN } from '../compose/first-start.ts';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { backUp, importBackup, otherInstallation, toolsOf } from '../../test/backups/move-tools.ts';
import { digestsOf } from '../../test/tampering/table-rows.ts';

let source: TestApp;
let destination: TestApp;
let root: SignedIn;
let bystander: Network;
let net: Network;

beforeAll(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  [source, destination] = [await TestApp.start(), await otherInstallation()];
  bystander = await destination.network({ credit: 10 });
  await source.network();
  root = await destination.signIn(FIRST_SUPERADMIN);
});
beforeEach(async () => {
  net = await source.network({ credit: 50, games: ['funtargetbingo'], commissions: { admin: 2, user: 1 } });
});
afterAll(() => Promise.all([source.close(), destination.close()]));

/** `act` runs during the audit, after it has read the books. */
async function importWhile(act: () => Promise<unknown>, beacons: readonly string[] = []): Promise<void> {
  const backup = await backUp(source, net.admin);
  destination.clock.set(new Date(Math.max(source.clock.now().getTime(), destination.clock.now().getTime()) + 1_000));
  root = await destination.signIn(FIRST_SUPERADMIN);
  const tools = toolsOf(destination);
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
  await importBackup(destination, backup, {}, { ...tools, parts });
}

it('an admin deleted meanwhile gets nothing', async () => {
  const imported = importWhile(() =>
    destination.ok(accountRoutes.admin.remove, { params: { id: net.admin._id } }, root),
  );
  await expect(imported).rejects.toThrow('The admin of the network was deleted during the move. Start again.');
  await expect(importWhile(() => Promise.resolve())).rejects.toThrow('already exists here, or was deleted here');
  expect(await destination.db.query('select from staged_networks')).toEqual([]);
  expect(await destination.db.query('select from moves')).toEqual([]);
  await destination.expectBooksToBalance();
});

it("the superadmin's changes to the admin in the meantime persist", async () => {
  const { _id } = net.admin;
  await importWhile(async () => {
    const body = { commission: 7, games: ['funtargetbingo', 'luckycard12'] };
    await destination.ok(accountRoutes.admin.update, { params: { id: _id }, body }, root);
    await destination.ok(accountRoutes.admin.toggleStatus, { params: { userId: _id, action: 'activate' } }, root);
  });
  await destination.expectBooksToBalance();
  expect(
    await destination.db.query(
      'select commission, active, (select count(*)::int from network_games ng where ng.network_id = a.network_id) as ' +
        'games from accounts a where id = $1',
      [_id],
    ),
  ).toEqual([{ commission: 700, active: true, games: 2 }]);
});

it('an import brings the beacons of its games, and is refused unless BEACONS has them', async () => {
  const { publicKey } = QUICKNET;
  await source.byHand('update network_games set beacons = array[$2] where network_id = $1', [net.networkId, publicKey]);
  await expect(importWhile(() => Promise.resolve())).rejects.toThrow(
    'Games of this network use drand quicknet, which is not in BEACONS here.',
  );
  await importWhile(() => Promise.resolve(), [publicKey]);
  await destination.expectBooksToBalance();
  expect(
    await destination.db.query(
      'select ng.beacons from network_games ng join networks n on n.id = ng.network_id where n.admin_id = $1',
      [net.admin._id],
    ),
  ).toEqual([{ beacons: [publicKey] }]);
});

it('players of another network bet and win meanwhile', async () => {
  const before = await digestsOf(destination.db, bystander.networkId);
  await importWhile(async () => {
    bystander.user = await destination.signIn(bystander.user.username);
    expect(await destination.bet(bystander.user, { 1: 2 })).toMatchObject({ status: 201 });
    await destination.finishDraw();
  });
  expect((await digestsOf(destination.db, bystander.networkId))['tickets']).not.toBe(before['tickets']);
  await destination.expectBooksToBalance();
});

it('a network already here is not imported again, nor back to its origin', async () => {
  const backup = await backUp(source, net.admin);
  await importWhile(() => Promise.resolve());
  await destination.ok(
    accountRoutes.admin.toggleStatus,
    { params: { userId: net.admin._id, action: 'activate' } },
    await destination.signIn(FIRST_SUPERADMIN),
  );
  const onward = await backUp(destination, net.admin);
  for (const one of [backup, onward]) {
    source.clock.set(destination.clock.now());
    await expect(importBackup(destination, one)).rejects.toThrow('already exists here, or was deleted here');
    await expect(importBackup(source, one)).rejects.toThrow('already exists here, or was deleted here');
  }
  await source.expectBooksToBalance();
  await destination.expectBooksToBalance();
});

it('the network goes below the named superadmin if there are several', async () => {
  const backup = await backUp(source, net.admin);
  destination.clock.set(new Date(Math.max(source.clock.now().getTime(), destination.clock.now().getTime()) + 1_000));
  const second = randomUUID();
  await destination.db.query(
    `insert into accounts (id, network_id, role, chain, parent_id, username, unique_id, password_hash, commission, note, active, created_at)
     select $1, network_id, role, array[$1::uuid], null, 'second', 'SA-second', password_hash, 0, '', true, created_at
      from accounts where username = $2`,
    [second, FIRST_SUPERADMIN],
  );
  await expect(importBackup(destination, backup)).rejects.toThrow('--under second or superadmin');
  await importBackup(destination, backup, { under: 'SECOND' });
  expect(
    await destination.db.query('select distinct chain[1] as top from accounts where chain[2] = $1', [net.admin._id]),
  ).toEqual([{ top: second }]);
});
