import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { exportBackup, importBackup, undoRestore } from '@drawhouse/contract/backup/backups';
import { deleteRecords } from '@drawhouse/contract/clearing/clearing';
import { fairDraw } from '@drawhouse/contract/draws/draws';
import { betOfRequest, playerTicketOf, type Ticket } from '@drawhouse/contract/tickets/tickets';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TestApp, type Network } from '../../test/harness.ts';
import { CLEARING_ORDER, type ClearingModel } from '@drawhouse/contract/clearing/clearing-texts';

/** Restoring an older backup must not bring cleared history back as something else. */

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
beforeEach(async () => {
  net = await t.network({ credit: 100 });
});
afterAll(() => t.close());

const signIn = async (): Promise<void> => {
  for (const role of ['admin', 'retailer', 'user'] as const)
    Object.assign(net[role], await t.signIn(net[role].username));
};

async function nextDay(): Promise<void> {
  t.clock.advance(86_400_000);
  for (let times = 0; times < 5; times++) await t.app.tick();
  await signIn();
}

async function backUp(): Promise<string> {
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  t.clock.advance(1_000);
  return folder;
}
const restore = async (folder: string): Promise<void> => {
  await t.ok(importBackup, { query: { folder } }, net.admin);
  await signIn();
};
const clear = async (...models: ClearingModel[]): Promise<void> => {
  const body = { startDate: '2026-01-01', endDate: '2027-01-01', models };
  expect((await t.ok(deleteRecords, { body }, net.admin)).backup).not.toBeNull();
};
const isActive = async (id: string): Promise<boolean> =>
  (await t.db.query<{ active: boolean }>('select active from accounts where id = $1', [id]))[0]!.active;

it("keeps an account inactive although its deactivation's log rows were cleared", async () => {
  const others = [await t.create(net.retailer), await t.create(net.retailer)];
  const [toggled, edited] = others.map(({ _id }) => _id) as [string, string];
  const folder = await backUp();
  const params = { userId: toggled, action: 'deactivate' } as const;
  await t.ok(accountRoutes.user.toggleStatus, { params }, net.retailer);
  await t.ok(accountRoutes.user.update, { params: { id: edited }, body: { userStatus: false } }, net.admin);
  await nextDay();
  await clear('userlog');
  await restore(folder);
  expect(await Promise.all([toggled, edited].map(isActive))).toEqual([false, false]);
  await nextDay();
  await clear('userlog');
  await restore(folder);
  expect(await Promise.all([toggled, edited].map(isActive))).toEqual([false, false]);
});

it('reactivates an account whose deactivation an undo reverts', async () => {
  const { _id } = await t.create(net.retailer);
  const toggle = (action: 'activate' | 'deactivate'): Promise<unknown> =>
    t.ok(accountRoutes.user.toggleStatus, { params: { userId: _id, action } }, net.retailer);
  await toggle('deactivate');
  const folder = await backUp();
  await toggle('activate');
  await restore(folder);
  expect(await isActive(_id)).toBe(false);
  await t.ok(accountRoutes.user.update, { params: { id: _id }, body: { note: 'seen' } }, net.admin);
  await t.ok(undoRestore, { body: {} }, net.admin);
  await signIn();
  expect(await isActive(_id)).toBe(true);
});

it('allows no second clearing that day after a restore', async () => {
  const folder = await backUp();
  await nextDay();
  await clear('userlog');
  await restore(folder);
  const body = { startDate: '2026-01-01', endDate: '2027-01-01', models: ['userlog' as const] };
  expect((await t.call(deleteRecords, { body }, net.admin)).body).toMatchObject({
    code: 'RULE_REFUSED',
    message: 'Nothing was cleared: history can be cleared once a day. Try again tomorrow.',
  });
});

it('never repeats a bet whose ticket was cleared and then undone', async () => {
  const before = await backUp();
  await t.finishDraw();
  const placed: Ticket = (await t.bet(net.user, { 3: 2 }, { requestId: 'once' })).body.ticket;
  await t.finishDraw();
  await nextDay();
  await t.finishDraw();
  await clear(...CLEARING_ORDER);
  const after = await backUp();
  const answers = async (): Promise<unknown> => ({
    bet: (await t.bet(net.user, { 3: 2 }, { requestId: 'once' })).body.message,
    request: (await t.call(betOfRequest, { params: { requestId: 'once' } }, net.user)).body.message,
    draw: (await t.call(fairDraw, { params: { drawId: placed.drawId } })).body.message,
    ticket: (await t.call(playerTicketOf, { params: { ticketId: placed._id } }, net.user)).body.message,
  });
  const cleared = await answers();
  expect(cleared).toEqual({
    bet: expect.stringContaining('its ticket has since been cleared'),
    request: expect.stringContaining('which has since been cleared'),
    draw: expect.stringMatching(/^The proof of this draw was cleared/),
    ticket: expect.stringMatching(/Tickets from .* were cleared on/),
  });
  await restore(before);
  expect(await answers()).toEqual(cleared);
  expect(
    await t.db.query('select from tickets where network_id in (select id from networks) and account_id = $1', [
      net.user._id,
    ]),
  ).toEqual([]);
  await restore(await backUp());
  expect(await answers()).toEqual(cleared);
  await restore(after);
  expect(await answers()).toEqual(cleared);
  expect(await t.db.query('select from undone_cleared where network_id in (select id from networks)')).toEqual([]);
  await t.expectBooksToBalance();
});
