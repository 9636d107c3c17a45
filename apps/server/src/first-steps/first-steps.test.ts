import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { makeChain, SIMULATED_MINUTES, simulatePlayers } from '@drawhouse/contract/first-steps/first-steps';
import { transactionReport } from '@drawhouse/contract/reports/transactions';
import { BUILT_IN_GAMES } from '@drawhouse/rules/games/catalogue';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { randomLines } from './simulated-players.ts';

let t: TestApp;
let net: Network;
let chains = 0;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network();
  await t.give(net.superadmin, net.superadmin, 100_000);
});
afterAll(() => t.close());

function chain(of: Partial<Parameters<typeof bodyOf>[0]> = {}) {
  return bodyOf({ nth: ++chains, testNetwork: true, ...of });
}

function bodyOf({ nth, ...rest }: { nth: number; testNetwork: boolean; games?: string[]; playerCredit?: number }) {
  const usernames = {
    admin: `north-${nth}`,
    superdistributor: `south-${nth}`,
    distributor: `east-${nth}`,
    retailer: `west-${nth}`,
    user: `center-${nth}`,
  };
  const games = ['funtargetbingo'];
  return {
    usernames,
    accountPassword: PASSWORD,
    games,
    adminCredit: 500,
    playerCredit: 25,
    password: PASSWORD,
    ...rest,
  };
}

const ticketsOf = async (adminId: string): Promise<{ account_id: string; stake: bigint }[]> =>
  t.db.query(
    `select tickets.account_id, tickets.stake from tickets join accounts a on a.id = tickets.account_id
     where a.chain @> array[$1]::uuid[] order by tickets.id`,
    [adminId],
  );

async function tickSeconds(seconds: number): Promise<void> {
  for (let nth = 0; nth < seconds; nth++) {
    t.clock.advance(1_000);
    await t.app.tick();
  }
}

describe('a chain', () => {
  it('has one account a level with games and credit at both ends, and a log row each', async () => {
    const { data } = await t.ok(makeChain, { body: chain() }, net.superadmin);
    const names = chain({ nth: chains }).usernames;
    expect(
      data.map(({ role, username, refId, walletBalance }) => [role, username, refId?.username, walletBalance]),
    ).toEqual([
      ['admin', names.admin, 'superadmin', 500],
      ['superdistributor', names.superdistributor, names.admin, 0],
      ['distributor', names.distributor, names.superdistributor, 0],
      ['retailer', names.retailer, names.distributor, 0],
      ['user', names.user, names.retailer, 25],
    ]);
    expect(data[0]).toMatchObject({ testNetwork: true, games: [{ gameId: 'funtargetbingo' }] });
    await t.signIn(names.user);
    const log = await t.ok(activityLog.route, { query: { pageSize: '20' } }, net.superadmin);
    const subjects = log.data.map(({ subject }) => subject);
    for (const username of Object.values(names))
      expect(subjects.filter((subject) => subject.startsWith('Created') && subject.endsWith(username))).toHaveLength(1);
    const given = await t.ok(transactionReport.route, { query: {} }, await t.signIn(names.admin));
    expect(given.data.map(({ credit }) => credit).toSorted((a, b) => a - b)).toEqual([25, 500]);
    await t.expectBooksToBalance();
  });

  it('is made whole or not at all, and errors name their field', async () => {
    const before = await t.db.query('select count(*) from accounts');
    const body = chain();
    const send = (change: object, as: SignedIn = net.superadmin) =>
      t.call(makeChain, { body: { ...body, ...change } }, as);
    const usernames = { ...body.usernames, user: net.user.username.toUpperCase() };
    expect(await send({ usernames })).toMatchObject({
      status: 409,
      body: { code: 'USERNAME_TAKEN', fields: { 'usernames.user': expect.any(String) as string } },
    });
    expect(await send({ usernames: { ...body.usernames, user: body.usernames.admin } })).toMatchObject({
      status: 400,
      body: { fields: { 'usernames.user': 'Use each name once' } },
    });
    expect(await send({ playerCredit: 10_000_000 })).toMatchObject({ body: { code: 'INSUFFICIENT_CREDIT' } });
    expect(await send({ accountPassword: 'password123' })).toMatchObject({
      status: 400,
      body: { fields: { accountPassword: expect.any(String) as string } },
    });
    expect(await send({ games: ['no-such-game'] })).toMatchObject({
      body: { fields: { games: expect.any(String) as string } },
    });
    expect(await send({ password: 'wrong' })).toMatchObject({ body: { code: 'WRONG_PASSWORD' } });
    expect(await send({}, net.admin)).toMatchObject({ status: 403 });
    expect(await t.db.query('select count(*) from accounts')).toEqual(before);
  });

  it('is made once per Idempotency-Key', async () => {
    const body = chain();
    const as = { ...net.superadmin, idempotencyKey: 'one-chain' };
    const first = await t.ok(makeChain, { body }, as);
    const second = await t.call(makeChain, { body }, as);
    expect(second.body.data.map(({ _id }) => _id)).toEqual(first.data.map(({ _id }) => _id));
  });
});

describe('the mark of a test network', () => {
  const mark = (admin: SignedIn | { _id: string }, testNetwork: boolean) =>
    t.call(accountRoutes.admin.update, { params: { id: admin._id }, body: { testNetwork } }, net.superadmin);

  it('can change until the first bet, both ways', async () => {
    const other = await t.network();
    expect((await mark(other.admin, true)).body.data.testNetwork).toBe(true);
    expect((await mark(other.admin, false)).body.data.testNetwork).toBe(false);
    await t.bet(other.user, { 7: 1 });
    expect(await mark(other.admin, true)).toMatchObject({
      status: 422,
      body: {
        code: 'RULE_REFUSED',
        fields: { testNetwork: 'This network already has bets. Create another one instead' },
      },
    });
    expect((await mark(other.admin, false)).status).toBe(200);
    const tested = await t.network();
    await mark(tested.admin, true);
    await t.bet(tested.user, { 7: 1 });
    await t.finishDraw();
    expect(await mark(tested.admin, false)).toMatchObject({ status: 422 });
  });

  it('belongs to admins', async () => {
    const reply = await t.call(
      accountRoutes.retailer.update,
      { params: { id: net.retailer._id }, body: { testNetwork: true } },
      net.superadmin,
    );
    expect(reply).toMatchObject({
      status: 400,
      body: { fields: { testNetwork: 'Set this on the admin of the network' } },
    });
  });
});

describe('simulated players', () => {
  const simulate = (adminId: string, running: boolean, as: SignedIn = net.superadmin) =>
    t.call(simulatePlayers, { params: { adminId }, body: { running } }, as);

  it('bet about once a second until stopped, as the accounts that are not online', async () => {
    const { data } = await t.ok(makeChain, { body: chain({ playerCredit: 500 }) }, net.superadmin);
    const [admin, , , , player] = data as [(typeof data)[0], unknown, unknown, unknown, (typeof data)[0]];
    await t.app.tick();
    const { simulatedUntil } = await t.ok(
      simulatePlayers,
      { params: { adminId: admin._id }, body: { running: true } },
      net.superadmin,
    );
    expect(Date.parse(simulatedUntil!) - t.clock.now().getTime()).toBe(SIMULATED_MINUTES * 60_000);
    await tickSeconds(5);
    const placed = await ticketsOf(admin._id);
    expect(placed.length).toBeGreaterThanOrEqual(4);
    expect(new Set(placed.map(({ account_id }) => account_id))).toEqual(new Set([player._id]));

    await t.signIn(player.username);
    await tickSeconds(3);
    expect(await ticketsOf(admin._id)).toHaveLength(placed.length);

    await simulate(admin._id, false);
    t.clock.advance(5 * 60_000);
    await tickSeconds(2);
    expect(await ticketsOf(admin._id)).toHaveLength(placed.length);
    await t.expectBooksToBalance();
  });

  it('stop automatically', async () => {
    const { data } = await t.ok(makeChain, { body: chain() }, await t.signIn('superadmin'));
    const adminId = data[0]!._id;
    await simulate(adminId, true, await t.signIn('superadmin'));
    t.clock.advance(SIMULATED_MINUTES * 60_000 + 1);
    await tickSeconds(2);
    expect(await ticketsOf(adminId)).toEqual([]);
  });

  it('need a test network, and a superadmin above it', async () => {
    const as = await t.signIn('superadmin');
    expect(await simulate(net.admin._id, true, as)).toMatchObject({ status: 422, body: { code: 'RULE_REFUSED' } });
    expect(await simulate(net.retailer._id, true, as)).toMatchObject({ status: 404 });
    expect(await simulate(net.admin._id, true, await t.signIn(net.admin.username))).toMatchObject({ status: 403 });
  });

  it('place only bets that the rules of every game take', () => {
    let drawn = 0;
    const random = (n: number): number => (drawn = (drawn * 48_271 + 11) % 2_147_483_647) % n;
    for (const { gameId, family, digits } of BUILT_IN_GAMES) {
      const rules = rulesFor({ gameId, family, digits });
      for (let nth = 0; nth < 50; nth++)
        for (const line of randomLines(rules, random))
          expect(rules.parseBet(line), `in ${gameId}`).toMatchObject({ ok: true });
    }
  });
});
