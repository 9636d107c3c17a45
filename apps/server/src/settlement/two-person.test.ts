import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { changePassword } from '@drawhouse/contract/auth/auth';
import { addLogin } from '@drawhouse/contract/logins/logins';
import type { addResult } from '@drawhouse/contract/draws/draws';
import { NOBODY } from '@drawhouse/rules/records/ledger-kinds';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp, type Network, type Reply, type SignedIn } from '../../test/harness.ts';
import { GAME, OperatedPair, expectResultSaved } from '../../test/worlds/operated-pair.ts';
import { PASSWORD } from '../../test/test-password.ts';

let t: TestApp;
let operated: OperatedPair;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());
beforeEach(async () => {
  operated = await OperatedPair.start(t);
  ({ net } = operated);
});

const panel = () => operated.panel();
const save: OperatedPair['save'] = (...order) => operated.save(...order);
const drawn = () => operated.drawn();

describe('a result confirmed by a second person', () => {
  it('applies, and panel and log name both', async () => {
    const { draw } = await panel();
    expect(await expectResultSaved(save(net.admin, '7', { boosterValue: 2 }))).toMatch(
      /A second person must confirm it/,
    );
    expect(await panel()).toMatchObject({
      resultMode: 'two-person',
      draw: { status: 'closed' },
      saved: {
        result: '7',
        outcome: { drawno: '7' },
        booster: 2,
        byId: net.admin._id,
        by: net.admin.username,
        at: t.clock.now().toISOString(),
        confirmedBy: null,
        waits: true,
        sameAddress: false,
      },
    });
    expect(
      await expectResultSaved(save(net.superadmin, '7', { boosterValue: 2, confirm: true, drawId: draw!._id })),
    ).toMatch(/^Result confirmed/);
    expect((await panel()).saved).toMatchObject({
      by: net.admin.username,
      confirmedBy: net.superadmin.username,
      waits: false,
      sameAddress: true,
    });
    const { result, log } = await drawn();
    expect(result).toMatchObject({ drawno: '7', booster: 2, source: 'declared' });
    expect(log.map(({ username, subject }) => `${username}: ${subject}`)).toEqual(
      expect.arrayContaining([expect.stringMatching(`^${net.admin.username}: Saved result 7 booster 2`)]),
    );
    expect(log.some(({ username }) => username === 'system')).toBe(false);
    await t.expectBooksToBalance();
  });

  it('loses its confirmation when either saves another', async () => {
    for (const by of [net.admin, net.superadmin]) {
      await expectResultSaved(save(net.admin, '3'));
      await expectResultSaved(save(net.superadmin, '3'));
      await expectResultSaved(save(by, '4'));
      expect((await panel()).saved).toMatchObject({ result: '4', by: by.username, confirmedBy: null });
      const again = by === net.admin ? net.superadmin : net.admin;
      await expectResultSaved(save(again, '4', { confirm: true }));
    }
  });
});

describe('confirmation is refused', () => {
  it("for the first person's own result, however often sent", async () => {
    for (const [by, own] of [
      [net.admin, '5'],
      [net.superadmin, '6'],
    ] as const) {
      await expectResultSaved(save(by, own));
      for (const confirm of [undefined, true]) {
        const { status, body } = await save(by, own, { confirm });
        expect([status, body.code]).toEqual([422, 'RULE_REFUSED']);
        expect(body.message).toBe('You saved this result yourself. A second person must confirm it.');
      }
      expect((await panel()).saved).toMatchObject({ by: by.username, confirmedBy: null });
    }
    const { result } = await drawn();
    expect(result.source).toBe('generated');
    await t.expectBooksToBalance();
  });

  it('for another result or booster than the saved one', async () => {
    await expectResultSaved(save(net.admin, '5'));
    for (const [result, boosterValue] of [
      ['6', 1],
      ['5', 2],
    ] as const) {
      const { status, body } = await save(net.superadmin, result, { boosterValue, confirm: true });
      expect([status, body.code]).toEqual([409, 'DRAW_STATE']);
    }
    expect((await panel()).saved).toMatchObject({ result: '5', by: net.admin.username, confirmedBy: null });
  });

  it('to accounts not operating the game: below the admin or in another network', async () => {
    const other = await t.network({ credit: 0, games: [GAME] });
    await expectResultSaved(save(net.admin, '5'));
    for (const { username } of [net.superdistributor, net.retailer, net.user, other.admin]) {
      const by = await t.signIn(username);
      expect((await save(by, '5', { confirm: true })).status).toBeGreaterThanOrEqual(403);
    }
    expect((await panel()).saved).toMatchObject({ confirmedBy: null });
  });
});

describe('an unconfirmed result is replaced by a generated one', () => {
  it('and logged for admin and superadmin only', async () => {
    await expectResultSaved(save(net.admin, '5', { boosterValue: 20 }));
    const { result, log } = await drawn();
    expect(result.source).toBe('generated');
    expect(log[0]).toMatchObject({ username: 'system', requestUrl: '' });
    expect(log[0]!.subject).toMatch(
      /^Generated result \d booster \d+ of .*, draw \d+: the saved result 5 booster 20 was not confirmed by a second person$/,
    );
    const seenBy = async ({ username }: SignedIn): Promise<boolean> =>
      (await t.ok(activityLog.route, {}, await t.signIn(username))).data.some((row) => row.subject === log[0]!.subject);
    expect(await seenBy(net.superadmin)).toBe(true);
    expect(await seenBy(net.superdistributor)).toBe(false);
    const other = await t.network({ credit: 0, games: [GAME] });
    expect(await seenBy(other.admin)).toBe(false);
    await t.expectBooksToBalance();
  });
});

describe('nobody confirms for an account whose password they set in the last 7 days', () => {
  const DAY_MS = 86_400_000;
  const OTHER = 'staple battery horse';
  async function take(): Promise<SignedIn> {
    await t.ok(
      accountRoutes.admin.update,
      { params: { id: net.admin._id }, body: { password: OTHER } },
      await t.signIn(net.superadmin.username),
    );
    // The account saves no result while its password is temporary.
    const change = { body: { opass: OTHER, npass: PASSWORD, cpass: PASSWORD } };
    await t.ok(changePassword, change, await t.signIn(net.admin.username, OTHER));
    return t.signIn(net.admin.username);
  }
  const refused = async (reply: Promise<Reply<typeof addResult>>, message: string): Promise<void> =>
    expect(await reply).toMatchObject({ status: 422, body: { code: 'RULE_REFUSED', message } });

  it('in either order until 7 days pass, even after the account changed it', async () => {
    const superadmin = await t.signIn(net.superadmin.username);
    const admin = await take();
    await expectResultSaved(save(admin, '5'));
    const own =
      `You set the password of ${net.admin.username} less than 7 days ago, so you don't count as a second person for ` +
      'it. You can try again in 7 days.';
    await refused(save(superadmin, '5', { confirm: true }), own);
    await refused(save(superadmin, '5'), own);
    await expectResultSaved(save(superadmin, '6'));
    await refused(
      save(admin, '6', { confirm: true }),
      `${net.superadmin.username} set your password less than 7 days ago, so you don't count as a second person for ` +
        'them. You can try again in 7 days.',
    );
    expect((await drawn()).result.source).toBe('generated');

    t.clock.advance(6 * DAY_MS);
    await t.app.tick();
    await expectResultSaved(save(await t.signIn(net.admin.username), '5'));
    expect((await save(await t.signIn(net.superadmin.username), '5')).body.message).toMatch(
      /You can try again in 24 hours\.$/,
    );
    t.clock.advance(DAY_MS);
    await t.app.tick();
    await expectResultSaved(save(await t.signIn(net.admin.username), '5'));
    expect(await expectResultSaved(save(await t.signIn(net.superadmin.username), '5'))).toMatch(/^Result confirmed/);
    await t.expectBooksToBalance();
  });

  it('nor between two logins of one account', async () => {
    const body = { username: 'meera.table', name: 'Meera', role: 'manager' as const, password: PASSWORD };
    await t.ok(addLogin, { body }, net.admin);
    await t.takePasswordsAsOwn();
    await expectResultSaved(save(net.admin, '5'));
    const { body: answer } = await save(await t.signIn(body.username), '5', { confirm: true });
    expect(answer).toMatchObject({ code: 'RULE_REFUSED', message: expect.stringContaining('another account') });
    expect((await panel()).saved).toMatchObject({ by: net.admin.username, confirmedBy: null });
  });

  it('nor for a login whose password was set from the server shell', async () => {
    const body = { username: 'meera.results', name: 'Meera', role: 'manager' as const, password: PASSWORD };
    await t.ok(addLogin, { body }, await t.signIn(net.admin.username));
    t.clock.advance(8 * DAY_MS);
    await t.app.tick();
    await t.takePasswordsAsOwn();
    const confirmed = async () => {
      const { body: answer } = await save(await t.signIn(body.username), '5', { confirm: true });
      return answer.message;
    };
    await expectResultSaved(save(await t.signIn(net.superadmin.username), '5'));
    const set = 'update logins set password_set_by = $1, password_set_at = $2 where username = $3';
    await t.byHand(set, [NOBODY, t.clock.now(), body.username]);
    expect(await confirmed()).toContain(`${net.admin.username} / Meera`);
    await t.byHand(set, [net.admin._id, new Date(t.clock.now().getTime() - 8 * DAY_MS), body.username]);
    expect(await confirmed()).toMatch(/^Result confirmed/);
  });

  it("including the account's creator", async () => {
    net = await t.network({ credit: 0, games: [GAME] });
    operated = new OperatedPair(t, net);
    await expectResultSaved(save(net.admin, '5'));
    expect((await save(net.superadmin, '5')).body).toMatchObject({ code: 'RULE_REFUSED' });
  });
});
