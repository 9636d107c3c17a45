import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import { reverseTransfer } from '@drawhouse/contract/credit/credit';
import { distantAdmin, loadCredit } from '@drawhouse/contract/credit/own-credit';
import { transactionOf, transactionReport } from '@drawhouse/contract/reports/transactions';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, afterEach, expect, it, vi } from 'vitest';
import type { Network, SignedIn } from '../../../test/harness.ts';
import { auditAfter } from '../../../test/tampering/tampered.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { advanceAll, moveBetween } from '../../../test/worlds/cell-moves.ts';
import { TestGroup } from '../../../test/worlds/cells.ts';
import { needsApproval } from '../../approvals/approval-rules.ts';
import { compareMovedLogs } from '../../commands/compare-moved-logs.ts';
import type { Config } from '../../config/config.ts';
import { ISSUANCE } from '../../ledger/wallets.ts';
import { createAskCell } from '../../cells/call-cell.ts';
import { creditNotices } from '../../operations/health/server-health.ts';
import type { Peer } from '../../platform/services.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { CreditCourier } from './carry-credit.ts';
import { compareBooks, readGroupBooks } from './compare-books.ts';
import { findReceived, findSent, sumWaiting, type SentCredit } from './messages.ts';
import { receiveCredit } from './receive-credit.ts';
import { settle } from './settle-credit.ts';

type Cell = Awaited<ReturnType<TestGroup['add']>>;

const { creditTransfer, creditAdjust } = accountRoutes.admin;
const request = globalThis.fetch;

let group: TestGroup;
let first: Cell;
let second: Cell;
let superadmin: SignedIn;
let admin: SignedIn;
let there: Network;

beforeAll(async () => {
  group = await TestGroup.start();
  first = await group.add('cell-1');
  second = await group.add('cell-2');
  ({ superadmin, admin } = await first.network());
  there = await second.network({ credit: 1_000 });
  await group.connectCells();
  const issue = {
    toUserId: superadmin._id,
    password: PASSWORD,
    adjustAmount: 10_000,
    transactionType: 'credit',
  } as const;
  await first.ok(accountRoutes.superadmin.creditAdjust, { body: issue }, superadmin);
});
afterAll(() => group.close());
beforeEach(() => void vi.stubGlobal('fetch', request));
afterEach(() => expectBooksToAgree());

const readGroup = () =>
  readGroupBooks(
    { directory: first.directory, db: first.app.services.db },
    createAskCell({ clock: first.clock, directory: first.directory }),
  );

async function expectBooksToAgree(): Promise<void> {
  for (const t of [first, second]) await t.expectBooksToBalance();
  expect(compareBooks(await readGroup())).toMatchObject({ problems: [], inTransit: 0n });
}

const MINUTE_MS = 60_000;

/** Later, because calls have no patience with a cell that failed just now. */
async function setDown(isDown: boolean): Promise<void> {
  const down: typeof fetch = () => Promise.reject(new TypeError('the other cell is down'));
  vi.stubGlobal('fetch', isDown ? down : request);
  if (!isDown) await advanceAll([first, second], MINUTE_MS);
}

const give = (amount: number, key?: string) =>
  first.call(
    creditTransfer,
    { body: { toUserId: there.admin._id, password: PASSWORD, transferAmount: amount } },
    { ...superadmin, ...(key !== undefined && { idempotencyKey: key }) },
  );
const takeBack = (amount: number) =>
  first.call(
    creditAdjust,
    { body: { toUserId: there.admin._id, password: PASSWORD, adjustAmount: amount, transactionType: 'debit' } },
    superadmin,
  );
const creditOf = async (t: Cell, by: SignedIn): Promise<number> =>
  (await t.ok(loadCredit, {}, by)).data[0]!.walletBalance;
const both = async (): Promise<[number, number]> => [
  await creditOf(first, superadmin),
  await creditOf(second, there.admin),
];

it('gives credit to an admin of another cell, and takes it back', async () => {
  const [mine, theirs] = await both();
  const given = await give(300);
  expect(given).toMatchObject({
    status: 200,
    body: {
      receiverWallet: theirs + 300,
      senderWallet: mine - 300,
      data: [{ _id: there.admin._id, walletBalance: theirs + 300, cell: { name: 'cell-2', isHere: false } }],
    },
  });
  expect(await both()).toEqual([mine - 300, theirs + 300]);
  expect(await takeBack(200)).toMatchObject({
    status: 200,
    body: { receiverWallet: theirs + 100, senderWallet: mine - 100 },
  });
  expect(await both()).toEqual([mine - 100, theirs + 100]);
});

it('issues credit in the first cell only, and retires it in all', async () => {
  const adjust = (transactionType: 'credit' | 'debit') => {
    const body = { toUserId: there.superadmin._id, password: PASSWORD, adjustAmount: 5, transactionType };
    return second.call(accountRoutes.superadmin.creditAdjust, { body }, there.superadmin);
  };
  const taken = { toUserId: there.admin._id, password: PASSWORD, adjustAmount: 5, transactionType: 'debit' } as const;
  await second.ok(accountRoutes.admin.creditAdjust, { body: taken }, there.superadmin);
  const before = await creditOf(second, there.superadmin);
  expect(await adjust('credit')).toMatchObject({
    status: 403,
    body: { code: 'NOT_ALLOWED', message: expect.stringContaining('belong to cell-1') as string },
  });
  expect(await creditOf(second, there.superadmin)).toBe(before);
  expect((await adjust('debit')).status).toBe(200);
  expect(await creditOf(second, there.superadmin)).toBe(before - 5);
});

it('takes nothing back beyond the balance of the admin', async () => {
  const [mine, theirs] = await both();
  expect(await takeBack(theirs + 1)).toMatchObject({
    status: 422,
    body: {
      code: 'INSUFFICIENT_CREDIT',
      message: expect.stringContaining(`${there.admin.username} has only `) as string,
    },
  });
  expect(await both()).toEqual([mine, theirs]);
});

it('keeps credit in transit while the answer is lost, and applies it once', async () => {
  const [mine, theirs] = await both();
  const [{ address }] = (await first.directory.peers()) as [Peer];
  vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
    const answer = await request(...call);
    if (new URL(call[0]).origin === new URL(address!).origin) throw new TypeError('the answer is lost');
    return answer;
  });
  const lost = await give(50, 'lost');
  expect(lost).toMatchObject({ status: 200, body: { receiverWallet: null, inTransit: true, senderWallet: mine - 50 } });
  expect(await both(), 'it arrived all the same').toEqual([mine - 50, theirs + 50]);
  await setDown(false);
  expect(await first.db.query('select from sent_credit where settled_at is null')).toEqual([]);
  const { status, body } = await give(50, 'lost');
  expect([status, body.receiverWallet, body.transferId]).toEqual([200, theirs + 50, lost.body.transferId]);
  expect(await both()).toEqual([mine - 50, theirs + 50]);
});

it('takes credit of an ended gift again if the silent cell had applied it', async () => {
  const [mine, theirs] = await both();
  await setDown(true);
  await give(50);
  const { services } = first.app;
  const [sent] = await findSent(services.db, sql`settled_at is null`);
  await receiveCredit(second.app.services, { ...sent!, from: 'cell-1' });
  const askCell = createAskCell({ clock: first.clock, directory: first.directory });
  const courier = new CreditCourier({ services, askCell, logger: { warn: () => {} } });
  await courier.end({ command: 'npm run group -- end', osUser: undefined }, sent!.id);
  expect(await both()).toEqual([mine, theirs + 50]);
  await setDown(false);
  await advanceAll([first, second], MINUTE_MS);
  expect(await both()).toEqual([mine - 50, theirs + 50]);
});

it('gets credit from the sender alone, whoever says that there is some', async () => {
  const [mine, theirs] = await both();
  const peer = (await first.directory.peers()).find(({ cell }) => cell === 'cell-2');
  const askCell = createAskCell({ clock: first.clock, directory: first.directory });
  const forged = { id: randomUUID(), adminId: there.admin._id, number: '9', amount: '100', kind: 'give', note: '' };
  const read = { path: 'credit/deliver', params: forged, query: {}, caller: '', permissions: [] };
  await expect(askCell(peer!, read)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await both()).toEqual([mine, theirs]);
});

it('delivers again what the other cell has lost, and enters what this cell has lost', async () => {
  const [mine, theirs] = await both();
  const { services } = first.app;
  await setDown(true);
  await give(40);
  const [lostThere] = await findSent(services.db, sql`settled_at is null`);
  await settle(services, lostThere!, { refusal: null, balance: 0n });
  await setDown(false);
  await advanceAll([first, second], MINUTE_MS);
  expect(await both()).toEqual([mine - 40, theirs + 40]);

  const { number } = lostThere!;
  const lostHere = { from: 'cell-1', adminId: there.admin._id, note: '', kind: 'give' } as const;
  for (const known of [undefined, 'refused'] as const) {
    const nth = number + (known ? 2 : 1);
    await receiveCredit(second.app.services, { ...lostHere, id: randomUUID(), number: nth, amount: 500n, known });
  }
  expect(await both(), 'issuance of nobody').toEqual([mine - 40, theirs + 45]);
  expect(await give(1)).toMatchObject({ status: 200, body: { receiverWallet: theirs + 46, senderWallet: mine - 46 } });
  expect((await findSent(services.db, sql`true`)).map((sent) => sent.number)).toEqual(
    Array.from({ length: number + 3 }, (_, index) => index + 1),
  );
});

it.each([true, false])('enters a lost gift whose number an ended one took (its cell answers: %s)', async (isUp) => {
  const [mine, theirs] = await both();
  const { services } = first.app;
  const newCourier = (): CreditCourier => {
    const askCell = createAskCell({ clock: first.clock, directory: first.directory });
    return new CreditCourier({ services, askCell, logger: { warn: () => {} } });
  };
  const shell = { command: 'npm run group -- end', osUser: undefined };
  const number = (await findSent(services.db, sql`admin_id = ${there.admin._id}`)).length + 1;
  const lost = { id: randomUUID(), from: 'cell-1', adminId: there.admin._id, note: '', kind: 'give', number } as const;
  await receiveCredit(second.app.services, { ...lost, amount: BigInt(mine - 1) * 100n });
  if (!isUp) await setDown(true);
  await give(10);
  const [sent] = await findSent(services.db, sql`settled_at is null`);
  expect(sent!.failure).toBe(isUp ? 'cell-1 can’t book the answer: Not enough credit.' : null);
  await newCourier().end(shell, sent!.id);
  if (!isUp) {
    await give(1);
    vi.stubGlobal('fetch', request);
    await newCourier().deliverAll();
    expect(await both(), 'the lost gift counts twice').toEqual([mine - 1, theirs + mine]);
  }
  for (let minutes = 0; minutes < 2; minutes++) await advanceAll([first, second], MINUTE_MS);
  expect(await both()).toEqual(isUp ? [1, theirs + mine - 1] : [0, theirs + mine]);
  const numbers = await findSent(services.db, sql`id in (${lost.id}, ${sent!.id})`);
  expect(numbers.map((message) => [message.id, message.number, message.failure])).toEqual([
    [lost.id, number, null],
    [sent!.id, number + (isUp ? 1 : 2), null],
  ]);
  expect(await takeBack(mine - (await creditOf(first, superadmin)))).toMatchObject({ status: 200 });
});

it('counts gifts and take-backs of a day together for approvals, on their way or not', async () => {
  await setDown(true);
  await takeBack(9);
  const { db, clock } = first.app.services;
  const sent = await findSent(db, sql`refusal is null`);
  const sum = sent.reduce((all, { amount }) => all + amount, 0n);
  const moves = [{ networkId: 0, wallet: ISSUANCE, transferId: randomUUID() }];
  const undo = new Error('undo');
  for (const above of [sum, sum - 1n]) {
    const judged = first.db.transaction(async (tx) => {
      await tx.query("insert into approval_rules (network_id, kind, above) values (0, 'credit', $1)", [above]);
      const act = { kind: 'credit', networkId: 0, amount: 1n, moves } as const;
      expect(await needsApproval(tx, { id: superadmin._id }, act, clock.now())).toBe(above < sum);
      throw undo;
    });
    await expect(judged).rejects.toBe(undo);
  }
  expect(sum).toBeGreaterThan(900n);
  await setDown(false);
});

it('says why a transfer across cells can’t be reversed, and shows what is on its way', async () => {
  await setDown(true);
  const { transferId } = (await give(5)).body;
  const page = await first.ok(transactionOf, { params: { id: transferId } }, superadmin);
  expect(page.data).toMatchObject({
    status: 'transit',
    recipient: { name: `${there.admin.username} (cell-2)` },
    message: `Credit transfer in transit by ${superadmin.username}`,
  });
  const { services } = first.app;
  const [{ at: sentAt }] = (await findSent(services.db, sql`settled_at is null`)) as [SentCredit];
  const after = (ms: number) => sumWaiting(services.db, new Date(sentAt.getTime() + 5 * MINUTE_MS + ms));
  expect(creditNotices(await after(0)), 'not at once').toEqual([]);
  expect(creditNotices(await after(1))).toEqual([
    { code: 'CREDIT_WAITS', about: 'cell-2', since: sentAt.toISOString(), detail: '5.00 points wait.' },
  ]);
  await setDown(false);
  const settled = await first.ok(transactionOf, { params: { id: transferId } }, superadmin);
  expect([settled.data.status, settled.reversible]).toEqual(['completed', null]);
  const body = { transferId, password: PASSWORD };
  expect(await first.call(reverseTransfer, { body }, superadmin)).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('crossed cells') as string },
  });
  expect(await first.call(reverseTransfer, { body }, admin), 'another account').toMatchObject({ status: 404 });
  const [{ id }] = (await second.db.query<{ id: string }>(
    'select t.id from transfers t join received_credit r on r.id = t.reference where t.network_id <> 0 limit 1',
  )) as [{ id: string }];
  expect(
    await second.call(reverseTransfer, { body: { transferId: id, password: PASSWORD } }, there.superadmin),
  ).toMatchObject({ status: 422, body: { message: expect.stringContaining('crossed cells') as string } });
});

it('shows what this cell knows of an admin whose cell is down', async () => {
  const [, theirs] = await both();
  await give(1);
  await setDown(true);
  await give(4);
  const { _id: id, username } = there.admin;
  expect(await first.call(accountRoutes.admin.get, { params: { id } }, superadmin)).toMatchObject({
    status: 503,
    body: { code: 'NOT_READY', message: expect.stringContaining('cell-2') as string },
  });
  const at = expect.any(String) as string;
  expect((await first.ok(distantAdmin, { params: { id } }, superadmin)).data).toEqual({
    _id: id,
    username,
    cell: 'cell-2',
    canSend: true,
    last: { balance: theirs + 1, at },
    inTransit: 4,
  });
  const { directory } = first.app.services;
  const placeOf = vi.spyOn(directory!, 'placeOf').mockRejectedValueOnce(new Error('down'));
  const blind = await first.ok(distantAdmin, { params: { id } }, superadmin);
  expect(blind.data).toMatchObject({ username, cell: 'cell-2', canSend: false, inTransit: 4 });
  placeOf.mockResolvedValueOnce({ cell: 'cell-2', generation: 1, moveId: null, admin: '' });
  expect((await first.call(distantAdmin, { params: { id } }, superadmin)).status, 'a deleted admin').toBe(404);
  placeOf.mockRestore();
  const others = await first.call(distantAdmin, { params: { id: admin._id } }, superadmin);
  expect(others.status, 'an admin of this cell').toBe(404);
  await setDown(false);
});

it('shows a take-back on its way, and afterwards its transfer or refusal', async () => {
  const [, theirs] = await both();
  const pageOf = async (id: string) => (await first.ok(transactionOf, { params: { id } }, superadmin)).data;
  const whileDown = async (amount: number) => {
    await setDown(true);
    const { transferId } = (await takeBack(amount)).body;
    expect(await pageOf(transferId)).toMatchObject({
      _id: transferId,
      status: 'transit',
      amount,
      from: { name: `${there.admin.username} (cell-2)`, before: null },
      to: { name: superadmin.username, id: superadmin._id },
      actor: { name: superadmin.username },
    });
    await setDown(false);
    return transferId;
  };
  const arrived = await whileDown(2);
  const transfer = await pageOf(arrived);
  expect(transfer).toMatchObject({ status: 'completed', amount: 2 });
  expect(transfer._id).not.toBe(arrived);
  expect((await pageOf(await whileDown(theirs + 1))).status).toBe('refused');
});

it('returns credit that the other cell refuses', async () => {
  const before = await both();
  const { toggleStatus } = accountRoutes.admin;
  const set = (action: 'activate' | 'deactivate') =>
    second.ok(toggleStatus, { params: { userId: there.admin._id, action } }, there.superadmin);
  await set('deactivate');
  expect(await give(10)).toMatchObject({ status: 422, body: { code: 'TARGET_INACTIVE' } });
  const [{ id: message }] = (await findSent(first.app.services.db, sql`refusal = 'TARGET_INACTIVE'`)) as [SentCredit];
  const pageOf = (id: string) => first.ok(transactionOf, { params: { id } }, superadmin);
  const gift = await pageOf(message);
  expect([gift.data.status, gift.reverses, gift.log.length]).toEqual(['refused', null, 2]);
  const listed = await first.ok(transactionReport.route, { query: { status: 'refused' } }, superadmin);
  expect(listed.data.map((row) => [row._id, row.status])).toContainEqual([gift.data._id, 'refused']);
  expect(listed.data.map((row) => row._id)).not.toContain(gift.reversedBy!._id);
  const returned = await pageOf(gift.reversedBy!._id);
  expect([returned.data.status, returned.reverses?._id, returned.reversedBy]).toEqual([
    'completed',
    gift.data._id,
    null,
  ]);
  await set('activate');
  there = { ...there, admin: await second.signIn(there.admin.username) };
  expect(await both()).toEqual(before);
});

it('names changed messages in the audit, and messages of one side between the cells', async () => {
  const found = [
    ...(await auditAfter(
      first,
      `update sent_credit set amount = amount + 1 where number = 1;
       update sent_credit set id = gen_random_uuid() where number = 2;
       delete from sent_credit where number = 3`,
    )),
    ...(await auditAfter(
      first,
      `insert into transfers (amount, from_balance, to_balance, from_version, to_version, at, id, actor_id, reference, network_id,
         from_wallet, to_wallet, kind, note)
       select amount, from_balance, to_balance, from_version + 1000, to_version + 1000, at, gen_random_uuid(), actor_id, reference,
         network_id, from_wallet, to_wallet, kind, note
       from transfers where id = (select transfer_id from sent_credit where number = 1)`,
    )),
    ...(await auditAfter(second, 'update received_credit set amount = amount + 1 where number = 1')),
  ];
  for (const says of [
    /^message .* should have moved 30001 hundredths away; 1 transfers moved 30000, the first is /,
    /^no log says that message .* moves 30001 hundredths \(give\)$/,
    /^message .* should have moved 30000 hundredths away; 2 transfers moved 60000, the first is /,
    /^messages to the network of .* are numbered up to \d+; there are \d+$/,
    /^1 transfers move 30000 hundredths for message .*, which says 30001; the first is /,
  ])
    expect(found).toContainEqual(expect.stringMatching(says));

  const [sender, receiver] = await readGroup();
  const excess = /points (more|less) than were issued or brought$/;
  const lost = { ...receiver!, received: receiver!.received.slice(1) };
  expect(compareBooks([sender!, lost]).problems).toEqual([
    expect.stringMatching(/^message \d+ of cell-1 to .* moved/),
    expect.stringMatching(excess),
  ]);
  expect(compareBooks([{ ...sender!, sent: sender!.sent.slice(1) }, receiver!]).problems).toEqual([
    expect.stringMatching(/^cell-2 received message \d+ to .*, which no cell has sent$/),
    expect.stringMatching(excess),
  ]);
  expect(compareBooks([{ ...sender!, held: '1' }, receiver!]).problems).toEqual([expect.stringMatching(excess)]);
});

it('says why a restored cell can’t take credit back again, and takes it once it can', async () => {
  const [mine, theirs] = await both();
  const { services } = first.app;
  const others = await second.network();
  const { username } = there.admin;
  await setDown(true);
  await takeBack(theirs + 5);
  const [lost] = await findSent(services.db, sql`settled_at is null`);
  await settle(services, lost!, { refusal: null, balance: 0n });
  await setDown(false);
  await advanceAll([first, second], 6 * MINUTE_MS);
  expect(await both()).toEqual([mine + theirs + 5, theirs]);
  const waiting = () => sumWaiting(services.db, services.clock.now());
  expect(creditNotices(await waiting())).toMatchObject([
    { detail: expect.stringMatching(`points wait: ${username} has only .* of the .* points left`) as string },
  ]);
  const gift = { password: PASSWORD, transferAmount: 5 };
  await first.ok(creditTransfer, { body: { ...gift, toUserId: others.admin._id } }, superadmin);
  const debit = { toUserId: others.admin._id, password: PASSWORD, adjustAmount: 5, transactionType: 'debit' } as const;
  await second.ok(creditAdjust, { body: debit }, there.superadmin);
  await second.ok(creditTransfer, { body: { ...gift, toUserId: there.admin._id } }, there.superadmin);
  await advanceAll([first, second], MINUTE_MS);
  expect([await both(), await waiting()]).toEqual([[mine + theirs, 0], []]);
});

it('keeps credit that arrived after the backup of a restore, and counts on', async () => {
  const [mine, theirs] = await both();
  const { folder } = await second.ok(exportBackup, {}, there.admin);
  await give(30);
  await takeBack(10);
  await second.ok(importBackup, { query: { folder } }, there.admin);
  there = { ...there, admin: await second.signIn(there.admin.username) };
  expect(await both()).toEqual([mine - 20, theirs + 20]);
  expect(await give(5)).toMatchObject({ status: 200, body: { receiverWallet: theirs + 25 } });
  expect(await takeBack(25)).toMatchObject({ status: 200, body: { receiverWallet: theirs } });
});

it('follows a network that moves while credit is on its way, even to the sender', async () => {
  const [mine, theirs] = await both();
  await setDown(true);
  await give(7);
  // Of an earlier stay.
  await first.db.query(
    `insert into received_credit (at, amount, balance, id, admin_id, number, kind, cell, note, refusal)
      values (now(), 1, 0, gen_random_uuid(), $1, 1, 3, 'cell-1', '', 'TARGET_INACTIVE')`,
    [there.admin._id],
  );
  await moveBetween(second, first, there.admin);
  const [back, left] = await Promise.all(
    [first, second].map(({ app }) => findReceived(app.services.db, sql`admin_id = ${there.admin._id}`)),
  );
  expect(back).toEqual(left);
  await setDown(false);
  const moved = await first.signIn(there.admin.username);
  expect([await creditOf(first, superadmin), await creditOf(first, moved)]).toEqual([mine - 7, theirs + 7]);
  const { directory, app } = first;
  const askCell = createAskCell(app.services);
  const logs = await compareMovedLogs({ directory, db: app.services.db }, {} as Config, askCell);
  expect(logs, 'unsealed').toEqual({ problems: [], absent: [] });
  const numbers = await first.db.query('select max(number)::int as last, count(*)::int from received_credit');
  const sent = await first.db.query(
    'select max(number)::int as last, count(*)::int from sent_credit where admin_id = $1',
    [there.admin._id],
  );
  expect(numbers).toEqual(sent);
});

it('enters messages to a network of which this cell knows none', async () => {
  const also = await second.network();
  const mine = await creditOf(first, superadmin);
  const lost = { from: 'cell-1', adminId: also.admin._id, note: '', kind: 'give' } as const;
  for (const number of [1, 2])
    await receiveCredit(second.app.services, { ...lost, id: randomUUID(), number, amount: 300n });
  const receivedAt = second.clock.now();
  await advanceAll([first, second], MINUTE_MS);
  expect(await creditOf(first, superadmin)).toBe(mine - 6);
  const entered = await findSent(first.app.services.db, sql`admin_id = ${also.admin._id}`);
  expect(entered.map(({ number, refusal, at }) => [number, refusal, at])).toEqual([
    [1, null, receivedAt],
    [2, null, receivedAt],
  ]);
});
