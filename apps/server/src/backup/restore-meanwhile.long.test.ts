import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { login } from '@drawhouse/contract/auth/auth';
import { exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import { addResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { listLimits, setLimits } from '@drawhouse/contract/games/limits';
import { loadGame } from '@drawhouse/contract/live/live';
import { QUICKNET } from '@drawhouse/rules/fair/beacon-rounds';
import { playNetwork } from '../../test/worlds/audit-world.ts';
import { listen, TestApp, type Network } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { LiveClient, textOf } from '../../test/clients/live-client.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';
import type { Database, Queryable, Tx } from '../platform/db/database.ts';
import { requestOf } from '../tickets/place/bet-order.ts';

/** Concurrent calls must take effect before or after the exchange of networks, never in the removed network. */

let t: TestApp;
let net: Network;
let folder: string;
let restorer: TestApp;
let hold: { readonly at: RegExp; readonly reached: () => void; readonly until: Promise<void> } | undefined;

/** Pauses transactions once, before a matching statement. */
function holding(db: Database): Database {
  const held = <Q extends Queryable>(on: Q): Q => ({
    ...on,
    async query(text: string, values?: readonly unknown[], name?: string) {
      if (hold?.at.test(text)) {
        const { reached, until } = hold;
        hold = undefined;
        reached();
        await until;
      }
      return on.query(text, values, name);
    },
  });
  return { ...db, transaction: (act, patience) => db.transaction((tx) => act(held<Tx>(tx)), patience) };
}

beforeAll(async () => {
  t = await TestApp.start({ poolSize: 8 });
  ({ net } = await playNetwork(t, { confirmed: false }));
  ({ folder } = await t.ok(exportBackup, {}, net.admin));
  restorer = await t.beside({ through: holding });
});
afterAll(async () => {
  await restorer.close();
  await t.close();
});
beforeEach(async () => {
  Object.assign(net.superadmin, await t.signIn(net.superadmin.username));
  const params = { userId: net.admin._id, action: 'activate' } as const;
  await t.ok(accountRoutes.admin.toggleStatus, { params }, net.superadmin);
  for (const role of ['admin', 'retailer', 'user'] as const)
    Object.assign(net[role], await t.signIn(net[role].username));
  await t.finishDraw();
});

const BEFORE = /close_network/;
const COPIED = /^insert into staged_accounts/;
const LAST = /^delete from staged_networks where id/;

async function restoreWhile<T>(
  at: RegExp,
  act: () => Promise<T>,
  waits: boolean,
): Promise<{ restored: { status: number }; done: T }> {
  const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: isThere, resolve: reached } = Promise.withResolvers<void>();
  hold = { at, reached, until };
  const restoring = restorer.call(importBackup, { query: { folder } }, net.admin);
  await isThere;
  const acting = act();
  if (waits) await untilWaiting(t);
  else await acting;
  goOn();
  const [restored, done] = await Promise.all([restoring, acting]);
  await t.expectBooksToBalance();
  return { restored, done };
}

const pair = () => ({ gameId: 'funtargetbingo', adminId: net.admin._id });
const limits = async (): Promise<number | null> => {
  const { data } = await t.ok(listLimits, { params: { adminId: net.admin._id } }, net.superadmin);
  return data[0]!.perTicket;
};
const setLimit = (perTicket: number) => async (): Promise<{ status: number }> => {
  const params = { adminId: net.admin._id };
  const { data } = await t.ok(listLimits, { params }, net.superadmin);
  return t.call(setLimits, { params, body: { updates: [{ id: data[0]!.id, perTicket }] } }, net.superadmin);
};
const stop = () =>
  t.call(accountRoutes.admin.toggleStatus, { params: { userId: net.admin._id, action: 'deactivate' } }, net.superadmin);
const isActive = async (): Promise<boolean> => {
  const [row] = await t.db.query<{ active: boolean }>('select active from accounts where id = $1', [net.admin._id]);
  return row!.active;
};

/** Locks only accumulate within the transaction, so `npm test` tries the first moment. */
const MOMENTS = [
  ['copied its accounts', COPIED],
  ['done all but the last', LAST],
] as const;

describe.each(MOMENTS)('once a restore has %s, it delays', (_name, at) => {
  it('limits set by the superadmin, which then apply to the new state', async () => {
    const perTicket = at === COPIED ? 501 : 502;
    const { restored, done } = await restoreWhile(at, setLimit(perTicket), true);
    expect([restored.status, done.status, await limits()]).toEqual([200, 200, perTicket]);
  });

  it('stopping its admin, who stays stopped', async () => {
    const { restored, done } = await restoreWhile(at, stop, true);
    expect([restored.status, done.status, await isActive()]).toEqual([200, 200, false]);
  });

  it("the superadmin's changes at its tables", async () => {
    const add = () => t.call(addBalance, { body: { ...pair(), balance: 2 } }, net.superadmin);
    expect((await restoreWhile(at, add, true)).done.status).toBe(200);
  });

  it('results and voids of draws that are gone', async () => {
    const declare = () => t.call(addResult, { body: { ...pair(), result: '3', boosterValue: 1 } }, net.superadmin);
    expect((await restoreWhile(at, declare, true)).done.status).toBe(409);
    await t.finishDraw();
    Object.assign(net.admin, await t.signIn(net.admin.username));
    const end = () => t.call(voidDraw, { body: { ...pair(), reason: 'a test' } }, net.superadmin);
    expect((await restoreWhile(at, end, true)).done.status).toBe(409);
  });

  it('accounts of the network, whose sessions end', async () => {
    const body = {
      username: `late-${at === COPIED}`,
      password: PASSWORD,
      commission: 0,
      note: 'n',
      role: 'user',
    } as const;
    const create = () => t.call(accountRoutes.user.create, { body }, net.retailer);
    expect((await restoreWhile(at, create, true)).done.status).toBe(401);
  });

  it('a bet, which then exists in neither state', async () => {
    await t.app.tick();
    const requestId = `amid ${at.source}`;
    const bet = () => t.bet(net.user, { 3: 1 }, { requestId });
    expect((await restoreWhile(at, bet, true)).done.body).toMatchObject({ code: 'NETWORK_RESTORING' });
    expect(await t.db.query('select from tickets where request = $1', [requestOf(net.user._id, requestId)])).toEqual(
      [],
    );
  });

  it('a sign-in, to be retried', async () => {
    const signIn = () => t.call(login, { body: { username: net.user.username, password: PASSWORD } });
    expect((await restoreWhile(at, signIn, true)).done.status).toBe(503);
    await t.signIn(net.user.username);
  });
});

describe('before a restore swaps', () => {
  it('a day that ends meanwhile is also summed in the restored state', async () => {
    const nextDay = (): Promise<void> => {
      t.clock.advance(86_400_000);
      return t.app.tick();
    };
    expect((await restoreWhile(BEFORE, nextDay, false)).restored.status).toBe(200);
  });

  it('beacons set by the superadmin stay', async () => {
    const ofNetwork = 'where network_id = (select id from networks where admin_id = $1)';
    const set = (keys: readonly string[]) =>
      t.byHand(`update network_games set beacons = $2 ${ofNetwork}`, [net.admin._id, keys]);
    expect((await restoreWhile(BEFORE, () => set([QUICKNET.publicKey]), false)).restored.status).toBe(200);
    expect(await t.db.query(`select distinct beacons from network_games ${ofNetwork}`, [net.admin._id])).toEqual([
      { beacons: [QUICKNET.publicKey] },
    ]);
    await set([]);
  });

  it('stopping its admin cancels the swap', async () => {
    const before = await t.db.query('select id from networks order by id');
    const { restored } = await restoreWhile(BEFORE, stop, false);
    expect(restored).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
    expect(await t.db.query('select id from networks order by id')).toEqual(before);
  });
});

describe('open panels during staging and swap', () => {
  const PATIENCE = { timeout: 300_000 };
  let url: string;
  let admin: LiveClient;
  let superadmin: LiveClient;

  beforeAll(async () => {
    url = await listen(t.app);
  });
  beforeEach(async () => {
    await t.app.tick();
    const { gameId, adminId } = pair();
    [admin, superadmin] = [net.admin, net.superadmin].map(({ token }) =>
      new LiveClient(url, token).open(adminId, gameId),
    ) as [LiveClient, LiveClient];
    await vi.waitUntil(() => admin.panel && superadmin.panel, PATIENCE);
  });
  afterEach(() => {
    for (const { socket } of [admin, superadmin]) socket.disconnect();
  });

  const stakes = (): (number | undefined)[] => [admin, superadmin].map(({ panel }) => panel?.totalsumdata);
  const shown = async (): Promise<string> => textOf(await t.ok(loadGame, { query: pair() }, net.superadmin));

  it('show the live network until then; its accounts are signed out, and the superadmin reopens to see the restored state', async () => {
    const [before] = stakes();
    expect((await t.bet(net.user, { 5: 2 })).status).toBe(201);
    await expect.poll(() => stakes().every((sum) => sum! > before!), PATIENCE).toBe(true);
    const [staked] = stakes();
    const look = async (): Promise<void> => {
      for (const { id } of await t.db.query<{ id: number }>('select id from staged_networks'))
        t.app.services.events.emit('panelChanged', { networkId: id, gameKey: pair().gameId }, 'any');
      expect(await t.bet(net.user, { 5: 2 })).toMatchObject({ status: 422, body: { code: 'NETWORK_RESTORING' } });
      expect(stakes()).toEqual([staked, staked]);
    };
    expect((await restoreWhile(BEFORE, look, false)).restored.status).toBe(200);
    await expect.poll(() => admin.closed, PATIENCE).toEqual(['io server disconnect']);
    await expect.poll(() => superadmin.refusals, PATIENCE).toEqual(['THROTTLED']);
    expect(superadmin.closed).toEqual([]);
    await t.app.tick();
    superadmin.open(pair().adminId, pair().gameId);
    await expect.poll(async () => textOf(superadmin.panel) === (await shown()), PATIENCE).toBe(true);
  });
});
