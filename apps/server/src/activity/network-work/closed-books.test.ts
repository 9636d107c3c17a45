import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { changePassword, session } from '@drawhouse/contract/auth/auth';
import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { takeBreak } from '@drawhouse/contract/players/protection';
import { betOfRequest } from '@drawhouse/contract/tickets/tickets';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { TestApp, type Network } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { untilWaiting } from '../../../test/statements/until-waiting.ts';
import { oldestDue } from '../../draws/schedule/due-draws.sql.ts';
import { createNetworkWork, type ClosingWork } from './network-work.ts';

let t: TestApp;
let net: Network;
let end: ((error?: Error) => Promise<void>) | undefined;

beforeAll(async () => {
  t = await TestApp.start({ poolSize: 8 });
});
beforeEach(async () => {
  net = await t.network({ credit: 100 });
});
afterEach(async () => {
  await end?.();
  end = undefined;
  await t.expectBooksToBalance();
});
afterAll(() => t.close());

const pair = () => ({ gameId: 'funtargetbingo', adminId: net.admin._id });

async function close(): Promise<ClosingWork> {
  const work = createNetworkWork({ db: t.served, clock: t.clock, connectionString: () => t.database.serverUrl });
  const [begun, ended] = [Promise.withResolvers<ClosingWork>(), Promise.withResolvers<void>()];
  const done = work.run({ adminId: net.admin._id, kind: 'restore', by: 'anna', closes: net.networkId }, (given) => {
    begun.resolve(given);
    return ended.promise;
  });
  done.catch(begun.reject);
  end = async (error) => {
    if (error) ended.reject(error);
    else ended.resolve();
    await done.catch(() => {});
  };
  return begun.promise;
}

const kill = (): Promise<unknown> =>
  t.db.query(
    `select pg_terminate_backend(pid, 60000) from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and objsubid = 2
       and database = (select oid from pg_database where datname = current_database())`,
  );

const statusOf = async (id: string): Promise<string> =>
  (await t.db.query<{ status: string }>('select status from draws where id = $1', [id]))[0]!.status;

it('refuses everything that changes the books while closed', async () => {
  const player = accountRoutes.user;
  const params = { userId: net.user._id };
  await t.give(net.superadmin, net.superadmin, 10);
  await t.give(net.superadmin, net.admin, 5);
  await close();
  const body = { toUserId: net.user._id, transferAmount: 1, password: PASSWORD };
  const account = { username: 'newcomer', password: PASSWORD, commission: 0, note: 'n', role: 'user' } as const;
  const toAdmin = { toUserId: net.admin._id, transferAmount: 1, password: PASSWORD };
  const replies = {
    bet: await t.bet(net.user, { 3: 1 }),
    transfer: await t.call(player.creditTransfer, { body }, net.retailer),
    'the superadmin’s transfer': await t.call(accountRoutes.admin.creditTransfer, { body: toAdmin }, net.superadmin),
    'new account': await t.call(player.create, { body: account }, net.retailer),
    'the superadmin’s new account': await t.call(
      player.create,
      { body: { ...account, refId: net.retailer._id } },
      net.superadmin,
    ),
    commission: await t.call(
      accountRoutes.retailer.update,
      { params: { id: net.retailer._id }, body: { commission: 1 } },
      net.superadmin,
    ),
    deletion: await t.call(player.remove, { params: { id: net.user._id } }, net.superadmin),
    activation: await t.call(player.toggleStatus, { params: { ...params, action: 'activate' } }, net.retailer),
    table: await t.call(addBalance, { body: { ...pair(), balance: 1 } }, net.superadmin),
    result: await t.call(addResult, { body: { ...pair(), result: '3', boosterValue: 1 } }, net.superadmin),
    'generated result': await t.call(generateResult, { body: pair() }, net.admin),
    void: await t.call(voidDraw, { body: { ...pair(), reason: 'a test' } }, net.superadmin),
  };
  for (const [what, { status, body: answer }] of Object.entries(replies))
    expect({ what, status, code: answer.code }).toEqual({ what, status: 422, code: 'NETWORK_RESTORING' });
});

it('shows everyone in the network that it is being restored, until done', async () => {
  const other = await t.network({ credit: 0 });
  const restoreNotices = async (): Promise<unknown> => ({
    ...Object.fromEntries(
      await Promise.all(
        (['superadmin', 'admin', 'retailer', 'user'] as const).map(async (role) => [
          role,
          (await t.ok(session, {}, net[role])).restoring,
        ]),
      ),
    ),
    other: (await t.ok(session, {}, other.user)).restoring,
  });
  const none = { superadmin: false, admin: false, retailer: false, user: false, other: false };
  await close();
  expect(await restoreNotices()).toEqual({ ...none, admin: true, retailer: true, user: true });
  await end!(new Error('the disk is full'));
  expect(await restoreNotices()).toEqual(none);
});

it('allows protective actions and other networks', async () => {
  const other = await t.network({ credit: 10 });
  await close();
  expect((await t.bet(other.user, { 3: 1 })).status).toBe(201);
  const user = await t.signIn(net.user.username);
  await t.ok(takeBreak, { body: { length: '1 week' } } as never, user);
  const passwords = { opass: PASSWORD, npass: 'another-Passw0rd-77', cpass: 'another-Passw0rd-77' };
  await t.ok(changePassword, { body: passwords }, user);
  const params = { userId: net.user._id, action: 'deactivate' } as const;
  await t.ok(accountRoutes.user.toggleStatus, { params }, net.retailer);
});

it('answers a repeated bet with its ticket, and a refused one without', async () => {
  const { body } = await t.bet(net.user, { 3: 1 }, { requestId: 'before' });
  await close();
  expect(await t.bet(net.user, { 3: 1 }, { requestId: 'before' })).toMatchObject({
    status: 201,
    body: { ticket: { _id: body.ticket._id } },
  });
  expect((await t.bet(net.user, { 3: 1 }, { requestId: 'amid' })).status).toBe(422);
  await end!();
  expect((await t.call(betOfRequest, { params: { requestId: 'amid' } }, net.user)).body.code).toBe('NOT_PLACED');
  expect((await t.bet(net.user, { 3: 1 }, { requestId: 'amid' })).status).toBe(201);
});

it('waits for bets in progress', async () => {
  const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
  const taking = t.served.transaction(async (tx) => {
    await tx.query('select enter_books($1)', [net.networkId]);
    await until;
  });
  let isClosed = false;
  const closing = close().then(() => (isClosed = true));
  await untilWaiting(t);
  expect(isClosed).toBe(false);
  expect((await t.bet(net.user, { 3: 1 })).body.code).toBe('NETWORK_RESTORING');
  goOn();
  await Promise.all([taking, closing]);
});

it('pauses draws, which continue after a failure and count as late only from then', async () => {
  const { body } = await t.bet(net.user, { 3: 1 });
  const draw = body.ticket.drawId;
  await close();
  const before = await t.db.query('select id from draws where network_id = $1', [net.networkId]);
  t.clock.advance(600_000);
  await t.app.tick();
  expect(await statusOf(draw)).toBe('open');
  expect(await t.db.query('select id from draws where network_id = $1', [net.networkId])).toEqual(before);
  expect(await oldestDue(t.db, t.clock.now())).toEqual({ draw: null, payment: null });
  await end!(new Error('the disk is full'));
  expect(await oldestDue(t.db, t.clock.now())).toEqual({ draw: t.clock.now(), payment: null });
  await t.app.tick();
  expect(await statusOf(draw)).toBe('settled');
  expect((await t.bet(net.user, { 3: 1 })).status).toBe(201);
});

it('reopens the books when the closing server dies', async () => {
  const { body } = await t.bet(net.user, { 3: 1 });
  const work = await close();
  await t.served.transaction((tx) => work.requireClosed(tx));
  t.clock.advance(600_000);
  await kill();
  await t.app.tick();
  expect(await statusOf(body.ticket.drawId)).toBe('settled');
  expect((await t.bet(net.user, { 3: 1 })).status).toBe(201);
  const [row] = await t.db.query('select closed_network, reopened_at from network_work where admin_id = $1', [
    net.admin._id,
  ]);
  expect(row).toEqual({ closed_network: null, reopened_at: t.clock.now() });
  await expect(t.served.transaction((tx) => work.requireClosed(tx))).rejects.toMatchObject({ code: 'NOT_READY' });
});
