import { activityLog } from '@drawhouse/contract/activity';
import { addResult } from '@drawhouse/contract/draws';
import type { DrawResult } from '@drawhouse/contract/draws';
import { loadGame } from '@drawhouse/contract/live';
import type { Panel } from '@drawhouse/contract/live';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setResultMode } from './audit-world.ts';
import { TestApp } from './harness.ts';
import type { Network, Reply, SignedIn } from './harness.ts';

const GAME = 'funtargetbingo';

let t: TestApp;
let net: Network;
let pair: { gameId: string; adminId: string };

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());
beforeEach(async () => {
  await setResultMode(t, 'open');
  await t.finishDraw();
  net = await t.network({ credit: 100, games: [GAME] });
  pair = { gameId: GAME, adminId: net.admin._id };
  await setResultMode(t, 'two-person');
});

const panel = (): Promise<Panel> => t.ok(loadGame, { query: pair }, net.admin);
const save = (by: SignedIn, result: string, more: { boosterValue?: number; confirm?: boolean; drawId?: string } = {}) =>
  t.call(addResult, { body: { ...pair, result, ...more } }, by);
const saved = async (reply: Promise<Reply<typeof addResult>>): Promise<string> => {
  const { status, body } = await reply;
  expect([status, body.message]).toEqual([200, expect.stringMatching(/^Result/)]);
  return body.message;
};

/** Lets the draw time come; gives what came out and what the log says of it, newest first. */
async function drawn(): Promise<{
  result: DrawResult;
  log: { username: string; subject: string; requestUrl: string }[];
}> {
  await t.finishDraw();
  const by = await t.signIn(net.admin.username);
  const [result] = (await t.ok(loadGame, { query: pair }, by)).lastData.data;
  const { data } = await t.ok(activityLog.route, {}, by);
  return { result: result!, log: data.filter(({ subject }) => subject !== 'Signed in') };
}

describe('a result that a second person confirmed', () => {
  it('stands, and the panel and the log name both', async () => {
    const { draw } = await panel();
    expect(await saved(save(net.admin, '7', { boosterValue: 2 }))).toMatch(/stands once a second person confirms it/);
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
      },
    });
    expect(await saved(save(net.superadmin, '7', { boosterValue: 2, confirm: true, drawId: draw!._id }))).toMatch(
      /^Result confirmed/,
    );
    expect((await panel()).saved).toMatchObject({
      by: net.admin.username,
      confirmedBy: net.superadmin.username,
      waits: false,
    });
    const { result, log } = await drawn();
    expect(result).toMatchObject({ drawno: '7', booster: 2, source: 'declared' });
    expect(log.map(({ username, subject }) => `${username}: ${subject}`)).toEqual(
      expect.arrayContaining([expect.stringMatching(`^${net.admin.username}: Saved result 7 booster 2`)]),
    );
    expect(log.some(({ username }) => username === 'system')).toBe(false);
    await t.expectBooksToBalance();
  });

  it('is asked for again once another is saved, of the first kind of person this time', async () => {
    await saved(save(net.admin, '7'));
    await saved(save(net.superadmin, '8'));
    expect((await panel()).saved).toMatchObject({ result: '8', by: net.superadmin.username, confirmedBy: null });
    expect((await save(net.superadmin, '8')).body).toMatchObject({ code: 'RULE_REFUSED' });
    await saved(save(net.admin, '8'));
    expect((await drawn()).result).toMatchObject({ drawno: '8', source: 'declared' });
    await t.expectBooksToBalance();
  });

  it('loses its confirmation when either of them saves another', async () => {
    for (const by of [net.admin, net.superadmin]) {
      await saved(save(net.admin, '3'));
      await saved(save(net.superadmin, '3'));
      await saved(save(by, '4'));
      expect((await panel()).saved).toMatchObject({ result: '4', by: by.username, confirmedBy: null });
      const again = by === net.admin ? net.superadmin : net.admin;
      await saved(save(again, '4', { confirm: true }));
    }
  });
});

describe('nobody confirms', () => {
  it('a result of their own, however often they send it', async () => {
    for (const [by, own] of [
      [net.admin, '5'],
      [net.superadmin, '6'],
    ] as const) {
      await saved(save(by, own));
      for (const confirm of [undefined, true]) {
        const { status, body } = await save(by, own, { confirm });
        expect([status, body.code]).toEqual([422, 'RULE_REFUSED']);
        expect(body.message).toBe('You saved this result yourself. It takes a second person to confirm it.');
      }
      expect((await panel()).saved).toMatchObject({ by: by.username, confirmedBy: null });
    }
    const { result } = await drawn();
    expect(result.source).toBe('generated');
    await t.expectBooksToBalance();
  });

  it('another result or booster than the one that is saved now', async () => {
    await saved(save(net.admin, '5'));
    for (const [result, boosterValue] of [
      ['6', 1],
      ['5', 2],
    ] as const) {
      const { status, body } = await save(net.superadmin, result, { boosterValue, confirm: true });
      expect([status, body.code]).toEqual([409, 'DRAW_STATE']);
    }
    expect((await panel()).saved).toMatchObject({ result: '5', by: net.admin.username, confirmedBy: null });
  });

  it('one that is confirmed already, one of a draw that is over, or one of a game that asks for one person', async () => {
    const { draw } = await panel();
    await saved(save(net.admin, '5'));
    await saved(save(net.superadmin, '5'));
    expect((await save(net.superadmin, '5', { confirm: true })).body.message).toMatch(/already been confirmed/);
    await t.finishDraw();
    const top = await t.signIn(net.superadmin.username);
    expect((await save(top, '5', { confirm: true, drawId: draw!._id })).body.code).toBe('DRAW_STATE');
    await setResultMode(t, 'open');
    const by = await t.signIn(net.admin.username);
    await saved(save(by, '5'));
    expect((await save(top, '5', { confirm: true })).body.code).toBe('DRAW_STATE');
  });

  it('who does not operate the game: below the admin, or in another network', async () => {
    const other = await t.network({ credit: 0, games: [GAME] });
    await saved(save(net.admin, '5'));
    for (const by of [net.superdistributor, net.retailer, net.user, other.admin]) {
      expect((await save(by, '5', { confirm: true })).status).toBeGreaterThanOrEqual(403);
    }
    expect((await panel()).saved).toMatchObject({ confirmedBy: null });
  });
});

describe('what was not confirmed at the draw time is generated', () => {
  it('and the log says so, to the admin and the superadmin alone', async () => {
    await saved(save(net.admin, '5', { boosterValue: 20 }));
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

  it('also where the game asked for one person when it was saved', async () => {
    await setResultMode(t, 'open');
    await saved(save(net.admin, '5'));
    await setResultMode(t, 'two-person');
    const { result, log } = await drawn();
    expect(result.source).toBe('generated');
    expect(log[0]!.subject).toMatch(/was not confirmed/);
    await t.expectBooksToBalance();
  });
});

describe('a game that one person is enough for by now', () => {
  it('still asks for the second one of what was saved before', async () => {
    await saved(save(net.admin, '5'));
    await setResultMode(t, 'open');
    expect((await panel()).saved).toMatchObject({ waits: true });
    const { result, log } = await drawn();
    expect(result.source).toBe('generated');
    expect(log[0]!.subject).toMatch(/was not confirmed/);
    await t.expectBooksToBalance();
  });

  it.each([
    ['the second one confirms it', (by: Network) => save(by.superadmin, '5', { confirm: true }), 'superadmin'],
    ['the first one saves it anew', (by: Network) => save(by.admin, '5'), null],
  ] as const)('and takes it once %s', async (_what, act, confirms) => {
    await saved(save(net.admin, '5'));
    await setResultMode(t, 'open');
    await saved(act(net));
    expect((await panel()).saved).toMatchObject({ confirmedBy: confirms && net[confirms].username, waits: false });
    expect((await drawn()).result).toMatchObject({ drawno: '5', source: 'declared' });
    await t.expectBooksToBalance();
  });
});

describe('a game that is set to generated only', () => {
  it.each(['open', 'two-person'] as const)('takes no result that was saved before, when it was %s', async (mode) => {
    await setResultMode(t, mode);
    await saved(save(net.admin, '5', { boosterValue: 20 }));
    if (mode === 'two-person') await saved(save(net.superadmin, '5', { boosterValue: 20 }));
    await setResultMode(t, 'generated');
    expect(await panel()).toMatchObject({ resultMode: 'generated', saved: null });
    const refused = await save(net.admin, '5', { boosterValue: 20 });
    expect([refused.status, refused.body.code]).toEqual([422, 'RULE_REFUSED']);
    const { result, log } = await drawn();
    expect(result.source).toBe('generated');
    expect(log[0]!.subject).toMatch(
      /the saved result 5 booster 20 did not stand, as results of this game are only generated/,
    );
    await t.expectBooksToBalance();
  });
});

it('what two servers save within a millisecond is, says the audit, what was saved last, whichever log tells of it', async () => {
  await setResultMode(t, 'open');
  const other = await t.beside();
  for (const [first, second] of [
    [t, other],
    [other, t],
  ] as const) {
    const by = (server: TestApp) => (server === t ? net.admin : net.superadmin);
    for (const [server, result] of [
      [first, '1'],
      [second, '2'],
      [first, '3'],
      [second, '4'],
    ] as const)
      await saved(server.call(addResult, { body: { ...pair, result } }, by(server)));
    expect(await panel()).toMatchObject({ saved: { result: '4' } });
    await t.expectBooksToBalance();
    expect((await drawn()).result).toMatchObject({ drawno: '4', source: 'declared' });
    await t.expectBooksToBalance();
  }
  await other.close();
});
