import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { addResult, playerState, voidDraw } from '@drawhouse/contract/draws/draws';
import { statement } from '@drawhouse/contract/credit/statement';
import { claimWin, playerTickets, type Ticket } from '@drawhouse/contract/tickets/tickets';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { setManualClaims } from '../../test/tampering/claimed-wins.ts';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { eachNth } from '../../test/test-tier.ts';
import { auditAfter } from '../../test/tampering/tampered.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';

const GAME = 'funtargetbingo';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
beforeEach(async () => {
  net = await t.network({ credit: 100 });
  await setManual('yes');
  await t.finishDraw();
});
afterEach(() => t.expectBooksToBalance());
afterAll(() => t.close());

const setManual = (manualClaims: 'yes' | 'no') => setManualClaims(t, net.superadmin, { gameId: GAME, manualClaims });

const pair = (): { gameId: string; adminId: string } => ({ gameId: GAME, adminId: net.admin._id });

async function played(player: SignedIn, ...numbers: number[]): Promise<Ticket> {
  const { body } = await t.bet(player, Object.fromEntries(numbers.map((number) => [number, 1])));
  await t.ok(addResult, { body: { ...pair(), result: '7', boosterValue: 2 } }, net.admin);
  return body.ticket;
}

const claim = (ticketId: string, by: SignedIn = net.user) => t.call(claimWin, { body: { ticketId } }, by);

const ticketsOf = async (player: SignedIn): Promise<Ticket[]> =>
  (await t.ok(playerTickets, { query: {} }, player)).data;
const waitingOf = async (player: SignedIn): Promise<string[]> => {
  const { data, total } = await t.ok(playerTickets, { query: { claims: 'waiting' } }, player);
  expect(total).toBe(data.length);
  return data.map(({ _id }) => _id);
};
const stateOf = async (player: SignedIn) => {
  const { walletBalance, winnings, manualClaims } = await t.ok(playerState, { query: { gameId: GAME } }, player);
  return { walletBalance, winnings, manualClaims };
};
const winningsStatement = async (by: SignedIn, id = net.user._id) => {
  const query = {
    id,
    wallet: 'winnings' as const,
    startDate: '2026-01-01T00:00:00.000Z',
    endDate: '2027-01-01T00:00:00.000Z',
  };
  return t.call(statement.route, { query }, by);
};

const winningsOf = async (player: SignedIn): Promise<bigint> =>
  (
    await t.db.query<{ balance: bigint }>('select balance from wallets where owner_id = $1 and kind = $2', [
      player._id,
      WALLET_KINDS.winnings,
    ])
  )[0]!.balance;

it('a win stays in winnings until claimed, once', async () => {
  const { _id, ticketId } = await played(net.user, 7, 8);
  await t.finishDraw();
  expect(await t.credit(net.user)).toBe(98);
  expect(await winningsOf(net.user)).toBe(1800n);
  expect(await ticketsOf(net.user)).toMatchObject([{ _id, status: 'settled', winpoints: 18, claimedAt: null }]);

  t.clock.advance(1_000);
  const { status, body } = await claim(_id);
  const claimedAt = t.clock.now().toISOString();
  expect({ status, ...body }).toMatchObject({ status: 200, walletBalance: 116, ticket: { ticketId, claimedAt } });
  expect(await ticketsOf(net.user)).toMatchObject([{ _id, winpoints: 18, claimedAt }]);
  expect(await t.credit(net.user)).toBe(116);
  expect(await winningsOf(net.user)).toBe(0n);

  expect(await claim(_id)).toMatchObject({ status: 409, body: { code: 'ALREADY_CLAIMED' } });
  const [logRow] = await t.db.query(
    'select subject, account_id, detail from activity where network_id = $1 order by seq desc limit 1',
    [net.networkId],
  );
  expect(logRow).toMatchObject({
    subject: `Claimed the win of ticket ${ticketId}, 18.00 points`,
    account_id: net.user._id,
    detail: { ticketId: _id },
  });
});

it('pending wins are shown to the player, and in the statement to accounts above', async () => {
  const lost = await t.bet(net.user, { 3: 1 });
  const { _id } = await played(net.user, 7);
  expect(await stateOf(net.user)).toEqual({ walletBalance: 98, winnings: 0, manualClaims: 'yes' });
  expect(await waitingOf(net.user)).toEqual([]);
  await t.finishDraw();
  expect(await stateOf(net.user)).toEqual({ walletBalance: 98, winnings: 18, manualClaims: 'yes' });
  expect(await waitingOf(net.user)).toEqual([_id]);
  expect((await winningsStatement(net.retailer)).body).toMatchObject({
    data: [{ kind: 'win', credit: 18 }],
    closing: 18,
  });

  await claim(_id);
  expect(await stateOf(net.user)).toEqual({ walletBalance: 116, winnings: 0, manualClaims: 'yes' });
  expect(await waitingOf(net.user)).toEqual([]);
  expect((await ticketsOf(net.user)).map((ticket) => ticket._id)).toEqual([_id, lost.body.ticket._id]);
  expect((await winningsStatement(net.user)).body).toMatchObject({
    data: [
      { kind: 'claim', counterpart: 'Credit', debit: 18 },
      { kind: 'win', credit: 18 },
    ],
    closing: 0,
  });
  expect(await winningsStatement(net.admin, net.retailer._id)).toMatchObject({
    status: 400,
    body: { fields: { wallet: 'Only a player has winnings' } },
  });

  await setManual('no');
  await t.finishDraw();
  await played(net.user, 7);
  await t.finishDraw();
  expect(await stateOf(net.user)).toMatchObject({ winnings: 0, manualClaims: 'no' });
  expect(await waitingOf(net.user)).toEqual([]);
});

it('a ticket is also claimed by its printed number, only by its owner', async () => {
  const { ticketId, _id } = await played(net.user, 7);
  await t.finishDraw();
  const other = await t.create(net.retailer);
  for (const name of [ticketId, _id]) expect(await claim(name, other)).toMatchObject({ status: 404 });
  for (const name of ['AAAA-BBBB-CCCC', other._id])
    expect(await claim(name)).toMatchObject({ status: 404, body: { fields: { ticketId: 'You have no such ticket' } } });
  for (const name of ['none', ticketId.replace(/.$/, 'U')])
    expect((await claim(name)).body.fields).toHaveProperty('ticketId');
  expect(await claim(ticketId.toLowerCase())).toMatchObject({ status: 200 });
});

it('concurrent claims of several tickets pay once', async () => {
  const ids = [];
  for (let count = 0; count < 3; count++) ids.push((await t.bet(net.user, { 7: 1 })).body.ticket._id);
  await played(net.user, 8);
  await t.finishDraw();
  const replies = await Promise.all([...ids, ...ids, ...ids].map((id) => claim(id)));
  expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([
    200, 200, 200, 409, 409, 409, 409, 409, 409,
  ]);
  expect(await t.credit(net.user)).toBe(96 + 3 * 18);
  expect(
    await t.db.query('select from transfers where kind = $1 and network_id = $2', [
      TRANSFER_KINDS.claim,
      net.networkId,
    ]),
  ).toHaveLength(3);
});

it('an unclaimable ticket gives the reason', async () => {
  const early = await played(net.user, 7);
  expect(await claim(early._id)).toMatchObject({ status: 409, body: { code: 'DRAW_STATE' } });
  await t.finishDraw();

  const lost = await played(net.user, 3);
  await t.finishDraw();
  expect(await claim(lost._id)).toMatchObject({ status: 422, body: { message: 'This ticket has no win.' } });

  const { body } = await t.bet(net.user, { 7: 1 });
  await t.ok(voidDraw, { body: { ...pair(), reason: 'a test' } }, net.admin);
  expect(await claim(body.ticket._id)).toMatchObject({ status: 422, body: { code: 'RULE_REFUSED' } });
  await t.finishDraw();
});

it("a draw's opening mode applies to its tickets, whatever the game becomes", async () => {
  const waits = await played(net.user, 7);
  await setManual('no');
  expect(await stateOf(net.user)).toMatchObject({ manualClaims: 'yes' });
  await t.finishDraw();
  const paid = await played(net.user, 7);
  await setManual('yes');
  expect(await stateOf(net.user)).toMatchObject({ manualClaims: 'no' });
  await t.finishDraw();
  const settledAt = t.clock.now().toISOString();
  expect(await ticketsOf(net.user)).toMatchObject([{ claimedAt: settledAt }, { claimedAt: null }]);
  expect(await claim(paid._id)).toMatchObject({
    status: 409,
    body: { code: 'ALREADY_CLAIMED', message: 'The win of this ticket was already paid when its draw settled.' },
  });
  expect(await t.credit(net.user)).toBe(98 + 18);
  expect(await claim(waits._id)).toMatchObject({ status: 200 });
  expect(await t.credit(net.user)).toBe(98 + 36);
});

it('unclaimed winnings go to the parent when the account is deleted', async () => {
  const { _id } = await played(net.user, 7);
  await t.finishDraw();
  const before = await t.credit(net.retailer);
  await t.ok(accountRoutes.user.remove, { params: { id: net.user._id } }, net.retailer);
  expect(await t.credit(net.retailer)).toBe(before + 99 + 18);
  expect(await claim(_id)).toMatchObject({ status: 401 });
});

it('a claim waiting during deactivation is refused', async () => {
  const { _id } = await played(net.user, 7);
  await t.finishDraw();
  const params = { userId: net.user._id, action: 'deactivate' as const };
  const { late } = await t.db.transaction(async (tx) => {
    await tx.query('select from wallets where owner_id = $1 for update', [net.user._id]);
    const claiming = claim(_id);
    await untilWaiting(t);
    await t.ok(accountRoutes.user.toggleStatus, { params }, net.retailer);
    return { late: claiming };
  });
  expect(await late).toMatchObject({ status: 403, body: { code: 'ACCOUNT_INACTIVE' } });
  expect(await winningsOf(net.user)).toBe(1800n);
});

it.each(
  eachNth(4, [
    [
      'an unlogged claim',
      `insert into ticket_claims select now(), id, network_id from tickets where lines = '8*1'`,
      /had no win to claim/,
    ],
    ['a deleted claim', 'delete from ticket_claims', /was paid 1800 hundredths for a claim that nobody made/],
    [
      "a claim's amount",
      `update transfers set amount = 1801 where kind = ${TRANSFER_KINDS.claim}`,
      /won 1800 hundredths and was claimed; 1801 were moved/,
    ],
    [
      "a claim's time",
      `update ticket_claims set claimed_at = claimed_at - interval '1 s'`,
      /was claimed at .* it was moved at/,
    ],
  ]),
)('the audit detects %s', async (_what, sql, expected) => {
  await t.bet(net.user, { 8: 1 });
  const { _id } = await played(net.user, 7);
  await t.finishDraw();
  await claim(_id);
  expect(await auditAfter(t, sql)).toContainEqual(expect.stringMatching(expected));
});
