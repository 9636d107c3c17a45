import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { distantAdmin } from '@drawhouse/contract/credit/own-credit';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { AskCell } from '../../cells/call-cell.ts';
import { balanceOf } from '../../ledger/wallets.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { auditAfter } from '../../../test/tampering/tampered.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { TestGroup } from '../../../test/worlds/cells.ts';
import { CreditCourier } from './carry-credit.ts';
import { loginLimitOf } from '../daily-limit.ts';
import { findLastReceived, findLastSent, findSent } from './messages.ts';
import { receiveCredit } from './receive-credit.ts';
import { enterLost, settle } from './settle-credit.ts';
import { wireOf } from './wire.ts';

const { creditTransfer, creditAdjust } = accountRoutes.admin;
const POINTS = 500n;
const SHELL = { command: 'npm run group -- end', osUser: 'root' };
const DAY_MS = 86_400_000;
const APPLIED = { refusal: null, balance: 0n };
const REFUSED = { refusal: 'TARGET_INACTIVE', balance: 0n };

type Cell = Awaited<ReturnType<TestGroup['add']>>;

let group: TestGroup;

type Answers = Readonly<Record<string, () => object>>;

/** The other cell answers the last message of each network, and refuses all else that has no answer. */
function courierOf({ app: { services } }: Cell, answers: Answers = {}) {
  const last = new Map<string, object>();
  const warn = vi.fn();
  let reason = 'not now';
  const all: Answers = { 'credit/last': () => ({ last: [...last.values()] }), ...answers };
  const askCell: AskCell = async (_peer, { path }) => {
    await Promise.resolve();
    if (!all[path]) throw new Error(reason);
    return all[path]();
  };
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
  const subjects = async (id: string) =>
    (
      await first.db.query<{ subject: string }>("select subject from activity where detail ->> 'settled' = $1", [id])
    ).map(({ subject }) => subject.replaceAll(admin.username, 'ADMIN'));
  await settle(services, given!, APPLIED);
  expect(await own(), 'the other cell was put back to a later moment').toBe(start - POINTS);
  await settle(services, given!, REFUSED);
  expect(await subjects(given!.id)).toEqual([
    'Got 5.00 points back that ADMIN in cell-2 could not receive',
    'Gave 5.00 points to ADMIN after all: cell-2 has applied the gift',
    'Got 5.00 points back that ADMIN in cell-2 could not receive',
  ]);

  const debit = { toUserId: admin._id, password: PASSWORD, adjustAmount: 5, transactionType: 'debit' } as const;
  await first.ok(creditAdjust, { body: debit }, superadmin);
  const [called] = await findSent(services.db, sql`settled_at is null`);
  await settle(services, called!, APPLIED);
  await settle(services, called!, REFUSED);
  expect(await own()).toBe(start);
  await settle(services, called!, APPLIED);
  expect(await own()).toBe(start + POINTS);
  expect((await subjects(called!.id))[1]).toBe(
    'Returned 5.00 points to ADMIN: cell-2 has not taken them back after all',
  );
  expect(await auditAfter(first, "update sent_credit set refusal = 'NOT_FOUND' where number = 2")).toContainEqual(
    expect.stringMatching(/^message .* should have moved 0 hundredths away; 3 transfers moved -500, the first is /),
  );

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
  for (const message of await findLastSent(services.db)) last.set(message.adminId, message);
  await courier.compareAll();
  expect((await sent()).failure).toBe(null);
});

it('notes why an answer can’t be booked, until it can, and ends no message that its cell has', async () => {
  const [first, second] = group.cells as [Cell, Cell];
  const { superadmin } = await first.network();
  const { admin } = await second.network();
  const debit = { toUserId: admin._id, password: PASSWORD, adjustAmount: 1, transactionType: 'debit' } as const;
  const send = () => first.ok(creditAdjust, { body: debit }, superadmin);
  await send();
  const { services } = first.app;
  const sent = () => findSent(services.db, sql`admin_id = ${admin._id}`);
  const failures = async () => (await sent()).map(({ failure }) => failure);
  const message = { ...(await sent())[0]!, ...APPLIED };
  // A gift that this cell has lost and the superadmin can't pay again.
  const lost = { ...message, id: randomUUID(), number: 2, kind: 'give', amount: 10n ** 12n } as const;
  let answer: object = { refusal: null, balance: '0', later: [wireOf(lost)] };
  const { courier } = courierOf(first, {
    'credit/deliver': () => answer,
    'credit/list': () => ({ all: [wireOf(message)] }),
  });
  await courier.deliverAll();
  expect(await failures()).toEqual(['cell-1 can’t book the answer: Not enough credit.']);
  await expect(courier.end(SHELL, message.id)).rejects.toMatchObject({
    code: 'RULE_REFUSED',
    message: 'cell-2 has this message, so its answer counts. cell-1 can’t book the answer: Not enough credit.',
  });
  answer = { refusal: null, balance: '0', later: [] };
  await courier.compareAll();
  expect(await failures()).toEqual([null]);
  await send();
  answer = { last: 2, later: [wireOf(message)] };
  await courier.deliverAll();
  expect(await failures()).toEqual([null, 'cell-2 has other messages under this number and the next ones.']);
  await courier.end(SHELL, (await sent())[1]!.id);
  await send();
  answer = { last: 0, later: [] };
  await courier.deliverAll();
  expect(await failures(), 'of the first alone').toEqual([expect.stringContaining('other messages'), null, null]);
  await courier.end(SHELL, (await sent())[2]!.id);
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
  last.set(admin._id, { adminId: admin._id, id: randomUUID(), outcomes: 'others' });
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
  const [silent] = await findSent(first.app.services.db, sql`admin_id = ${admin._id}`);
  expect(silent!.failure, 'silence is no refusal').toBe(null);
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

it('ends messages that their cell does not have, and books its answer if it has them after all', async () => {
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
  const { courier: silent } = courierOf(first);
  let all: object[] = [];
  const answers = { 'credit/list': () => ({ all }) };
  const { courier, last } = courierOf(first, answers);

  const gift = await message(1);
  expect(await silent.end(SHELL, gift.id)).toBe(`Ended the gift of 5.00 points to ${admin.username} in cell-2`);
  expect(await own()).toBe(start);
  const known = async () => (await first.ok(distantAdmin, { params: { id: admin._id } }, superadmin)).data;
  expect(await known(), 'no cell has told the balance').toMatchObject({ last: null, inTransit: 0 });
  const [logged] = await first.db.query("select username, subject from activity where detail ->> 'settled' = $1", [
    gift.id,
  ]);
  expect(logged).toEqual({
    username: '(shell)',
    subject: `Ended the gift of 5.00 points to ${admin.username} in cell-2, from the server shell as root`,
  });
  await courier.end(SHELL, (await message(2)).id);
  expect(await own()).toBe(start);

  const lost = await message(3);
  await settle(services, lost, APPLIED);
  expect(await own()).toBe(start + POINTS);
  const ending = (by: CreditCourier) => by.end(SHELL, lost.id);
  await expect(ending(courier), 'not tried yet').rejects.toMatchObject({ code: 'RULE_REFUSED' });
  await services.db.query(sql`update sent_credit set failure = 'too little left' where id = ${lost.id}`);
  await expect(ending(silent)).rejects.toMatchObject({ code: 'NOT_READY' });
  await ending(courier);
  await expect(ending(courier)).rejects.toMatchObject({ code: 'RULE_REFUSED' });
  expect(await own()).toBe(start);
  await expect(courier.end(SHELL, randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(courier.end(SHELL, 'none')).rejects.toMatchObject({ code: 'NOT_FOUND' });

  for (const number of [1, 2, 3])
    expect(await message(number)).toMatchObject({ refusal: 'RULE_REFUSED', failure: null });
  all = [wireOf({ ...gift, ...APPLIED, refusal: null })];
  const mine = (await findLastSent(services.db)).find(({ adminId }) => adminId === admin._id)!;
  last.set(admin._id, { ...mine, outcomes: 'others' });
  await courier.compareAll();
  expect(await own(), 'the silent cell had the gift').toBe(start - POINTS);
  expect([(await message(1)).refusal, (await known()).last?.balance]).toEqual([null, 0]);
  await settle(services, gift, REFUSED);
  for (const number of [1, 2, 3]) {
    const received = await receiveCredit(second.app.services, {
      ...(await message(number)),
      from: 'cell-1',
      known: 'refused',
    });
    await settle(services, await message(number), received as typeof REFUSED);
  }
  const theirs = (await findLastReceived(second.app.services.db, 'cell-1')).find(
    ({ adminId }) => adminId === admin._id,
  );
  const ours = (await findLastSent(services.db)).find(({ adminId }) => adminId === admin._id);
  expect(theirs).toEqual(ours);
  for (const t of [first, second]) await t.expectBooksToBalanceNow();
});
