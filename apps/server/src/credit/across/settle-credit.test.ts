import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { AskCell } from '../../cells/call-cell.ts';
import { balanceOf } from '../../ledger/wallets.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { TestGroup } from '../../../test/worlds/cells.ts';
import { CreditCourier } from './carry-credit.ts';
import { loginLimitOf } from '../daily-limit.ts';
import { findSent } from './messages.ts';
import { receiveCredit } from './receive-credit.ts';
import { endMessage, enterLost, settle } from './settle-credit.ts';

const { creditTransfer, creditAdjust } = accountRoutes.admin;
const POINTS = 500n;
const DAY_MS = 86_400_000;
const APPLIED = { refusal: null, balance: 0n };
const REFUSED = { refusal: 'TARGET_INACTIVE', balance: 0n };

type Cell = Awaited<ReturnType<TestGroup['add']>>;

let group: TestGroup;

/** The other cell answers the last message of each network, and refuses all else unless it has an answer. */
function courierOf({ app: { services } }: Cell, answer?: () => object) {
  const last = new Map<string, string>();
  const warn = vi.fn();
  let reason = 'not now';
  const askCell: AskCell = (_peer, { path }) =>
    path === 'credit/last'
      ? Promise.resolve({ last: Array.from(last, ([adminId, id]) => ({ adminId, id })) })
      : answer
        ? Promise.resolve(answer())
        : Promise.reject(new Error(reason));
  const failWith = (text: string): void => void (reason = text);
  return { courier: new CreditCourier({ services, askCell, logger: { warn } }), last, warn, failWith };
}

beforeAll(async () => {
  group = await TestGroup.start();
});
afterAll(() => group.close());

it('settles a message once, and judges later answers of a restored cell', async () => {
  const first = await group.add('cell-1');
  const second = await group.add('cell-2');
  const { superadmin } = await first.network({ credit: 100 });
  const { superadmin: superadminThere } = await second.network();
  const admin = await second.create(superadminThere);
  const { services } = first.app;
  const issue = { toUserId: superadmin._id, password: PASSWORD, adjustAmount: 100 };
  await first.ok(accountRoutes.superadmin.creditAdjust, { body: issue }, superadmin);
  const own = () => balanceOf(services.db, 0, `credit:${superadmin._id}`);
  const start = await own();

  const gift = { toUserId: admin._id, password: PASSWORD, transferAmount: 5 };
  await first.ok(creditTransfer, { body: gift }, superadmin);
  const [given] = await findSent(services.db, sql`settled_at is null`);
  expect(await own()).toBe(start - POINTS);
  await settle(services, given!, REFUSED);
  await settle(services, given!, REFUSED);
  expect(await own()).toBe(start);
  await expect(settle(services, given!, APPLIED)).rejects.toThrow('in another way than before');

  const debit = { toUserId: admin._id, password: PASSWORD, adjustAmount: 5, transactionType: 'debit' } as const;
  await first.ok(creditAdjust, { body: debit }, superadmin);
  const [called] = await findSent(services.db, sql`settled_at is null`);
  await settle(services, called!, APPLIED);
  await expect(settle(services, called!, REFUSED)).rejects.toThrow('in another way than before');
  expect(await own()).toBe(start + POINTS);

  const now = services.clock.now();
  const longAgo = new Date(now.getTime() - 10 * DAY_MS);
  const lost = { ...called!, ...REFUSED, id: randomUUID(), number: 3, kind: 'give', at: longAgo } as const;
  const ahead = { ...lost, id: randomUUID(), number: 4, at: new Date(now.getTime() + DAY_MS) };
  await enterLost(services, called!, [lost, ahead]);
  const entered = await findSent(services.db, sql`admin_id = ${admin._id} and number > 2`);
  expect(entered.map(({ at, settledAt }) => [at, settledAt])).toEqual([
    [longAgo, now],
    [now, now],
  ]);
  expect(await own()).toBe(start + POINTS);
  const [logged] = await first.db.query("select subject from activity where detail ->> 'messageId' = $1", [lost.id]);
  expect(logged).toEqual({ subject: `cell-2 refused to move credit of ${admin.username}` });

  await second.ok(accountRoutes.admin.remove, { params: { id: admin._id } }, superadminThere);
  const known = { ...given!, from: 'cell-1', known: 'applied' } as const;
  const deleted = second.app.services;
  await expect(receiveCredit(deleted, { ...known, kind: 'takeBack' })).rejects.toMatchObject({
    message: `${admin.username} has only 0.00 of the 5.00 points left.`,
  });
  expect(await receiveCredit(deleted, known)).toMatchObject({ refusal: 'NOT_FOUND' });
  for (const t of [first, second]) await t.expectBooksToBalanceNow();
});

it('forgets why a settled message failed once the other cell has it', async () => {
  const [first, second] = group.cells as [Cell, Cell];
  const { admin } = await second.network();
  const { superadmin } = await first.network();
  await first.ok(creditTransfer, { body: { toUserId: admin._id, password: PASSWORD, transferAmount: 1 } }, superadmin);
  const { services } = first.app;
  const sent = async () => (await findSent(services.db, sql`admin_id = ${admin._id}`))[0]!;
  const { id } = await sent();
  await settle(services, await sent(), APPLIED);
  await services.db.query(sql`update sent_credit set failure = 'too little left' where id = ${id}`);
  const { courier, last } = courierOf(first);
  await courier.compareAll();
  expect((await sent()).failure).toBe('too little left');
  last.set(admin._id, id);
  await courier.compareAll();
  expect((await sent()).failure).toBe(null);
});

it('notes why an answer can’t be booked, until it can', async () => {
  const [first, second] = group.cells as [Cell, Cell];
  const { superadmin } = await first.network();
  const { admin } = await second.network();
  const debit = { toUserId: admin._id, password: PASSWORD, adjustAmount: 1, transactionType: 'debit' } as const;
  await first.ok(creditAdjust, { body: debit }, superadmin);
  const { services } = first.app;
  const sent = async () => (await findSent(services.db, sql`admin_id = ${admin._id}`))[0]!;
  await settle(services, await sent(), APPLIED);
  let answer = REFUSED as typeof APPLIED | typeof REFUSED;
  const { courier } = courierOf(first, () => ({ ...answer, balance: '0', later: [] }));
  await courier.compareAll();
  expect((await sent()).failure).toContain('in another way than before');
  answer = APPLIED;
  await courier.compareAll();
  expect((await sent()).failure).toBe(null);
});

it('warns of each new reason why credit of a network waits, in each step', async () => {
  const [first, second] = group.cells as [Cell, Cell];
  const { superadmin } = await first.network();
  const { admin } = await second.network();
  const { courier, last, warn, failWith } = courierOf(first);
  const warned = () =>
    warn.mock.calls
      .map(([about]) => about as { readonly error: Error; readonly adminId: string; readonly step: string })
      .filter(({ adminId }) => adminId === admin._id)
      .map(({ error, step }) => `${step}: ${error.message}`);
  last.set(admin._id, randomUUID());
  for (const reason of ['one', 'one', 'other']) {
    failWith(reason);
    await courier.compareAll();
  }
  expect(warned()).toEqual(['compare: one', 'compare: other']);
  const gift = { toUserId: admin._id, password: PASSWORD, transferAmount: 1 };
  await first.ok(creditTransfer, { body: gift }, superadmin);
  for (const reason of ['other', 'other', 'one']) {
    failWith(reason);
    await courier.deliverAll();
  }
  expect(warned().slice(2)).toEqual(['deliver: other', 'deliver: one']);
});

it('counts a gift for the limit of a login until the other cell refuses it', async () => {
  const [first, second] = group.cells as [Cell, Cell];
  const { admin } = await second.network();
  const { superadmin } = await first.network();
  const gift = { toUserId: admin._id, password: PASSWORD, transferAmount: 2 };
  await first.ok(creditTransfer, { body: gift }, superadmin);
  const { services } = first.app;
  const [sent] = await findSent(services.db, sql`admin_id = ${admin._id}`);
  const by = { id: superadmin._id, networkId: 0, login: 1 };
  const undo = new Error('undo');
  const counting = first.db.transaction(async (tx) => {
    await tx.query(
      `insert into logins (created_at, password_set_at, daily_limit, account_id, password_set_by, network_id, number, role, username,
         name, password_hash)
       values ($2, $2, 1000, $1, $1, 0, 1, 'manager', 'counted', '', '')`,
      [by.id, services.clock.now()],
    );
    await tx.query(`update activity set detail = detail || '{"login": 1}' where detail ->> 'messageId' = $1`, [
      sent!.id,
    ]);
    const left = async () => (await loginLimitOf(services, tx, by, services.clock.now()))!.left;
    expect(await left()).toBe(800n);
    await tx.query(sql`update sent_credit set refusal = 'TARGET_INACTIVE' where id = ${sent!.id}`);
    expect(await left()).toBe(1_000n);
    throw undo;
  });
  await expect(counting).rejects.toBe(undo);
});

it('ends messages that are never delivered, and take-backs that a restored cell has lost', async () => {
  const [first, second] = group.cells as [Cell, Cell];
  const { superadmin } = await first.network();
  const { admin } = await second.network();
  const { services } = first.app;
  const own = () => balanceOf(services.db, 0, `credit:${superadmin._id}`);
  const start = await own();
  const message = async (number: number) =>
    (await findSent(services.db, sql`admin_id = ${admin._id} and number = ${number}`))[0]!;
  const body = { toUserId: admin._id, password: PASSWORD };
  await first.ok(creditTransfer, { body: { ...body, transferAmount: 5 } }, superadmin);
  const debit = { ...body, adjustAmount: 5, transactionType: 'debit' } as const;
  for (let times = 0; times < 2; times++) await first.ok(creditAdjust, { body: debit }, superadmin);

  expect(await endMessage(services, (await message(1)).id)).toBe(
    `Ended the gift of 5.00 points to ${admin.username} in cell-2, which was never delivered`,
  );
  await endMessage(services, (await message(2)).id);
  expect(await own()).toBe(start);
  const lost = await message(3);
  await settle(services, lost, APPLIED);
  expect(await own()).toBe(start + POINTS);
  const ending = () => endMessage(services, lost.id);
  await expect(ending(), 'it may have arrived').rejects.toMatchObject({ code: 'RULE_REFUSED' });
  await services.db.query(sql`update sent_credit set failure = 'too little left' where id = ${lost.id}`);
  await ending();
  await expect(ending()).rejects.toMatchObject({ code: 'RULE_REFUSED' });
  expect(await own()).toBe(start);
  for (const number of [1, 2, 3]) {
    const sent = await message(number);
    expect(sent).toMatchObject({ refusal: 'RULE_REFUSED', failure: null });
    const received = await receiveCredit(second.app.services, { ...sent, from: 'cell-1', known: 'refused' });
    await settle(services, sent, received as typeof REFUSED);
  }
  await expect(endMessage(services, randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  for (const t of [first, second]) await t.expectBooksToBalanceNow();
});
