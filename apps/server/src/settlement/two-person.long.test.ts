import { EventEmitter } from 'node:events';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { logEntry } from '@drawhouse/contract/activity/activity';
import { addResult } from '@drawhouse/contract/draws/draws';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { liveTables } from '@drawhouse/contract/live/live-tables';
import { loadGame } from '@drawhouse/contract/live/live';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeOfGame, setResultMode } from '../../test/worlds/audit-world.ts';
import { audit } from '../audit/audit.ts';
import { resetFromShell } from '../auth/attempts/unlock-account.ts';
import type { Events } from '../platform/services.ts';
import { TestApp, type Network, type Reply, type SignedIn } from '../../test/harness.ts';
import { GAME, OperatedPair, expectResultSaved } from '../../test/worlds/operated-pair.ts';

let t: TestApp;
let operated: OperatedPair;
let net: Network;
let pair: { gameId: string; adminId: string };

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());
beforeEach(async () => {
  operated = await OperatedPair.start(t);
  ({ net, pair } = operated);
});

const panel = () => operated.panel();
const save: OperatedPair['save'] = (...order) => operated.save(...order);
const drawn = () => operated.drawn();

describe('a confirmed result', () => {
  it('needs a new confirmation once another is saved, starting with the first person', async () => {
    await expectResultSaved(save(net.admin, '7'));
    await expectResultSaved(save(net.superadmin, '8'));
    expect((await panel()).saved).toMatchObject({ result: '8', by: net.superadmin.username, confirmedBy: null });
    expect((await save(net.superadmin, '8')).body).toMatchObject({ code: 'RULE_REFUSED' });
    await expectResultSaved(save(net.admin, '8'));
    expect((await drawn()).result).toMatchObject({ drawno: '8', source: 'declared' });
    await t.expectBooksToBalance();
  });
});

describe('confirming is refused', () => {
  it('for a confirmed result, a finished draw, or a one-person game', async () => {
    const { draw } = await panel();
    await expectResultSaved(save(net.admin, '5'));
    await expectResultSaved(save(net.superadmin, '5'));
    expect((await save(net.superadmin, '5', { confirm: true })).body.message).toMatch(/already been confirmed/);
    await t.finishDraw();
    const top = await t.signIn(net.superadmin.username);
    expect((await save(top, '5', { confirm: true, drawId: draw!._id })).body.code).toBe('DRAW_STATE');
    await setResultMode(t, 'open');
    const by = await t.signIn(net.admin.username);
    await expectResultSaved(save(by, '5'));
    expect((await save(top, '5', { confirm: true })).body.code).toBe('DRAW_STATE');
  });
});

describe('a draw keeps its result mode whatever its game becomes:', () => {
  const change = (resultMode: 'open' | 'two-person' | 'generated') => changeOfGame(t, { resultMode });

  it.each(['open', 'generated'] as const)('two-person stays when its game is set to %s', async (mode) => {
    await change(mode);
    expect(await panel()).toMatchObject({ resultMode: 'two-person' });
    expect(await expectResultSaved(save(net.admin, '5'))).toMatch(/A second person must confirm it/);
    await change('two-person');
    await change(mode);
    expect((await panel()).saved).toMatchObject({ waits: true });
    const [table] = (await t.ok(liveTables, {}, net.admin)).data;
    expect(table).toMatchObject({ resultMode: 'two-person', saved: { waits: true } });
    const { data } = await t.ok(listNotices, {}, net.superadmin);
    expect(data.filter(({ code }) => code === 'RESULT_TO_CONFIRM')).toMatchObject([
      { admin: net.admin.username, detail: `Declared by ${net.admin.username}.` },
    ]);
    expect(await expectResultSaved(save(net.admin, '6'))).toMatch(/A second person must confirm it/);
    const { result, log } = await drawn();
    expect(result.source).toBe('generated');
    expect(log[0]!.subject).toMatch(/the saved result 6 booster 1 was not confirmed by a second person$/);
    const by = await t.signIn(net.admin.username);
    expect((await t.ok(loadGame, { query: pair }, by)).resultMode).toBe(mode);
    expect((await save(by, '5')).status).toBe(mode === 'open' ? 200 : 422);
    await t.expectBooksToBalance();
  });

  it('a confirmed result remains when its game switches to generated', async () => {
    await expectResultSaved(save(net.admin, '5'));
    await change('generated');
    await expectResultSaved(save(net.superadmin, '5', { confirm: true }));
    expect((await drawn()).result).toMatchObject({ drawno: '5', source: 'declared' });
    await t.expectBooksToBalance();
  });

  it('generated or one-person stays when its game requires two', async () => {
    await setResultMode(t, 'generated');
    await change('open');
    const by = await t.signIn(net.admin.username);
    expect((await save(by, '5')).body).toMatchObject({
      code: 'RULE_REFUSED',
      message: "Results of this draw are always generated. You can't save one.",
    });
    await t.finishDraw();
    await change('two-person');
    const first = await t.signIn(net.admin.username);
    expect(await expectResultSaved(save(first, '7'))).toBe('Result added successfully!');
    expect((await drawn()).result).toMatchObject({ drawno: '7', source: 'declared' });
    await t.expectBooksToBalance();
  });

  it('the audit detects changed terms of a draw and a changed mode of a game', async () => {
    const { draw } = await panel();
    const [other] = await t.db.query<{ id: string }>("select id from draw_terms where result_mode = 'open' limit 1");
    const [terms] = await t.db.query<{ terms_id: string }>('select terms_id from draws where id = $1', [draw!._id]);
    const put = (id: string) => t.db.query('update draws set terms_id = $2 where id = $1', [draw!._id, id]);
    await put(other!.id);
    expect(await problems()).toEqual([
      expect.stringMatching(/their opening records were changed$/),
      expect.stringMatching(/was opened with .* results open, .*results two-person/),
    ]);
    await put(terms!.terms_id);
    await t.byHand("update games set result_mode = 'open' where game_key = $1", [GAME]);
    expect(await problems()).toEqual([expect.stringMatching(/^game funtargetbingo has .*open.*says .*two-person/)]);
    await t.byHand("update games set result_mode = 'two-person' where game_key = $1", [GAME]);
    await t.expectBooksToBalance();
  });
});

const problems = async () => (await t.served.snapshot(audit)).flatMap((check) => check.problems);

describe('nobody confirms for an account whose password they set within 7 days', () => {
  const OTHER = 'staple battery horse';
  async function take(): Promise<SignedIn> {
    await t.ok(
      accountRoutes.admin.update,
      { params: { id: net.admin._id }, body: { password: OTHER } },
      await t.signIn(net.superadmin.username),
    );
    await t.takePasswordsAsOwn();
    return t.signIn(net.admin.username, OTHER);
  }
  const refused = async (reply: Promise<Reply<typeof addResult>>, message: string): Promise<void> =>
    expect(await reply).toMatchObject({ status: 422, body: { code: 'RULE_REFUSED', message } });

  it("nobody at all if it was set on the server's command line, because the author is unknown", async () => {
    const services = { ...t.app.services, events: new EventEmitter<Events>() };
    await resetFromShell(services, { command: 'npm run admin', osUser: undefined }, net.admin.username, OTHER);
    await t.takePasswordsAsOwn();
    const [admin, superadmin] = [await t.signIn(net.admin.username, OTHER), await t.signIn(net.superadmin.username)];
    const why =
      `The password of ${net.admin.username} was set from the server shell less than 7 days ago by an unknown person, ` +
      'so this account does not count as a second person. You can try again in 7 days.';
    await expectResultSaved(save(admin, '5'));
    await refused(save(superadmin, '5', { confirm: true }), why);
    await expectResultSaved(save(superadmin, '6'));
    await refused(save(admin, '6', { confirm: true }), why);
    await t.byHand('update accounts set password_set_by = null, password_set_at = null where id = $1', [admin._id]);
    await expectResultSaved(save(admin, '6', { confirm: true }));
    expect(await problems()).toEqual([
      expect.stringContaining(`confirmed by ${admin._id}, of whom one had its password set from the shell at`),
    ]);
    await expectResultSaved(save(superadmin, '7'));
    await t.expectBooksToBalance();
  });

  it('the audit detects a violation', async () => {
    const admin = await take();
    await expectResultSaved(save(admin, '5'));
    await t.byHand('update accounts set password_set_by = null, password_set_at = null where id = $1', [admin._id]);
    await expectResultSaved(save(await t.signIn(net.superadmin.username), '5'));
    expect(await problems()).toEqual([
      expect.stringContaining(`was saved by ${admin._id} and confirmed by ${net.superadmin._id}, of whom one had set`),
    ]);
    await expectResultSaved(save(await t.signIn(net.superadmin.username), '6'));
    await t.expectBooksToBalance();
  });
});

it('a confirmation from the address of saving is marked and logged', async () => {
  const drawnBy = async (first: string, second: string) => {
    await expectResultSaved(save({ ...net.admin, ip: first }, '5'));
    const message = await expectResultSaved(save({ ...net.superadmin, ip: second }, '5'));
    const { sameAddress } = (await panel()).saved!;
    const [row] = await t.db.query<{ id: string }>(
      "select id from activity where account_id = $1 and subject like 'Confirmed %' order by id desc limit 1",
      [net.superadmin._id],
    );
    const { data } = await t.ok(logEntry, { params: { id: row!.id } }, net.superadmin);
    const addresses = data.changes.filter(({ what }) => what === 'Address');
    await expectResultSaved(save(net.admin, '6'));
    return { message, sameAddress, told: addresses };
  };
  for (const [first, second] of [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:DB8:0:0:7::2'],
  ] as const)
    expect(await drawnBy(first, second)).toEqual({
      message: 'Result confirmed, from the address that saved it. It settles at the draw time.',
      sameAddress: true,
      told: [{ what: 'Address', before: null, after: 'Same as the one that saved it' }],
    });
  expect(await drawnBy('192.0.2.1', '192.0.2.2')).toEqual({
    message: 'Result confirmed. It settles at the draw time.',
    sameAddress: false,
    told: [],
  });
});

it('the audit accepts the last of two results saved on two servers within a millisecond', async () => {
  await setResultMode(t, 'open');
  Object.assign(net.admin, await t.signIn(net.admin.username));
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
      await expectResultSaved(server.call(addResult, { body: { ...pair, result } }, by(server)));
    expect(await panel()).toMatchObject({ saved: { result: '4' } });
    await t.expectBooksToBalance();
    expect((await drawn()).result).toMatchObject({ drawno: '4', source: 'declared' });
    await t.expectBooksToBalance();
  }
  await other.close();
});
