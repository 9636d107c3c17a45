import { approvals, approve, setApprovalRules } from '@drawhouse/contract/approvals/approvals';
import { exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import { deleteRecords } from '@drawhouse/contract/clearing/clearing';
import { CLEARING_ORDER } from '@drawhouse/contract/clearing/clearing-texts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type SignedIn } from '../harness.ts';
import { dyingAnywhere } from '../processes/dying-database.ts';
import { aWeekLater } from '../worlds/audit-world.ts';
import { playHistory, type ClearingWorld } from '../worlds/clearing-world.ts';

/** A server killed after any commit of approved work leaves the request approved and done, or waiting. */

let t: TestApp;
let net: ClearingWorld['net'];
const isAccount = (each: unknown): each is SignedIn => typeof each === 'object' && each !== null && 'username' in each;

beforeAll(async () => {
  t = await TestApp.start();
  ({ net } = await playHistory(t));
  await aWeekLater(t, ...Object.values(net).filter(isAccount));
  const rules = (['clear', 'restore'] as const).map((kind) => ({ kind, above: 0 }));
  await t.ok(setApprovalRules, { params: { adminId: net.admin._id }, body: { rules } }, net.superadmin);
});
afterAll(() => t.close());

const stateOf = async (id: string) =>
  (await t.ok(approvals.route, { query: {} }, net.superadmin)).data.find(({ _id }) => _id === id)!.state;

/** The server dies after this many commits. Returns the state of the request afterwards. */
async function approveUntil(commits: number, approvalId: string): Promise<string> {
  let left = Infinity;
  const server = await t.beside({ through: (db) => dyingAnywhere(db, (before) => before === 'answer' && --left <= 0) });
  await server.app.tick();
  left = commits;
  await server.call(approve, { params: { approvalId } }, net.superadmin);
  left = Infinity;
  await server.app.close().catch(() => {});
  await server.served.close();
  await t.app.tick();
  return stateOf(approvalId);
}

async function approveAtLast(id: string): Promise<number> {
  // The first commits begin and back up; a clearing then makes dozens alike.
  for (let commits = 1; commits < 200; commits += commits < 8 ? 1 : 3) {
    const state = await approveUntil(commits, id);
    if (state === 'approved') return commits;
    expect([commits, state]).toEqual([commits, 'waiting']);
  }
  throw new Error('The request was never approved.');
}

it('a clearing', async () => {
  const body = { startDate: '2026-03-01', endDate: '2026-03-31', models: [...CLEARING_ORDER] };
  const { body: asked } = await t.call(deleteRecords, { body }, net.admin);
  expect(asked.code).toBe('APPROVAL_PENDING');
  expect(await approveAtLast(asked.approval!)).toBeGreaterThan(5);
  const again = await t.call(approve, { params: { approvalId: asked.approval! } }, net.superadmin);
  expect(again.body.code).toBe('ALREADY_DECIDED');
  const open = await t.db.query('select from clearings where finished_at is null and network_id = $1', [net.networkId]);
  expect(open).toEqual([]);
  await t.expectBooksToBalance();
});

it('a restore', async () => {
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  const credit = await t.credit(net.user);
  await t.bet(net.user, { 3: 5 });
  await t.finishDraw();
  await t.finishDraw();
  const { body: asked } = await t.call(importBackup, { query: { folder } }, net.admin);
  expect(asked.code).toBe('APPROVAL_PENDING');
  expect(await approveAtLast(asked.approval!)).toBeGreaterThan(3);
  const again = await t.call(approve, { params: { approvalId: asked.approval! } }, net.superadmin);
  expect(again.body.code).toBe('ALREADY_DECIDED');
  net.user = await t.signIn(net.user.username);
  expect(await t.credit(net.user)).toBe(credit);
  await t.expectBooksToBalance();
});
