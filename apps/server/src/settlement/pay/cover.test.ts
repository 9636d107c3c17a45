import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { statement } from '@drawhouse/contract/credit/statement';
import { loadGame } from '@drawhouse/contract/live/live';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aWeekLater, onEachDigit, operator, setResultMode } from '../../../test/worlds/audit-world.ts';
import { TestApp, type Network, type Reply } from '../../../test/harness.ts';
import { auditAfter } from '../../../test/tampering/tampered.ts';

const GAME = 'funtargetbingo';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start({ pieceSizes: { wholeUpTo: 4, players: 1 } });
});
afterAll(() => t.close());
beforeEach(async () => {
  net = await t.network({ credit: 1000, reserve: 0 });
});

const declare = (result: string, boosterValue = 1): Promise<Reply<typeof addResult>> =>
  t.call(addResult, { body: { gameId: GAME, adminId: net.admin._id, result, boosterValue } }, net.admin);
async function fund(points: number): Promise<void> {
  await t.give(net.superadmin, net.superadmin, points);
  await t.give(net.superadmin, net.admin, points);
}
const table = async (): Promise<number> => {
  const panel = await t.ok(loadGame, { query: { gameId: GAME, adminId: net.admin._id } }, net.admin);
  return panel.percentageData[0]!.gameBalance;
};
const balances = async (): Promise<{ admin: number; table: number }> => ({
  admin: await t.credit(net.admin),
  table: await table(),
});

describe('a declared result', () => {
  it('without cover is refused with the shortfall, and betting stays open', async () => {
    await t.bet(net.user, { 7: 100 });
    const { status, body } = await declare('7');
    expect([status, body.code, body.shortfall]).toEqual([422, 'NOT_COVERED', 800]);
    expect(body.message).toBe('This result is not covered: the admin needs 800.00 more points of credit to pay it.');
    expect((await t.bet(net.user, { 7: 1 })).status).toBe(201);
  });

  it("defeats an admin with an accomplice: the credit won is the admin's own", async () => {
    await fund(500);
    await t.bet(net.user, { 7: 62 });
    expect((await declare('7', 20)).body).toMatchObject({ code: 'NOT_COVERED', shortfall: 9 * 20 * 62 - 62 - 500 });
    expect((await declare('7')).body).toMatchObject({ success: true, cover: 9 * 62 - 62 });
    await t.finishDraw();
    expect(await balances()).toEqual({ admin: 4, table: 0 });
    expect(await t.credit(net.user)).toBe(1000 + 8 * 62);
    await t.expectBooksToBalance();
  });

  it("needs no cover if the draw's stakes pay it, even at an indebted table", async () => {
    await t.bet(net.user, { ...onEachDigit(10), 3: 5 });
    expect((await declare('3')).body).toMatchObject({ success: true, cover: 0 });
    await t.finishDraw();
    expect(await table()).toBe(95 - 45);
  });

  it("uses the table first, then the admin's credit", async () => {
    await fund(300);
    await operator(t, net).addBalance(net.admin, 100);
    await t.bet(net.user, { 7: 20 });
    expect((await declare('7')).body).toMatchObject({ success: true, cover: 60 });
    expect(await balances()).toEqual({ admin: 140, table: 160 });
    await t.finishDraw();
    expect(await balances()).toEqual({ admin: 140, table: 0 });
    await t.expectBooksToBalance();
  });

  it('also covers commissions', async () => {
    net = await t.network({
      credit: 1000,
      reserve: 0,
      commissions: { superdistributor: 3.33, distributor: 2.5, retailer: 5, user: 1 },
    });
    await t.bet(net.user, { 7: 7 });
    const { body } = await declare('7');
    // 63 − 7 and 0.2331 + 0.175 + 0.35 + 0.07, each rounded up.
    expect(body.shortfall).toBe(56 + 0.24 + 0.18 + 0.35 + 0.07);
    await fund(body.shortfall!);
    expect((await declare('7')).body.success).toBe(true);
    await t.finishDraw();
    const { admin, table: left } = await balances();
    expect(admin).toBe(0);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(left).toBeLessThan(0.04);
    await t.expectBooksToBalance();
  });
});

describe('cover is returned', () => {
  beforeEach(async () => {
    await fund(900);
    await t.bet(net.user, { 7: 100, 3: 50 });
    await declare('7');
  });

  it('as far as a replacement needs less', async () => {
    expect((await declare('3')).body).toMatchObject({ success: true, cover: 300 });
    expect(await balances()).toEqual({ admin: 600, table: 300 });
    expect((await declare('5')).body).toMatchObject({ success: true, cover: 0 });
    expect(await balances()).toEqual({ admin: 900, table: 0 });
    await t.finishDraw();
    expect(await balances()).toEqual({ admin: 900, table: 150 });
    await t.expectBooksToBalance();
  });

  it('not if the replacement is refused: the first stays saved and covered', async () => {
    expect((await declare('7', 2)).body).toMatchObject({ code: 'NOT_COVERED', shortfall: 750 });
    expect(await balances()).toEqual({ admin: 150, table: 750 });
    await t.finishDraw();
    expect(await balances()).toEqual({ admin: 150, table: 0 });
  });

  it('when the draw is void', async () => {
    await t.ok(voidDraw, { body: { gameId: GAME, adminId: net.admin._id, reason: 'a test' } }, net.admin);
    expect(await balances()).toEqual({ admin: 900, table: 0 });
    expect(await t.credit(net.user)).toBe(1000);
    await t.expectBooksToBalance();
  });

  it('when the result is generated after all', async () => {
    await t.ok(generateResult, { body: { gameId: GAME, adminId: net.admin._id } }, net.admin);
    expect((await balances()).admin).toBe(900);
    const { data } = await t.ok(
      statement.route,
      { query: { startDate: '2026-01-01T00:00:00.000Z', endDate: '2030-01-01T00:00:00.000Z' } },
      net.admin,
    );
    expect(data.filter(({ kind }) => kind === 'cover')).toMatchObject([{ credit: 750 }, { debit: 750 }]);
    await t.expectBooksToBalance();
  });
});

describe('the audit detects', () => {
  it.each([
    [
      'a cover that no transfer moved',
      'update draws set cover = coalesce(cover, 0) + 1 where id = :draw',
      /has a cover of 48001 hundredths; its transfers come to 48000/,
    ],
    [
      'a cover that is gone from its draw',
      'update draws set cover = null where id = :draw',
      /has a cover of 0 hundredths; its transfers come to 48000/,
    ],
    [
      'a cover of another draw',
      'update transfers set reference = gen_random_uuid() where kind = 16 and reference = :draw',
      /covers draw .*, which does not exist/,
    ],
    [
      'a cover from another wallet',
      `update wallets set kind = 3 where kind = 1 and owner_id = :admin`,
      /covers draw .* between other wallets/,
    ],
  ])('%s', async (_what, sql, expected) => {
    await fund(900);
    await t.bet(net.user, { 7: 60 });
    await declare('7');
    const { draw } = await t.ok(loadGame, { query: { gameId: GAME, adminId: net.admin._id } }, net.admin);
    const filled = sql.replaceAll(':draw', `'${draw!._id}'`).replaceAll(':admin', `'${net.admin._id}'`);
    expect(await auditAfter(t, filled)).toContainEqual(expect.stringMatching(expected));
  });
});

it('is returned if nobody confirms, also for draws settled in pieces', async () => {
  for (const tickets of [1, 6]) {
    net = await t.network({ credit: 1000, reserve: 0 });
    await aWeekLater(t, net.superadmin, net.admin, net.user);
    await setResultMode(t, 'two-person');
    await fund(900);
    for (let nth = 0; nth < tickets; nth++) await t.bet(net.user, { 7: 60 / tickets });
    expect((await declare('7')).body).toMatchObject({ success: true, cover: 480 });
    await t.finishDraw();
    Object.assign(net.admin, await t.signIn(net.admin.username));
    expect((await balances()).admin).toBe(900);
    await setResultMode(t, 'open');
  }
  await t.expectBooksToBalance();
});
