import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import {
  apiKeyDays,
  apiKeys,
  changeApiKey,
  endApiKey,
  makeApiKey,
  type ApiKeyTerms,
} from '@drawhouse/contract/api-keys/api-keys';
import { betOfRequest, placeBet, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { ticketDetails } from '@drawhouse/contract/reports/bet-list';
import { placeBets, type BetReply } from '@drawhouse/contract/tickets/bulk-bets';
import { setOwnLimit, takeBreak } from '@drawhouse/contract/players/protection';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';
import { makeKey, uniqueIdOf } from '../../test/clients/program-keys.ts';

let t: TestApp;
let net: Network;
let uniqueId: string;

beforeAll(async () => {
  t = await TestApp.start();
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: 1_000, games: ['funtargetbingo', 'fruit12'] });
  uniqueId = await uniqueIdOf(t, net.user);
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

const make = (terms?: Partial<ApiKeyTerms>, by: SignedIn = net.admin) => makeKey(t, by, terms);
interface Laid {
  readonly player?: string | undefined;
  readonly qty?: number;
  readonly gameId?: string;
  readonly requestId?: string;
}
const betOf = ({ player = uniqueId, qty = 1, gameId = 'funtargetbingo', requestId = randomUUID() }: Laid) => ({
  player,
  gameId,
  requestId,
  lines: [{ drawno: '7', qty }],
});
const lay = (key: string, ...bets: Laid[]) => t.call(placeBets, { body: { bets: bets.map(betOf) } }, { token: key });
const codes = (answers: readonly BetReply[]) => answers.map((each) => (each.success ? 'taken' : each.code));
const laid = async (key: string, ...bets: Laid[]) => codes((await lay(key, ...bets)).body.answers);
const times = <T>(count: number, each: T): T[] => Array.from({ length: count }, () => each);

describe('an API key', () => {
  it('is shown once, stored as a hash, and bets for players of its network in their names', async () => {
    const { key, keyId } = await make();
    expect(key).toMatch(/^dhk_[\w-]{64}$/);
    const stored = await t.db.query('select row_to_json(k)::text as text from api_keys k');
    expect(JSON.stringify(stored)).not.toContain(key.slice(10));
    const other = await t.create(net.retailer);
    const requestId = randomUUID();
    const { status, body } = await lay(
      key,
      { qty: 4, requestId },
      { player: await uniqueIdOf(t, other) },
      { qty: 2, gameId: 'fruit12' },
    );
    expect([status, codes(body.answers)]).toEqual([200, ['taken', 'INSUFFICIENT_CREDIT', 'taken']]);
    expect(body.answers[2]).toMatchObject({ walletBalance: 994 });
    const { ticket } = await t.ok(betOfRequest, { params: { requestId } }, net.user);
    expect(ticket.playpoints).toBe(4);
    expect((await t.ok(playerTickets, { query: {} }, net.user)).total).toBe(2);
    const { data } = await t.ok(apiKeys, {}, net.admin);
    expect(data).toMatchObject([
      {
        _id: keyId,
        name: 'Front',
        ending: key.slice(-4),
        today: { tickets: 2, stake: 6 },
        total: { tickets: 2, stake: 6 },
      },
    ]);
    expect(data[0]!.lastUsedAt).toBe(t.clock.now().toISOString());
    const seen = await t.ok(ticketDetails, { query: { ticketId: ticket.ticketId } }, net.retailer);
    expect(seen.ticket.apiKey).toBe('Front');
    const own = (await t.bet(net.user, { 1: 1 })).body.ticket;
    expect((await t.ok(ticketDetails, { query: { ticketId: own.ticketId } }, net.admin)).ticket.apiKey).toBeNull();
  });

  it('reaches only players of its network and requires a name per ticket', async () => {
    const elsewhere = await t.network({ credit: 50, games: ['funtargetbingo'] });
    const { key } = await make();
    const [foreign, retailer] = [await uniqueIdOf(t, elsewhere.user), await uniqueIdOf(t, net.retailer)];
    const { body } = await lay(key, { player: foreign }, { player: retailer }, { player: 'U000000' }, {});
    expect(codes(body.answers)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'taken']);
    expect(new Set(body.answers.slice(0, 3).map((each) => JSON.stringify(each))).size).toBe(1);
    expect(await t.credit(elsewhere.user)).toBe(50);
    const { player: _, ...unnamed } = betOf({});
    const refused = await t.call(placeBets, { body: { bets: [betOf({}), unnamed] } }, { token: key });
    expect(refused).toMatchObject({ status: 400, body: { fields: { 'bets.1.player': expect.any(String) } } });
  });

  it('works for that call only, and similar tokens are ignored', async () => {
    const { key } = await make();
    for (const [route, input] of [
      [placeBet, { body: betOf({}) }],
      [playerTickets, { query: {} }],
      [apiKeys, {}],
    ] as const)
      expect((await t.call(route as never, input as never, { token: key })).body).toMatchObject({
        code: 'NOT_ALLOWED',
      });
    const changed = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
    for (const token of [changed, 'dhk_', `${key}A`, key.slice(0, -1)])
      expect(await lay(token, {})).toMatchObject({ status: 401, body: { code: 'API_KEY_ENDED' } });
  });

  it('respects breaks, player limits and inactive accounts', async () => {
    const { key } = await make();
    await t.ok(setOwnLimit, { params: { limit: 'stakePerDay' }, body: { value: 5 } } as never, net.user);
    const { body } = await lay(key, ...times(8, {}));
    expect(codes(body.answers)).toEqual([...times(5, 'taken'), ...times(3, 'OWN_LIMIT')]);
    const away = await t.create(net.retailer);
    await t.ok(takeBreak, { body: { length: '1 week' } } as never, away);
    expect(await laid(key, { player: await uniqueIdOf(t, away) })).toEqual(['ON_BREAK']);
    await t.ok(
      accountRoutes.retailer.toggleStatus,
      { params: { userId: net.retailer._id, action: 'deactivate' } },
      net.admin,
    );
    expect(await laid(key, {})).toEqual(['ACCOUNT_INACTIVE']);
  });
});

describe('limits of an API key', () => {
  it('on daily stakes and tickets per minute hold exactly under concurrency across games', async () => {
    const { key, keyId } = await make({ stakePerDay: 30.5 });
    const calls = Array.from({ length: 6 }, (_, index) =>
      laid(key, ...times(20, { gameId: index % 2 === 0 ? 'funtargetbingo' : 'fruit12' })),
    );
    const all = (await Promise.all(calls)).flat();
    expect(all.filter((code) => code === 'taken')).toHaveLength(30);
    expect(all.filter((code) => code === 'API_KEY_LIMIT')).toHaveLength(90);
    expect((await lay(key, {})).body.answers[0]).toMatchObject({
      fields: { lines: 'This API key has 0.50 points left today' },
    });
    await t.ok(changeApiKey, { params: { keyId }, body: { name: 'Front', ticketsPerMinute: 25 } }, net.admin);
    t.clock.advance(60_000);
    await t.finishDraw();
    const more = (await Promise.all(times(3, 0).map(() => laid(key, ...times(20, {}))))).flat();
    expect(more.filter((code) => code === 'taken')).toHaveLength(25);
    expect(more.filter((code) => code === 'THROTTLED')).toHaveLength(35);
    expect((await lay(key, {})).body.answers[0]).toMatchObject({ code: 'THROTTLED', retryAfter: 60 });
    await t.finishDraw();
    expect(await laid(key, {})).toEqual(['taken']);
    const { data } = await t.ok(apiKeyDays, { params: { keyId } }, net.admin);
    expect(data).toMatchObject([{ tickets: 56, stake: 56 }]);
  });

  it('apply immediately, also to waiting tickets', async () => {
    const { key, keyId } = await make();
    const { call } = await t.db.transaction(async (tx) => {
      await tx.query('select from wallets where owner_id = $1 for update', [net.user._id]);
      const late = lay(key, ...times(10, {}));
      await untilWaiting(t);
      const body = { name: 'Front', stakePerDay: 3 };
      await t.ok(changeApiKey, { params: { keyId }, body }, net.admin);
      return { call: late };
    });
    expect(codes((await call).body.answers)).toEqual([...times(3, 'taken'), ...times(7, 'API_KEY_LIMIT')]);
  });

  it('on addresses apply to calls and waiting tickets', async () => {
    const { key, keyId } = await make({ addresses: ['203.0.113.0/24', '2001:db8::1'] });
    const from = (ip: string) =>
      t.app.http.inject({
        method: 'POST',
        url: '/api/app/bets',
        headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': ip },
        payload: { bets: [betOf({})] },
      });
    expect((await from('203.0.113.9')).statusCode).toBe(200);
    expect((await from('2001:db8::1')).statusCode).toBe(200);
    expect((await from('203.0.114.9')).json()).toMatchObject({ code: 'NOT_ALLOWED' });
    expect((await t.ok(apiKeys, {}, net.admin)).data[0]!.addresses).toEqual(['203.0.113.0/24', '2001:db8::1']);
    for (const [address, field] of [
      ['203.0.113.7/24', 'addresses.0'],
      ['anywhere', 'addresses.0'],
      ['203.0.113.0/33', 'addresses.0'],
      ['fe80::1%eth0', 'addresses.0'],
    ] as const) {
      const { status, body } = await t.call(
        changeApiKey,
        { params: { keyId }, body: { name: 'Front', addresses: [address] } },
        net.admin,
      );
      expect([status, Object.keys((body as unknown as { fields: object }).fields)]).toEqual([400, [field]]);
    }
  });
});

describe('revoking an API key', () => {
  const end = (keyId: string) => t.ok(endApiKey, { params: { keyId } }, net.admin);

  it('takes effect immediately: a waiting call places nothing', async () => {
    const { key, keyId } = await make();
    const { call } = await t.db.transaction(async (tx) => {
      await tx.query('select from wallets where owner_id = $1 for update', [net.user._id]);
      const late = lay(key, ...times(10, {}));
      await untilWaiting(t);
      await end(keyId);
      return { call: late };
    });
    expect(codes((await call).body.answers)).toEqual(times(10, 'API_KEY_ENDED'));
    expect(await lay(key, {})).toMatchObject({ status: 401, body: { code: 'API_KEY_ENDED' } });
    expect(await t.credit(net.user)).toBe(1_000);
    expect((await t.ok(apiKeys, {}, net.admin)).data[0]).toMatchObject({ endedAt: t.clock.now().toISOString() });
    expect((await t.call(changeApiKey, { params: { keyId }, body: { name: 'Again' } }, net.admin)).status).toBe(404);
    await end(keyId);
  });

  it('happens when its admin is stopped, permanently, and is logged', async () => {
    const { key } = await make({ name: 'One' });
    const { keyId } = await make({ name: 'Two', ticketsPerMinute: 5 });
    await end(keyId);
    const toggle = (action: 'activate' | 'deactivate') =>
      t.ok(accountRoutes.admin.toggleStatus, { params: { userId: net.admin._id, action } }, net.superadmin);
    await toggle('deactivate');
    expect(await lay(key, {})).toMatchObject({ status: 401 });
    await toggle('activate');
    expect(await lay(key, {})).toMatchObject({ status: 401 });
    const subjects = async (by: SignedIn) =>
      (await t.ok(activityLog.route, { query: { pageSize: '20' } }, by)).data.map(({ subject }) => subject);
    const own = await subjects(await t.signIn(net.admin.username));
    const name = net.admin.username;
    for (const subject of [
      `Created API key One of ${name}`,
      `Created API key Two of ${name}`,
      `Ended API key Two of ${name}`,
    ])
      expect(own).toContain(subject);
    expect(await subjects(net.superadmin)).toContain(`Ended API key One of ${name}`);
  });

  it('does not happen when the superadmin above is stopped, but suspends it', async () => {
    const { key } = await make();
    await t.byHand('update accounts set active = false where id = $1', [net.superadmin._id]);
    expect(await lay(key, {})).toMatchObject({ status: 401 });
    await t.byHand('update accounts set active = true where id = $1', [net.superadmin._id]);
    expect(await laid(key, {})).toEqual(['taken']);
  });

  it('concerns its own account only', async () => {
    const { keyId } = await make();
    const other = await t.network({ credit: 0 });
    for (const [route, input] of [
      [endApiKey, { params: { keyId } }],
      [changeApiKey, { params: { keyId }, body: { name: 'Mine' } }],
      [apiKeyDays, { params: { keyId } }],
    ] as const)
      expect((await t.call(route as never, input as never, other.admin)).status).toBe(404);
    expect((await t.call(endApiKey, { params: { keyId } }, net.superdistributor)).status).toBe(404);
    for (const by of [net.superadmin, net.user])
      expect((await t.call(endApiKey, { params: { keyId } }, by)).status).toBe(403);
  });
});

it('an admin has at most twenty usable keys', async () => {
  const made = [];
  for (let count = 0; count < 20; count++) made.push(await make());
  expect((await t.call(makeApiKey, { body: { name: 'One more' } }, net.admin)).body).toMatchObject({
    code: 'RULE_REFUSED',
  });
  await t.ok(endApiKey, { params: { keyId: made[3]!.keyId } }, net.admin);
  await make();
});
