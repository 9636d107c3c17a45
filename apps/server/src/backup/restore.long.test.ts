import { describe, expect, it } from 'vitest';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { changePassword, login } from '@drawhouse/contract/auth/auth';
import { betOfRequest } from '@drawhouse/contract/tickets/tickets';
import {
  backupLosses,
  drillBackup,
  exportBackup,
  importBackup,
  listBackups,
  undoRestore,
} from '@drawhouse/contract/backup/backups';
import { playNetwork } from '../../test/worlds/audit-world.ts';
import { PASSWORD } from '../../test/test-password.ts';
import type { TestApp, Network, SignedIn } from '../../test/harness.ts';
import { onDatabaseCopies } from '../../test/backups/shared-beginning.ts';
import { rowCounts } from '../../test/tampering/table-rows.ts';
import { createNetworkWork } from '../activity/network-work/network-work.ts';

let t: TestApp;
let net: Network;
let bystander: Network;
let other: SignedIn;

onDatabaseCopies(
  async (first) => {
    const played = await playNetwork(first, { confirmed: false });
    const beside = await first.network({ credit: 70 });
    await first.bet(beside.user, { 3: 4 });
    return { ...played, beside };
  },
  (each, { beside, ...played }) => {
    [t, bystander] = [each, beside];
    ({ net, other } = played);
  },
);

const STAFF = ['superadmin', 'admin', 'superdistributor', 'distributor', 'retailer', 'user'] as const;

const backUp = async (): Promise<string> => (await t.ok(exportBackup, {}, net.admin)).folder;
const restore = (folder: string) => t.ok(importBackup, { query: { folder } }, net.admin);

async function signInAgain(): Promise<void> {
  for (const role of STAFF) Object.assign(net[role], await t.signIn(net[role].username));
  Object.assign(other, await t.signIn(other.username));
}

describe('a test restore', () => {
  it('proves a backup and leaves nothing', async () => {
    const folder = await backUp();
    const before = await rowCounts(t.db);
    const { problems } = await t.ok(drillBackup, { body: { folder } }, net.admin);
    expect(problems).toEqual([]);
    const after = await rowCounts(t.db);
    expect({ ...after, activity: 0 }).toEqual({ ...before, activity: 0 });
    const { backups } = await t.ok(listBackups, {}, net.admin);
    expect(backups[0]).toMatchObject({ name: folder, drilledAt: t.clock.now().toISOString() });
    await t.expectBooksToBalance();
  });
});

describe('the seed of an open draw', () => {
  it('is written by no test, and by a restore only at the swap', async () => {
    const folder = await backUp();
    await t.db.query(
      `create function no_seed() returns trigger language plpgsql as $$ begin raise 'the seed of % is written', old.id; end $$`,
    );
    await t.db.query(
      'create trigger no_seed before update on draws for each row when (old.seed is null and new.seed is not null) ' +
        'execute function no_seed()',
    );
    expect(await t.ok(drillBackup, { body: { folder } }, net.admin)).toMatchObject({ problems: [] });
    await t.db.query('drop trigger no_seed on draws');
    await restore(folder);
    const written = await t.db.query(
      `select seed is not null as published, sealed_seed is null as opened, d.closes_at > $1 as early,
       d.written_by = n.written_by as in_exchange
       from draws d join networks n on n.id = d.network_id where d.void_cause = 'restore'`,
      [t.clock.now()],
    );
    expect(written).toEqual([{ published: true, opened: true, early: true, in_exchange: true }]);
    await t.expectBooksToBalance();
  });
});

describe('security changes since the backup', () => {
  it('keeps passwords, commissions, deactivated and deleted accounts', async () => {
    const stopped = await t.create(net.retailer);
    const shop = await t.create(net.distributor);
    const deleted = await t.create(shop);
    await t.give(net.superadmin, net.superadmin, 20);
    await t.give(net.superadmin, shop, 10);
    await t.give(shop, deleted, 4);
    const deactivated = await t.create(net.retailer);
    const above = await t.credit(net.distributor);
    const folder = await backUp();
    const setRate = (commission: number) =>
      t.ok(accountRoutes.retailer.update, { params: { id: net.retailer._id }, body: { commission } }, net.admin);
    await setRate(1.5);
    const npass = `${PASSWORD} anew`;
    await t.ok(changePassword, { body: { opass: PASSWORD, npass, cpass: npass } }, net.user);
    const { toggleStatus, remove } = accountRoutes.user;
    const deactivate = (userId: string) => ({ params: { userId, action: 'deactivate' } }) as const;
    await t.ok(toggleStatus, deactivate(stopped._id), net.superadmin);
    await t.ok(remove, { params: { id: deleted._id } }, net.superadmin);
    await t.ok(accountRoutes.retailer.remove, { params: { id: shop._id } }, net.distributor);
    await t.ok(toggleStatus, deactivate(deactivated._id), net.retailer);
    const { notes } = await restore(folder);
    expect(notes.slice(-2)).toEqual([
      '2 accounts stay inactive: deactivated since the backup.',
      '2 accounts stay deleted: their credit went to the accounts above them.',
    ]);
    // Deletion returned their credit to these accounts.
    Object.assign(net.distributor, await t.signIn(net.distributor.username));
    expect(await t.credit(net.distributor)).toBe(above + 10);
    const [retailer] = await t.db.query('select commission from accounts where id = $1', [net.retailer._id]);
    expect(retailer).toEqual({ commission: 150 });
    const signIn = async (username: string, password = PASSWORD): Promise<number> =>
      (await t.call(login, { body: { username, password } })).status;
    expect(await signIn(net.user.username)).toBe(401);
    expect(await signIn(net.user.username, npass)).toBe(200);
    expect(await Promise.all([stopped, deleted, deactivated].map(({ username }) => signIn(username)))).toEqual([
      403, 401, 403,
    ]);
    await t.expectBooksToBalance();
  });
});

describe('requests from before', () => {
  it('stay undone even with a later backup', async () => {
    const folder = await backUp();
    await t.bet(net.user, { 5: 1 }, { requestId: 'undone twice' });
    await restore(folder);
    await signInAgain();
    const undone = await t.ok(betOfRequest, { params: { requestId: 'undone twice' } }, net.user);
    expect(undone.ticket.undoneAt).not.toBeNull();
    await restore(await backUp());
    await signInAgain();
    expect(await t.ok(betOfRequest, { params: { requestId: 'undone twice' } }, net.user)).toEqual(undone);
    await t.expectBooksToBalance();
  });

  it('are not repeated if in the backup; of undone ones, transfers run again and bets never', async () => {
    const give = (idempotencyKey: string) => {
      const body = { toUserId: net.user._id, password: PASSWORD, transferAmount: 3 };
      return t.ok(accountRoutes.user.creditTransfer, { body }, { ...net.retailer, idempotencyKey });
    };
    const bet = (requestId: string) => t.bet(net.user, { 5: 1 }, { requestId });
    const credit = () => t.credit(net.user);
    await give('before');
    const { body: first } = await bet('before');
    const folder = await backUp();
    await give('since');
    const { body: undone } = await bet('since');
    await restore(folder);
    await signInAgain();
    await t.finishDraw();
    const then = await credit();
    await give('before');
    expect((await bet('before')).body.ticket._id).toBe(first.ticket._id);
    expect(await credit()).toBe(then);
    await give('since');
    expect((await bet('since')).body.ticket).toMatchObject({ _id: undone.ticket._id, status: 'undone' });
    expect(await credit()).toBe(then + 3);
    await t.expectBooksToBalance();
  });
});

describe('shared data', () => {
  const SHARED = ['images', 'games', 'times', 'schedules', 'game_images', 'game_times'];
  const shared = async (): Promise<Record<string, unknown>> => {
    const rows = SHARED.map(async (table) => [
      table,
      await t.db.query(`select to_jsonb(r) as row from ${table} r order by r::text`),
    ]);
    return Object.fromEntries(await Promise.all(rows)) as Record<string, unknown>;
  };

  it('stays as the superadmin set it: nothing taken from a game returns', async () => {
    const game = `(select id from games where game_key = 'funtargetbingo')`;
    for (const sql of [
      `insert into images (hash, content) values (sha256('picture'), 'picture')`,
      `insert into game_images (game_id, position, hash, written_by) values (${game}, 0, sha256('picture'), '3')`,
      `insert into times (id, seconds, written_by) values (gen_random_uuid(), 77, '3')`,
      `insert into game_times (game_id, time_id, position, written_by) select ${game}, id, 9, '3' from times where seconds = 77`,
    ])
      await t.byHand(sql);
    const folder = await backUp();
    for (const sql of [
      'delete from game_images',
      'delete from images',
      'delete from game_times where position = 9',
      'delete from times where seconds = 77',
      `update games set name = 'Another name' where game_key = 'funtargetbingo'`,
    ])
      await t.byHand(sql);
    const before = await shared();
    await restore(folder);
    expect(await shared()).toEqual(before);
    await t.expectBooksToBalance();
  });
});

describe('a game assigned since', () => {
  it('stays assigned and playable', async () => {
    const folder = await backUp();
    const params = { id: net.admin._id };
    await t.ok(
      accountRoutes.admin.update,
      { params, body: { games: ['funtargetbingo', 'luckycard12'] } },
      net.superadmin,
    );
    expect(await t.ok(drillBackup, { body: { folder } }, net.admin)).toMatchObject({ problems: [] });
    await restore(folder);
    await signInAgain();
    await t.app.tick();
    await t.finishDraw();
    expect((await t.bet(net.user, { 1: 1 }, { gameId: 'luckycard12' })).status).toBe(201);
    await t.expectBooksToBalance();
  });
});

describe('a replaced state', () => {
  const stagedNetworks = async (): Promise<unknown[]> => t.db.query('select id from staged_networks');
  const minute = (): Promise<void> => {
    t.clock.advance(60_000);
    return t.app.tick();
  };

  it('exists once, however often the network is restored', async () => {
    const folder = await backUp();
    for (let times = 0; times < 3; times++) {
      await restore(folder);
      await signInAgain();
    }
    await minute();
    expect(await stagedNetworks()).toHaveLength(1);
    await t.ok(undoRestore, { body: {} }, net.admin);
    await t.expectBooksToBalance();
  });

  it('stays while an undo is possible or running, and is dropped after a day', async () => {
    await restore(await backUp());
    t.clock.advance(86_400_000);
    const connectionString = (): string => t.database.serverUrl;
    const work = createNetworkWork({ db: t.served, clock: t.clock, connectionString });
    await work.run({ adminId: net.admin._id, kind: 'undo', by: 'somebody' }, minute);
    expect(await stagedNetworks()).toHaveLength(1);
    await minute();
    expect(await stagedNetworks()).toHaveLength(0);
  });
});

describe('account names', () => {
  it("taken in the meantime are listed and replaced by the admin's new ones", async () => {
    const made = await t.create(net.retailer, { username: 'anita' });
    const folder = await backUp();
    await t.byHand(`update accounts set username = 'anita-' where id = $1`, [made._id]);
    await t.create(bystander.retailer, { username: 'Anita' });
    expect(await t.ok(backupLosses, { query: { folder } }, net.admin)).toMatchObject({
      kept: { payments: 0, weeks: 0 },
      namesTaken: [{ username: 'anita', role: 'user' }],
    });
    const taken = await t.call(importBackup, { query: { folder } }, net.admin);
    expect(taken).toMatchObject({
      status: 409,
      body: { code: 'USERNAME_TAKEN', fields: { renames: expect.any(String) as string } },
    });
    const again = { folder, renames: JSON.stringify({ anita: bystander.user.username }) };
    expect((await t.call(importBackup, { query: again }, net.admin)).status).toBe(409);
    for (const [name, status, says] of [
      ['Adm1n', 400, 'This username is reserved'],
      [net.retailer.username.replaceAll('-', '.'), 409, "looks like a staff account's"],
    ] as const)
      expect(
        await t.call(importBackup, { query: { folder, renames: JSON.stringify({ anita: name }) } }, net.admin),
      ).toMatchObject({ status, body: { fields: { renames: expect.stringContaining(says) as string } } });
    await t.ok(importBackup, { query: { folder, renames: JSON.stringify({ anita: 'anita-two' }) } }, net.admin);
    expect((await t.signIn('anita-two'))._id).toBe(made._id);
    await t.expectBooksToBalance();
  });
});
