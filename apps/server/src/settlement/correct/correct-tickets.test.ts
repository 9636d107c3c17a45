import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { approve } from '@drawhouse/contract/approvals/approvals';
import { claimWin, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SignedIn, TestApp } from '../../../test/harness.ts';
import { untilWaiting } from '../../../test/statements/until-waiting.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { at, OutsideDraw } from '../../../test/worlds/outside-draw.ts';

let draw: OutsideDraw;
let t: TestApp;
afterEach(() => t.close());

describe('a correction in pieces', () => {
  let players: SignedIn[];
  beforeEach(async () => {
    draw = await OutsideDraw.start({ pieceSizes: { wholeUpTo: 1, players: 1, tickets: 1 } });
    ({ t } = draw);
    const retailer = await t.signIn(draw.net.retailer.username);
    players = [draw.net.user];
    await t.give(draw.net.superadmin, draw.net.superadmin, 1000);
    for (let nth = 0; nth < 2; nth++) {
      const player = await t.create(retailer);
      await t.give(draw.net.superadmin, player, 100);
      await t.bet(player, { 7: 1, 3: 2 });
      players.push(player);
    }
    await draw.wait(at('19:01'));
    await draw.enter(draw.net.admin, '7');
    await draw.enter(draw.net.superadmin, '7');
    await t.app.tick();
  });

  const credits = async () => {
    const signedIn = await Promise.all(players.map(({ username }) => t.signIn(username)));
    return Promise.all(signedIn.map((player) => t.credit(player)));
  };
  const piecesPaid = async () => (await t.db.query('select distinct account_id from ticket_corrections')).length;

  it('continues after a kill, pays each ticket once, and lets no other begin before', async () => {
    const before = await credits();
    await draw.correct('3');
    expect(await piecesPaid()).toBe(1);
    expect((await draw.ask('5')).body.code).toBe('DRAW_STATE');
    await t.expectBooksToBalanceNow();
    await t.byHand(
      `create function fail() returns trigger language plpgsql as $$ begin
         if (select count(distinct account_id) from ticket_corrections) > 2 then raise 'killed'; end if; return null; end $$;
       create constraint trigger fail after insert on ticket_corrections for each row execute function fail()`,
    );
    t.clock.advance(5_000);
    await expect(t.app.tick()).rejects.toThrow('killed');
    expect(await piecesPaid()).toBe(2);
    await t.byHand('drop trigger fail on ticket_corrections; drop function fail');
    t.clock.advance(5_000);
    await t.app.tick();
    expect(await t.db.query('select from corrections where done_at is null')).toEqual([]);
    expect(await credits()).toEqual([before[0]! - 90, before[1]! - 9 + 18, before[2]! - 9 + 18]);
    await t.expectBooksToBalanceNow();
  });
});

it('claims waiting wins first, so that no ticket is paid twice', async () => {
  draw = await OutsideDraw.start({ manualClaims: true });
  ({ t } = draw);
  await t.bet(draw.net.user, { 3: 5 });
  await draw.wait(at('19:01'));
  await draw.enter(draw.net.admin, '7');
  await draw.enter(draw.net.superadmin, '7');
  expect(await t.credit(draw.net.user)).toBe(85);
  await draw.correct('3');
  expect(await t.credit(draw.net.user)).toBe(85 + 45);
  const [three, seven] = (await t.ok(playerTickets, { query: {} }, draw.net.user)).data;
  expect([three!.winpoints, three!.claimedAt, seven!.winpoints]).toEqual([45, t.clock.now().toISOString(), 0]);
  for (const { _id: ticketId } of [three!, seven!])
    expect((await t.call(claimWin, { body: { ticketId } }, draw.net.user)).body.success).toBe(false);
  expect((await t.ok(playerTickets, { query: { claims: 'waiting' } }, draw.net.user)).data).toEqual([]);
  await t.expectBooksToBalanceNow();
});

it("locks the root's log before the network's, as other approvals do", async () => {
  draw = await OutsideDraw.start({ manualClaims: true });
  ({ t } = draw);
  await draw.wait(at('19:01'));
  await draw.enter(draw.net.admin, '7');
  await draw.enter(draw.net.superadmin, '7');
  const { approval: approvalId = '' } = (await draw.ask('3')).body;
  const lock = async (on: Queryable, networks: string) =>
    on.query(`select from activity_heads where network_id ${networks} for update nowait`);
  const approving = await t.db.transaction(async (tx) => {
    await lock(tx, `= ${ROOT_NETWORK}`);
    const call = t.call(approve, { params: { approvalId } }, draw.net.superadmin);
    await untilWaiting(t);
    await lock(tx, `<> ${ROOT_NETWORK}`);
    return { call };
  });
  expect((await approving.call).body.success).toBe(true);
});

it('pays the parent of a player who was deleted meanwhile, and takes back only from that payment', async () => {
  draw = await OutsideDraw.start({ manualClaims: true });
  ({ t } = draw);
  const { user: player, retailer } = draw.net;
  await t.bet(player, { 3: 5 });
  await draw.wait(at('19:01'));
  await draw.enter(draw.net.admin, '7');
  await draw.enter(draw.net.superadmin, '7');
  await t.ok(accountRoutes.user.remove, { params: { id: player._id } }, draw.net.superadmin);
  const credit = async () => t.credit(await t.signIn(retailer.username));
  const before = await credit();
  await draw.correct('3');
  // The ticket on 3 wins 45, the one on 7 owes 90.
  expect(await t.db.query('select moved, paid, win from ticket_corrections order by moved')).toEqual([
    { moved: -4500n, paid: 4500n, win: 0n },
    { moved: 4500n, paid: 4500n, win: 4500n },
  ]);
  expect(await credit()).toBe(before);
  await draw.correct('4');
  await draw.correct('3');
  expect(await credit()).toBe(before);
  await t.expectBooksToBalanceNow();
});

it('pays the accounts above a deleted player and a deleted retailer', async () => {
  draw = await OutsideDraw.start();
  ({ t } = draw);
  const { user: player, retailer, distributor } = draw.net;
  await draw.wait(at('19:01'));
  await draw.enter(draw.net.admin, '3');
  await draw.enter(draw.net.superadmin, '3');
  await t.ok(accountRoutes.user.remove, { params: { id: player._id } }, draw.net.superadmin);
  await t.ok(accountRoutes.retailer.remove, { params: { id: retailer._id } }, draw.net.superadmin);
  const credit = async () => t.credit(await t.signIn(distributor.username));
  const before = await credit();
  await draw.correct('7');
  expect(await credit()).toBe(before + 90);
  await t.expectBooksToBalanceNow();
});
