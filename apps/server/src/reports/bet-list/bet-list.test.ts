import {
  BET_STATUS,
  betList,
  betStatusOf,
  loadGames,
  loadUsers,
  ticketDetails,
  type BetStatus,
  type BetTicket,
} from '@drawhouse/contract/reports/bet-list';
import { addResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { ROLES, STAFF_ROLES } from '@drawhouse/contract/core/primitives';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { eachNth } from '../../../test/test-tier.ts';

let t: TestApp;
let net: Network;
let other: Network;

const GAMES = ['funtargetbingo', 'lottery4d', 'acqOpdpL', 'andarbahar'];
const PERIOD = { startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-03-31T23:59:59.999Z' };

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ games: GAMES });
  other = await t.network({ games: GAMES });
});
afterAll(() => t.close());

type Narrow = Partial<Record<'gameId' | 'userId' | 'tdate' | 'startDate' | 'endDate', string>> & { status?: BetStatus };

const lay = (by: SignedIn, gameId: string, lines: object[]) =>
  t.ok(placeBet, { body: { gameId, requestId: randomUUID(), lines } } as never, by);

async function pagesOf(by: SignedIn, narrow: Narrow = {}, from: 'newest' | 'oldest' = 'newest', pageSize = 3) {
  const rows: BetTicket[] = [];
  let cursor: object = from === 'newest' ? {} : { after: '0' };
  for (;;) {
    const page = await t.ok(
      betList.route,
      { query: { ...PERIOD, ...narrow, ...cursor, pageSize: String(pageSize) } },
      by,
    );
    if (from === 'newest') rows.push(...page.data);
    else rows.unshift(...page.data);
    const next = from === 'newest' ? page.older : page.newer;
    if (next === null) return rows;
    cursor = from === 'newest' ? { before: next } : { after: next };
  }
}

const ids = (rows: readonly BetTicket[]): string[] => rows.map((row) => row._id);

async function ticketsBelow(id: string, gameKey?: string): Promise<string[]> {
  const rows = await t.db.query<{ id: string }>(
    `select t.id from tickets t join accounts a on a.id = t.account_id join draws d on d.id = t.draw_id join games g on g.id = d.game_id
     where a.chain @> array[$1]::uuid[] and ($2::text is null or g.game_key = $2) order by t.id desc`,
    [id, gameKey ?? null],
  );
  return rows.map((row) => row.id);
}

describe('the Bet List', () => {
  it('shows an open ticket without result, then its outcome', async () => {
    await t.bet(net.user, { 5: 2, 7: 1 });
    const [open] = await pagesOf(net.retailer);
    expect(open).toMatchObject({
      gameId: 'funtargetbingo',
      username: net.user.username,
      role: 'user',
      playpoints: 3,
      winpoints: null,
      resultIds: [],
      source: null,
      status: 'open',
      claimdate: null,
      apiKey: null,
    });
    await t.ok(
      addResult,
      { body: { adminId: net.admin._id, gameId: 'funtargetbingo', result: '5', boosterValue: 2 } },
      net.admin,
    );
    expect((await pagesOf(net.retailer))[0]).toMatchObject({ resultIds: [], result: null, source: null });
    await t.finishDraw();
    const [settled] = await pagesOf(net.retailer);
    expect(settled).toMatchObject({
      winpoints: 36,
      resultIds: [{ series: null, subseries: null, drawno: '5' }],
      booster: 2,
      source: 'declared',
      status: 'settled',
      claimdate: t.clock.now().toISOString(),
    });
    const { ticket, data } = await t.ok(ticketDetails, { query: { ticketId: settled!.ticketId } }, net.distributor);
    expect(ticket).toEqual(settled);
    expect(data).toMatchObject([
      { ticketid: settled!.ticketId, drawno: '5', drawqty: 2, drawtotal: 2, won: 36, head: null },
      { drawno: '7', drawqty: 1, drawtotal: 1, won: 0 },
    ]);
  });

  it('shows results and lines by series and sub-series, with game images and names', async () => {
    await lay(net.user, 'lottery4d', [{ drawno: '1042', qty: 1 }]);
    await lay(net.user, 'acqOpdpL', [{ drawno: '42', head: 'jodi', series: 'K60GOLD', qty: 2 }]);
    await lay(net.user, 'andarbahar', [{ drawno: 'spade', head: 'suit', qty: 1 }]);
    t.clock.advance(3_600_000);
    await t.app.tick();
    for (const network of [net, other])
      for (const role of ROLES) network[role] = await t.signIn(network[role].username);
    const [card, jodi, fourD] = await pagesOf(net.admin);
    expect(fourD!.resultIds).toHaveLength(30);
    expect(fourD!.resultIds).toContainEqual({
      series: '1000',
      subseries: '1100',
      drawno: expect.stringMatching(/^11\d\d$/),
    });
    expect(jodi!.resultIds.map(({ series, subseries }) => [series, subseries])).toEqual([
      ['K50SILVER', null],
      ['K60GOLD', null],
      ['K70DIAMOND', null],
    ]);
    expect(card).toMatchObject({
      source: 'generated',
      outcome: { label: expect.stringMatching(/^(A|K|Q|J|\d+)[♠♥♦♣]/), color: expect.stringMatching(/red|black/) },
    });
    const linesOf = async (row: BetTicket) =>
      (await t.ok(ticketDetails, { query: { ticketId: row._id, gameId: row.gameId } }, net.admin)).data;
    expect(await linesOf(fourD!)).toMatchObject([{ drawno: '1042', series: '1000', subseries: '1000' }]);
    expect(await linesOf(jodi!)).toMatchObject([{ drawno: '42', head: 'Jodi', series: 'K60GOLD', drawtotal: 2 }]);
  });

  it('states why a draw is void', async () => {
    await t.bet(net.user, { 1: 1 });
    const body = { adminId: net.admin._id, gameId: 'funtargetbingo', reason: 'The wheel was stuck' };
    await t.ok(voidDraw, { body }, net.admin);
    expect((await pagesOf(net.admin))[0]).toMatchObject({
      status: 'void',
      voidCause: 'operator',
      resultIds: [],
      winpoints: null,
    });
  });

  it('shows each role its subtree under every filter and from either end', async () => {
    t.clock.advance(60_000);
    await t.app.tick();
    const second = await t.create(net.retailer);
    await t.give(net.superadmin, net.superadmin, 100);
    await t.give(net.superadmin, second, 50);
    const cousin = await t.create(await t.create(net.distributor));
    await t.give(net.superadmin, cousin, 50);
    for (const by of [second, cousin, other.user, net.user]) for (const n of [1, 2, 3]) await t.bet(by, { [n]: 1 });
    await lay(other.user, 'lottery4d', [{ drawno: '1042', qty: 1 }]);
    const viewers = [net, other].flatMap((network) => STAFF_ROLES.map((role) => [network, role] as const));
    for (const [network, role] of eachNth(3, viewers)) {
      const by = network[role];
      const expected = await ticketsBelow(by._id);
      expect(expected.length).toBeGreaterThan(0);
      expect(ids(await pagesOf(by))).toEqual(expected);
      expect(ids(await pagesOf(by, {}, 'oldest'))).toEqual(expected);
      for (const gameId of GAMES)
        for (const end of ['newest', 'oldest'] as const)
          expect(ids(await pagesOf(by, { gameId }, end)), `${role} ${gameId}`).toEqual(
            await ticketsBelow(by._id, gameId),
          );
      for (const below of ROLES.slice(ROLES.indexOf(role) + 1))
        expect(ids(await pagesOf(by, { userId: network[below]._id, gameId: 'funtargetbingo' }))).toEqual(
          await ticketsBelow(network[below]._id, 'funtargetbingo'),
        );
    }
  });

  it('filters and counts tickets won, lost, open and void', async () => {
    const drawn = await t.network({ games: GAMES });
    const viewers = ['superadmin', 'admin', 'distributor', 'retailer'] as const;
    const bet = (n: number, gameId = GAMES[0]!) => lay(drawn.user, gameId, [{ drawno: String(n), qty: 1 }]);
    const body = { adminId: drawn.admin._id, gameId: GAMES[0]! };
    await t.ok(addResult, { body: { ...body, result: '4', boosterValue: 1 } }, drawn.admin);
    await t.finishDraw();
    for (const n of [4, 5, 4, 6]) await bet(n);
    await t.ok(addResult, { body: { ...body, result: '4', boosterValue: 1 } }, drawn.admin);
    await t.finishDraw();
    for (let draws = 0; draws < 2; draws++) {
      await bet(1);
      await t.ok(addResult, { body: { ...body, result: '9', boosterValue: 1 } }, drawn.admin);
      await t.finishDraw();
    }
    await bet(3);
    await t.ok(voidDraw, { body: { ...body, reason: 'The wheel was stuck' } }, drawn.admin);
    await bet(1042, GAMES[1]);
    for (const role of viewers)
      for (const narrow of [{}, { gameId: GAMES[0]! }, { userId: drawn.user._id }]) {
        const by = drawn[role];
        const all = await pagesOf(by, narrow, 'newest', 500);
        for (const status of Object.keys(BET_STATUS) as BetStatus[]) {
          const expected = ids(all.filter((row) => betStatusOf(row) === status));
          const label = `${status} as ${role} ${JSON.stringify(narrow)}`;
          if (role !== 'superadmin' && !('gameId' in narrow && status === 'open'))
            expect([label, expected.length > 0]).toEqual([label, true]);
          for (const end of ['newest', 'oldest'] as const)
            expect(ids(await pagesOf(by, { ...narrow, status }, end, 1)), `${label} ${end}`).toEqual(expected);
          const { total } = await t.ok(betList.route, { query: { ...PERIOD, ...narrow, status } }, by);
          expect([label, total]).toEqual([label, expected.length]);
        }
      }
  });

  it('filters by instants, to the millisecond, and by a server day', async () => {
    const rows = await pagesOf(net.admin);
    const { placedAt } = rows[4]!;
    const within = await pagesOf(net.admin, { startDate: placedAt, endDate: placedAt });
    expect(ids(within)).toEqual(ids(rows.filter((row) => row.placedAt === placedAt)));
    const before = new Date(Date.parse(placedAt) - 1).toISOString();
    expect(ids(await pagesOf(net.admin, { endDate: before }))).toEqual(
      ids(rows.filter((row) => row.placedAt < placedAt)),
    );
    expect(ids(await pagesOf(net.admin, { tdate: '2026-03-10' }))).toEqual(ids(rows));
    expect(await pagesOf(net.admin, { tdate: '2026-03-09' })).toEqual([]);
    const alone = (query: object) => t.call(betList.route, { query }, net.admin);
    expect(ids((await alone({ tdate: '2026-03-10' })).body.data)).toEqual(ids(rows));
    expect(ids((await alone({})).body.data)).toEqual(ids(rows));
    expect((await alone({ tdate: '2026-03-09' })).body.data).toEqual([]);
    expect(await alone({ startDate: placedAt })).toMatchObject({
      status: 400,
      body: { fields: { endDate: 'Send both startDate and endDate, or neither' } },
    });
    // Older clients send empty filters.
    expect(ids(await pagesOf(net.admin, { tdate: '', gameId: '', userId: '' }))).toEqual(ids(rows));
  });

  it('has each ticket on exactly one page while bets arrive', async () => {
    const before = await ticketsBelow(net.superadmin._id);
    const found: string[] = [];
    let cursor: object = {};
    for (;;) {
      const page = await t.ok(betList.route, { query: { ...PERIOD, ...cursor, pageSize: '4' } }, net.superadmin);
      found.push(...ids(page.data));
      await t.bet(net.user, { 9: 1 });
      await t.bet(other.user, { 9: 1 });
      if (page.older === null) break;
      cursor = { before: page.older };
    }
    expect(found).toEqual(before);
    const after: string[] = [];
    for (cursor = { after: before[0] }; ;) {
      const page = await t.ok(betList.route, { query: { ...PERIOD, ...cursor, pageSize: '4' } }, net.superadmin);
      after.unshift(...ids(page.data));
      if (page.newer === null) break;
      cursor = { after: page.newer };
    }
    const all = await ticketsBelow(net.superadmin._id);
    expect([...after, ...before]).toEqual(all);
  });
});

describe('filters of the Bet List', () => {
  it("offer the caller's players and games", async () => {
    const { data: users } = await t.ok(loadUsers, { query: { id: net.retailer._id } }, net.retailer);
    expect(users.map(({ username }) => username)).toContain(net.user.username);
    expect(users.map(({ username }) => username)).not.toContain(other.user.username);
    const search = net.user.username.slice(-4).toUpperCase();
    const { data: found } = await t.ok(loadUsers, { query: { search, pageSize: '50' } }, net.retailer);
    expect(found).toContainEqual({ _id: net.user._id, username: net.user.username });
    const { data: games } = await t.ok(loadGames, { query: {} }, net.retailer);
    expect(games.map(({ gameId }) => gameId).sort()).toEqual([...GAMES].sort());
  });

  it('refuse foreign or missing accounts and games', async () => {
    const send = (query: object, by: SignedIn) => t.call(betList.route, { query: { ...PERIOD, ...query } }, by);
    expect(await send({ userId: other.user._id }, net.admin)).toMatchObject({
      status: 404,
      body: { fields: { userId: 'Choose yourself or an account below you' } },
    });
    expect((await send({ userId: net.distributor._id }, net.retailer)).status).toBe(404);
    expect(await send({ gameId: 'nothing' }, net.admin)).toMatchObject({
      status: 404,
      body: { fields: { gameId: expect.any(String) } },
    });
    expect((await send({ tdate: 'yesterday' }, net.admin)).body).toMatchObject({
      fields: { tdate: expect.any(String) },
    });
    expect((await send({ before: '1' }, net.admin)).status).toBe(400);
    const [mine] = await pagesOf(net.admin);
    const sibling = await t.create(net.distributor);
    for (const [by, status] of [
      [net.retailer, 200],
      [sibling, 404],
      [other.admin, 404],
      [other.retailer, 404],
    ] as const)
      // prettier-ignore
      expect((await t.call(ticketDetails, { query: { ticketId: mine!._id } }, by)).status).toBe(status);
    expect(
      (await t.call(ticketDetails, { query: { ticketId: mine!._id, gameId: 'lottery3d' } }, net.admin)).body,
    ).toMatchObject({
      message: 'No ticket data available.',
    });
  });
});
