import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { approvalRules, approvals, approve, setApprovalRules } from '@drawhouse/contract/approvals/approvals';
import {
  backupAddress,
  downloadBackup,
  exportBackup,
  importBackup,
  undoRestore,
} from '@drawhouse/contract/backup/backups';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { aWeekLater } from '../../test/worlds/audit-world.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 100 });
  await t.give(net.superadmin, net.superadmin, 1000);
  await t.give(net.superadmin, net.distributor, 1000);
  await aWeekLater(t, ...Object.values(net).filter((each): each is SignedIn => typeof each === 'object'));
});
afterAll(() => t.close());

const params = () => ({ adminId: net.admin._id });
const transfer = (points: number) =>
  t.call(
    accountRoutes.retailer.creditTransfer,
    { body: { toUserId: net.retailer._id, transferAmount: points, password: PASSWORD } },
    net.distributor,
  );
const decide = (approvalId: string) => t.call(approve, { params: { approvalId } }, net.superadmin);
const restore = async (folder: string) => t.call(importBackup, { query: { folder } }, net.admin);

/** After a restore, the first draw is the one after next. */
async function settleDraw(): Promise<void> {
  await t.finishDraw();
  await t.finishDraw();
}

it('a restore weakens no rule, forgets no request, and runs none that waited', async () => {
  const setRule = (above: number) =>
    t.ok(setApprovalRules, { params: params(), body: { rules: [{ kind: 'credit', above }] } }, net.superadmin);
  await setRule(90);
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  await setRule(50);
  const [done, waiting] = [(await transfer(60)).body.approval!, (await transfer(70)).body.approval!];
  expect((await decide(done)).status).toBe(200);
  expect((await restore(folder)).status).toBe(200);

  for (const role of ['admin', 'distributor'] as const) net[role] = await t.signIn(net[role].username);
  expect((await t.ok(approvalRules, { params: params() }, net.superadmin)).data[0]).toEqual({
    kind: 'credit',
    above: 50,
  });
  const { data } = await t.ok(approvals.route, { query: {} }, net.superadmin);
  expect(data.map(({ _id, state, reason }) => [_id, state, reason])).toEqual(
    expect.arrayContaining([
      [done, 'approved', ''],
      [waiting, 'expired', 'A restore of the network ended it.'],
    ]),
  );
  expect((await decide(waiting)).body.code).toBe('ALREADY_DECIDED');
  expect((await transfer(80)).body.code).toBe('APPROVAL_PENDING');
  await t.expectBooksToBalance();
});

it('a restore of settled draws waits, and runs when the superadmin approves it', async () => {
  const rules = [{ kind: 'restore' as const, above: 0 }];
  await t.ok(setApprovalRules, { params: params(), body: { rules } }, net.superadmin);
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  net.user = await t.signIn(net.user.username);
  await t.bet(net.user, { 3: 5 });
  await settleDraw();
  const { status, body } = await restore(folder);
  expect([status, body.code]).toEqual([422, 'APPROVAL_PENDING']);
  expect((await decide(body.approval!)).body).toMatchObject({ success: true, data: { state: 'approved' } });
  net.user = await t.signIn(net.user.username);
  expect(await t.credit(net.user)).toBe(100);
  await t.expectBooksToBalance();
});

it('an undo waits if draws settled since the restore, and runs when approved', async () => {
  net.admin = await t.signIn(net.admin.username);
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  expect((await restore(folder)).status).toBe(200);
  for (const role of ['admin', 'user'] as const) net[role] = await t.signIn(net[role].username);
  await t.bet(net.user, { 3: 5 });
  await settleDraw();
  const { status, body } = await t.call(undoRestore, { body: {} }, net.admin);
  expect([status, body.code]).toEqual([422, 'APPROVAL_PENDING']);
  expect((await decide(body.approval!)).body).toMatchObject({ success: true, data: { state: 'approved' } });
  net.user = await t.signIn(net.user.username);
  expect(await t.credit(net.user)).toBe(100);
  await t.expectBooksToBalance();
});

it('a download waits, and an approval allows it to the requester for a day', async () => {
  const rules = [{ kind: 'export' as const, above: 0 }];
  await t.ok(setApprovalRules, { params: params(), body: { rules } }, net.superadmin);
  net.admin = await t.signIn(net.admin.username);
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  const download = () => t.call(downloadBackup, { query: { folder } }, net.admin);
  const address = () => t.call(backupAddress, { query: { folder } }, net.admin);
  const { body } = await address();
  expect(body.code).toBe('APPROVAL_PENDING');
  expect((await download()).status).toBe(422);
  expect((await decide(body.approval!)).body.success).toBe(true);
  expect((await address()).status).toBe(200);
  expect((await download()).status).toBe(200);
  t.clock.advance(24 * 3_600_000);
  net.admin = await t.signIn(net.admin.username);
  expect((await address()).body.code).toBe('APPROVAL_PENDING');
});
