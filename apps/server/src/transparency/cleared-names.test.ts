import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { deleteRecords } from '@drawhouse/contract/clearing/clearing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../../test/harness.ts';
import { TestSeals } from '../../test/worlds/sealed-world.ts';

let t: TestApp;
let seals: TestSeals;
beforeAll(async () => {
  t = await TestApp.start();
  seals = await TestSeals.make(t.database);
});
afterAll(async () => {
  await t.close();
  await seals.remove();
});

it('names silent changes sealed with a clearing of deleted accounts', async () => {
  const net = await t.network({ credit: 10 });
  const [left, kept] = [await t.create(net.retailer), await t.create(net.retailer)];
  await t.ok(accountRoutes.user.remove, { params: { id: left._id } }, net.retailer);
  t.clock.advance(86_400_000);
  for (let times = 0; times < 5; times++) await t.app.tick();
  const admin = await t.signIn(net.admin.username);
  await seals.seal();
  await t.db.query("update accounts set password_hash = 'mine' where id = $1", [net.user._id]);
  const body = { startDate: '2026-01-01', endDate: '2027-01-01', models: ['user' as const] };
  const { models } = await t.ok(deleteRecords, { body }, admin);
  expect(models).toMatchObject([{ model: 'user', rows: 1 }]);
  await t.db.query("update accounts set deleted_at = now(), password_hash = '' where id = $1", [kept._id]);
  await seals.seal();
  const found = (await seals.problems()).filter((problem) => problem.startsWith('accounts ('));
  for (const { _id } of [net.user, kept]) {
    const named = (how: string) => expect.stringMatching(new RegExp(`^accounts \\(id ${_id}\\) was changed ${how}`));
    expect(found).toContainEqual(named('by transaction'));
  }
  expect(found.filter((problem) => problem.includes(left._id))).toEqual([]);
});

it('names nothing of the clearing itself', async () => {
  const net = await t.network({ credit: 10 });
  const left = await t.create(net.retailer);
  await t.ok(accountRoutes.user.remove, { params: { id: left._id } }, net.retailer);
  t.clock.advance(86_400_000);
  for (let times = 0; times < 5; times++) await t.app.tick();
  const before = await seals.problems();
  const body = { startDate: '2026-01-01', endDate: '2027-01-01', models: ['user' as const] };
  await t.ok(deleteRecords, { body }, await t.signIn(net.admin.username));
  await seals.seal();
  expect(await seals.problems()).toEqual(before);
});
