import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { approvals, approve } from '@drawhouse/contract/approvals/approvals';
import { fairDraw } from '@drawhouse/contract/draws/draws';
import { loadGame } from '@drawhouse/contract/live/live';
import { drawPage, ticketPage } from '@drawhouse/contract/reports/object-pages';
import { playerTicketOf, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestApp } from '../../../test/harness.ts';
import { recentOutsideResults } from '../../draws/results/corrected-draws.sql.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { at, GAME, OutsideDraw, SOURCE } from '../../../test/worlds/outside-draw.ts';

let draw: OutsideDraw;
let t: TestApp;
/** Tickets on 7 and on 3; 7 has won. */
beforeEach(async () => {
  draw = await OutsideDraw.start();
  ({ t } = draw);
  await t.bet(draw.net.user, { 3: 5 });
  await draw.wait(at('19:01'));
  await draw.enter(draw.net.admin, '7');
  await draw.enter(draw.net.superadmin, '7');
});
afterEach(() => t.close());

const ask = (...asked: Parameters<OutsideDraw['ask']>) => draw.ask(...asked);
const correct = (result: string) => draw.correct(result);

const resultNow = async (): Promise<string | null> =>
  (await t.ok(fairDraw, { params: { drawId: draw.drawId } })).resultLabel;

describe('a correction', () => {
  it('waits for a second person, then takes back the old winnings and pays the new ones', async () => {
    expect(await t.credit(draw.net.user)).toBe(100 - 15 + 90);
    const { body } = await ask('3');
    expect([body.code, await resultNow(), await t.credit(draw.net.user)]).toEqual(['APPROVAL_PENDING', '7', 175]);
    const [request] = (await t.ok(approvals.route, { query: {} }, draw.net.superadmin)).data;
    expect(request).toMatchObject({
      kind: 'correction',
      subject: `Correct the result of ${SOURCE} from 7 to 3 for Fun Target Bingo, draw 16 Nov 2026, 19:00`,
      amount: 135,
    });
    expect(request!.changes).toContainEqual({ what: 'Taken back from players', before: null, after: '90.00' });
    const own = await t.call(approve, { params: { approvalId: body.approval! } }, draw.net.admin);
    expect(own.body.code).toBe('RULE_REFUSED');
    await t.ok(approve, { params: { approvalId: body.approval! } }, draw.net.superadmin);
    expect([await resultNow(), await t.credit(draw.net.user)]).toEqual(['3', 175 - 90 + 45]);
    await t.expectBooksToBalanceNow();
  });

  it('is shown with the draw, its tickets and the result, without names on the public page', async () => {
    await correct('3');
    const correction = { at: t.clock.now().toISOString(), before: '7', after: '3' };
    const proof = await t.ok(fairDraw, { params: { drawId: draw.drawId } });
    expect(proof.corrections).toEqual([correction]);
    const page = await t.ok(drawPage, { params: { drawId: draw.drawId } }, draw.net.admin);
    expect(page.figures.win).toBe(45);
    expect(page.corrections).toMatchObject([
      {
        ...correction,
        reason: 'Misread',
        by: draw.net.admin.username,
        confirmedBy: draw.net.superadmin.username,
        tickets: 2,
        paid: 45,
        takenBack: 90,
        short: 0,
        doneAt: correction.at,
      },
    ]);
    const [three, seven] = (await t.ok(playerTickets, { query: {} }, draw.net.user)).data;
    expect([three!.winpoints, seven!.winpoints]).toEqual([45, 0]);
    expect(seven!.draw).toMatchObject({ drawno: '3', correctedAt: correction.at });
    const own = await t.ok(playerTicketOf, { params: { ticketId: seven!._id } }, draw.net.user);
    const lost = { ...correction, reason: 'Misread', win: 0, moved: -90, paid: 0 };
    expect(own.ticket.corrections).toEqual([lost]);
    const staff = await t.ok(ticketPage, { params: { ticketId: seven!._id } }, draw.net.admin);
    expect(staff.corrections).toEqual([lost]);
    expect(staff.movements.map(({ kind }) => kind)).toEqual(['stake', 'win', 'correct']);
    const panel = await t.ok(loadGame, { query: draw.pair() }, draw.net.admin);
    expect(panel.lastData.data[0]).toMatchObject({ drawno: '3', correctedAt: correction.at });
    expect(await recentOutsideResults(t.db, draw.net.networkId, t.clock.now())).toEqual(
      new Map([[GAME, panel.lastData.data.slice(0, 1)]]),
    );
    expect(await recentOutsideResults(t.db, draw.net.networkId, at('19:02', '17'))).toEqual(new Map());
  });

  it('takes back no more than a player has, and again after another correction', async () => {
    await draw.spend(150);
    await correct('5');
    expect(await t.credit(draw.net.user)).toBe(0);
    const page = () => t.ok(drawPage, { params: { drawId: draw.drawId } }, draw.net.admin);
    expect(await page()).toMatchObject({
      figures: { win: 65 },
      corrections: [{ tickets: 1, takenBack: 25, short: 65 }],
    });
    await t.expectBooksToBalanceNow();
    await correct('8');
    expect((await page()).corrections[1]).toMatchObject({ tickets: 1, takenBack: 0, short: 65 });
    await correct('7');
    expect(await t.credit(draw.net.user)).toBe(25);
    expect((await page()).figures.win).toBe(90);
    await correct('3');
    expect(await t.credit(draw.net.user)).toBe(0);
    await t.expectBooksToBalanceNow();
  });

  it('is made once of two equal requests, and takes back what a withdrawal beside it leaves', async () => {
    const asked = [await ask('3'), await ask('3')];
    const approving = asked.map(({ body: { approval = '' } }) =>
      t.call(approve, { params: { approvalId: approval } }, draw.net.superadmin),
    );
    const withdrawal = {
      toUserId: draw.net.user._id,
      adjustAmount: 175,
      transactionType: 'debit',
      password: PASSWORD,
    } as const;
    const [approved, withdrawn] = await Promise.all([
      Promise.all(approving),
      t.call(accountRoutes.user.creditAdjust, { body: withdrawal }, draw.net.admin),
    ]);
    expect(approved.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await t.credit(draw.net.user)).toBe(withdrawn.status === 200 ? 0 : 175 - 90 + 45);
    await t.expectBooksToBalanceNow();
  });

  it('finds players below the parent they had at the draw, since they keep it once they have played', async () => {
    const { user: player, distributor } = draw.net;
    const other = await t.make(await t.signIn(distributor.username));
    const moved = await t.call(
      accountRoutes.user.update,
      { params: { id: player._id }, body: { refId: other._id } },
      draw.net.superadmin,
    );
    expect(moved.body).toMatchObject({ code: 'RULE_REFUSED', fields: { refId: expect.any(String) as string } });
  });

  it('is refused for other draws and results, without a reason, and to players', async () => {
    const codeOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).body.code;
    expect(await codeOf('3', draw.net.admin, { drawId: '00000000-0000-7000-8000-000000000000' })).toBe('NOT_FOUND');
    expect(await codeOf('7')).toBe('INVALID_INPUT');
    expect(await codeOf('70')).toBe('INVALID_INPUT');
    expect(await codeOf('3', draw.net.admin, { reason: '' })).toBe('INVALID_INPUT');
    expect(await codeOf('3', draw.net.admin, { corrects: '8' })).toBe('DRAW_STATE');
    expect(await codeOf('3', draw.net.user)).toBe('NOT_ALLOWED');
    const { admin: stranger } = await t.network({ credit: 0 });
    expect(await codeOf('3', stranger)).toBe('NOT_FOUND');
    expect(await codeOf('3', stranger, { adminId: stranger._id })).toBe('NOT_FOUND');
    const { body } = await ask('3');
    t.clock.advance(24 * 3_600_000);
    await draw.signInAgain();
    const late = await t.call(approve, { params: { approvalId: body.approval! } }, draw.net.superadmin);
    expect(late.body.success).toBe(false);
    expect(await codeOf('3')).toBe('DRAW_STATE');
  });
});
