import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { addResult } from '@drawhouse/contract/draws/draws';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { setWelcomeShown, welcome, welcomeShown, WINNERS_MAX, type Welcome } from '@drawhouse/contract/players/welcome';
import { claimWin, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { SAMPLE_GAMES } from '@drawhouse/rules/games/catalogue';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { httpLimits } from '../platform/http/limits/http-limits.ts';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { statementOf } from '../../test/statements/statement-of.ts';
import { masked } from './read-welcome.ts';

const GAME = 'luckycard12';

let t: TestApp;
let net: Network;
beforeAll(async () => {
  t = await TestApp.start({ limits: { stranger: httpLimits({}).stranger } });
});
beforeEach(async () => {
  t.clock.advance(8 * 86_400_000);
  await t.app.tick();
  net = await t.network({ credit: 500, games: [GAME] });
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

async function shown(): Promise<Welcome> {
  t.clock.advance(10_000);
  return t.ok(welcome, {});
}

async function change(body: { status?: 'active' | 'inactive'; manualClaims?: 'yes' | 'no' }): Promise<void> {
  const { data } = await t.ok(gameList.route, { query: {} }, net.superadmin);
  await t.ok(changeGame, { params: { id: data.find(({ gameId }) => gameId === GAME)!._id }, body }, net.superadmin);
}

async function play(bets: readonly [SignedIn, Record<string, number>][], of: Network = net): Promise<void> {
  await t.finishDraw();
  for (const [player, lines] of bets)
    expect(await t.bet(player, lines, { gameId: GAME })).toMatchObject({ status: 201 });
  await t.ok(addResult, { body: { gameId: GAME, adminId: of.admin._id, result: '7' } }, of.admin);
  await t.finishDraw();
}

it('shows sample games under their titles, as open if a network has them, and no winners without any', async () => {
  const { games, winners } = await shown();
  expect(games.map(({ title, gameId }) => ({ title, gameId }))).toEqual(SAMPLE_GAMES);
  expect(games.filter(({ isOpen }) => isOpen).map(({ gameId }) => gameId)).toEqual([GAME]);
  expect(games[3]).toMatchObject({ title: 'Roulette', gameId: 'europeanroulette', family: 'roulette', digits: 37 });
  expect(winners).toEqual([]);

  await change({ status: 'inactive' });
  expect((await shown()).games.some(({ isOpen }) => isOpen)).toBe(false);
  await change({ status: 'active' });
});

it('shows paid wins, newest first, with masked names', async () => {
  const [anita, zoe] = [
    await t.create(net.retailer, { username: 'anita.the.first' }),
    await t.create(net.retailer, { username: 'Zoe' }),
  ];
  await t.give(net.superadmin, net.superadmin, 200);
  for (const player of [anita, zoe]) await t.give(net.superadmin, player, 100);
  await play([[anita, { 7: 2, 8: 3 }]]);
  const firstAt = t.clock.now().toISOString();
  await play([
    [zoe, { 7: 1 }],
    [net.user, { 8: 5 }],
  ]);
  const secondAt = t.clock.now().toISOString();
  const { winners, ...rest } = await shown();
  expect(winners).toEqual([
    { name: 'Z*****', gameName: 'Lucky 12 Cards', win: 10, at: secondAt },
    { name: 'a*****', gameName: 'Lucky 12 Cards', win: 20, at: firstAt },
  ]);
  expect(JSON.stringify({ winners, rest })).not.toMatch(/nita|oe\b/);
});

it('shows a pending win only once claimed', async () => {
  await change({ manualClaims: 'yes' });
  await play([[net.user, { 7: 1 }]]);
  expect((await shown()).winners).toEqual([]);
  const [ticket] = (await t.ok(playerTickets, { query: { claims: 'waiting' } }, net.user)).data;
  await t.ok(claimWin, { body: { ticketId: ticket!._id } }, net.user);
  const claimedAt = t.clock.now().toISOString();
  expect((await shown()).winners).toMatchObject([{ win: 10, at: claimedAt }]);
  await change({ manualClaims: 'no' });
});

it(`shows at most ${WINNERS_MAX}, from the last week`, async () => {
  for (let draw = 0; draw < 3; draw++)
    await play(Array.from({ length: 5 }, () => [net.user, { 7: 1 }] as [SignedIn, Record<string, number>]));
  const { winners } = await shown();
  expect(winners).toHaveLength(WINNERS_MAX);
  expect(winners.map(({ at }) => at)).toEqual(
    winners
      .map(({ at }) => at)
      .toSorted()
      .reverse(),
  );
  t.clock.advance(7 * 86_400_000);
  expect((await shown()).winners).toEqual([]);
});

it('excludes networks whose admin opted out or is inactive, until changed', async () => {
  const other = await t.network({ credit: 0, games: [GAME] });
  await play([[net.user, { 7: 1 }]]);
  expect((await shown()).winners).toHaveLength(1);
  expect(await t.ok(welcomeShown, {}, net.admin)).toMatchObject({ shown: true });

  expect(await t.ok(setWelcomeShown, { body: { shown: false } }, other.admin)).toMatchObject({ shown: false });
  expect(await t.ok(welcomeShown, {}, net.admin)).toMatchObject({ shown: true });
  for (const role of ['superadmin', 'superdistributor', 'retailer', 'user'] as const)
    expect(await t.call(setWelcomeShown, { body: { shown: false } }, net[role])).toMatchObject({ status: 403 });
  expect((await shown()).winners).toHaveLength(1);

  expect(await t.ok(setWelcomeShown, { body: { shown: false } }, net.admin)).toMatchObject({ shown: false });
  expect((await t.ok(welcome, {})).winners).toEqual([]);
  await t.ok(setWelcomeShown, { body: { shown: false } }, net.admin);
  await t.ok(setWelcomeShown, { body: { shown: true } }, net.admin);
  expect((await t.ok(welcome, {})).winners).toHaveLength(1);
  const { data } = await t.ok(activityLog.route, { query: {} }, net.admin);
  expect(data.slice(0, 2).map(({ subject }) => subject)).toEqual([
    `Showed the winners of ${net.admin.username} on the landing page`,
    `Hid the winners of ${net.admin.username} on the landing page`,
  ]);

  await t.ok(
    accountRoutes.admin.toggleStatus,
    { params: { userId: net.admin._id, action: 'deactivate' } },
    net.superadmin,
  );
  expect((await shown()).winners).toEqual([]);
});

it('excludes staged copies', async () => {
  await play([[net.user, { 7: 1 }]]);
  await t.db.transaction(async (tx) => {
    const [{ id }] = (await tx.query<{ id: number }>('select next_network() as id')) as [{ id: number }];
    await tx.query(
      'insert into staged_networks (id, since, root_log, of_admin, wallets, state) select $2, $3, 0, admin_id, ' +
        "wallets, 'replaced' from networks where id = $1",
      [net.networkId, id, t.clock.now()],
    );
    for (const table of ['draw_settlements', 'ticket_wins', 'tickets', 'draws'])
      await tx.query(`update ${table} set network_id = $2 where network_id = $1`, [net.networkId, id]);
  });
  expect((await shown()).winners).toEqual([]);
  await t.db.transaction(async (tx) => {
    const [{ id }] = (await tx.query<{ id: number }>('select id from staged_networks')) as [{ id: number }];
    for (const table of ['draw_settlements', 'ticket_wins', 'tickets', 'draws'])
      await tx.query(`update ${table} set network_id = $2 where network_id = $1`, [id, net.networkId]);
    await tx.query('delete from staged_networks');
  });
});

it('costs strangers and the database nothing under concurrency', async () => {
  const query = vi.spyOn(t.served, 'query');
  const reads = (): number => query.mock.calls.filter((call) => statementOf(...call).name === 'wins-recent').length;
  await shown();
  expect(reads()).toBe(1);
  await Promise.all(Array.from({ length: 50 }, () => t.ok(welcome, {})));
  expect(reads()).toBe(1);
  t.clock.advance(5_000);
  await Promise.all(Array.from({ length: 50 }, () => t.ok(welcome, {})));
  expect(reads()).toBe(2);
  t.clock.advance(-60_000);
  await t.ok(welcome, {});
  expect(reads()).toBe(3);

  t.clock.advance(5_000);
  query.mockRejectedValueOnce(new Error('away'));
  expect((await t.call(welcome, {})).status).toBe(500);
  expect((await t.call(welcome, {})).status).toBe(200);

  const replies = await Promise.all(Array.from({ length: 300 }, () => t.call(welcome, {}, { ip: '203.0.113.9' })));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
});

it('masks any name except its first letter', () => {
  expect(['anita', 'Z', 'élan', '9lives', '𝒳eno'].map(masked)).toEqual([
    'a*****',
    'Z*****',
    'é*****',
    '9*****',
    '𝒳*****',
  ]);
});
