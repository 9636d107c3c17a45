import { voidDraw } from '@drawhouse/contract/draws/draws';
import { END } from '@drawhouse/contract/core/list';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { betList } from '@drawhouse/contract/reports/bet-list';
import type { playerTickets } from '@drawhouse/contract/tickets/tickets';
import type { RouteParsed } from '@drawhouse/contract/core/route';
import * as fc from 'fast-check';
import { sql } from '../../platform/db/sql/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '../../accounts/authority.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { countCut, readKeysetPage, wantedCuts } from '../../platform/lists/read-keyset.ts';
import { readUsage } from '../../protection/usage.ts';
import { lastPlayed } from '../../tickets/read/recent-wins.ts';
import { listTickets } from '../../tickets/read/own-tickets.ts';
import { hasOpenTickets, hasPlayed } from '../../tickets/tickets.sql.ts';
import { clearWithin, DAYS, playHistory, takenBack } from '../../../test/worlds/clearing-world.ts';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { betsFrom, findScope, isWished, mayBeSeen } from './bet-list.sql.ts';
import { CLEARING_ORDER, type ClearingModel } from '@drawhouse/contract/clearing/clearing-texts';

const GAMES = ['funtargetbingo', 'luckycard16'] as const;
const DAY_MS = 86_400_000;
const PERIOD = { from: new Date('2026-03-01T00:00:00Z'), until: new Date('2026-04-01T00:00:00Z') };

let t: TestApp;
let net: Network;
let players: SignedIn[];

beforeAll(async () => {
  t = await TestApp.start();
  ({ net } = await playHistory(t));
  const left = await t.create(net.retailer);
  await t.give(net.superadmin, left, 20);
  await t.bet(left, { 3: 2 });
  await t.bet(net.user, { 2: 1 });
  await t.finishDraw();
  await t.bet(net.user, { 5: 1 });
  await t.bet(left, { 5: 1 });
  await later(DAY_MS);
  await t.bet(net.user, { 6: 2 });
  await t.bet(left, { 6: 1 });
  await t.ok(voidDraw, { body: { gameId: GAMES[0], adminId: net.admin._id, reason: 'Wrong ball' } }, net.admin);
  await t.finishDraw();
  await t.ok(accountRoutes.user.remove, { params: { id: left._id } }, net.retailer);
  await later(DAY_MS);
  await t.bet(net.user, { 1: 1 });
  await t.bet(net.user, { 9: 2 });
  players = [net.user, left];
});
afterAll(() => t.close());

async function later(ms: number): Promise<void> {
  t.clock.advance(ms);
  for (let times = 0; times < 5; times++) await t.app.tick();
  const { networkId: _, ...accounts } = net;
  for (const account of Object.values(accounts)) Object.assign(account, await t.signIn(account.username));
}

interface Row {
  readonly id: string;
  readonly status: 'open' | 'settled' | 'void';
  readonly won: boolean;
  readonly waits: boolean;
  readonly game: string;
  readonly stake: bigint;
  readonly placed: Date;
}

function ticketsBelow(tx: Tx, id: string): Promise<Row[]> {
  return tx.query<Row & Record<string, never>>(
    `select t.id, case when d.status in ('settled', 'void') then d.status::text else 'open' end as status, w.win is not null as won,
            w.win is not null and s.manual_claims and c.ticket_id is null as waits, g.game_key as game, t.stake, t.placed_at as placed
     from tickets t join accounts a on a.id = t.account_id join draws d on d.network_id = t.network_id and d.id = t.draw_id
     join games g on g.id = d.game_id left join ticket_wins w on w.ticket_id = t.id left join draw_settlements s on s.draw_id = t.draw_id
     left join ticket_claims c on c.ticket_id = t.id
     where t.network_id = $1 and a.chain @> array[$2]::uuid[] order by t.id desc`,
    [net.networkId, id],
  );
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);
type Asked = RouteParsed<typeof playerTickets>['query'];

async function expectOwnLists(tx: Tx, player: SignedIn): Promise<void> {
  const services = { db: tx as unknown as Database, clock: t.clock, timeZone: t.app.services.timeZone };
  const actor = { id: player._id, networkId: net.networkId } as Actor;
  const all = await ticketsBelow(tx, player._id);
  const middle = all[Math.floor(all.length / 2)]?.placed.toISOString();
  const asked: [Asked, (row: Row) => boolean][] = [
    [{}, () => true],
    [{ status: 'open' }, ({ status }) => status === 'open'],
    [{ status: 'void' }, ({ status }) => status === 'void'],
    [{ status: 'won' }, ({ status, won }) => status === 'settled' && won],
    [{ status: 'lost' }, ({ status, won }) => status === 'settled' && !won],
    [{ claims: 'waiting' }, ({ waits }) => waits],
    [{ claims: 'waiting', status: 'lost' }, () => false],
    ...GAMES.map((gameId): [Asked, (row: Row) => boolean] => [{ gameId }, ({ game }) => game === gameId]),
    ...(middle === undefined
      ? []
      : ([
          [{ startDate: middle }, ({ placed }: Row) => placed.toISOString() >= middle],
          [
            { endDate: middle, gameId: GAMES[0] },
            ({ placed, game }: Row) => placed.toISOString() <= middle && game === GAMES[0],
          ],
        ] as [Asked, (row: Row) => boolean][])),
  ];
  for (const [query, keeps] of asked) {
    const expected = idsOf(all.filter(keeps));
    const whole = await listTickets(services, actor, { ...query, pageSize: 500 });
    const label = JSON.stringify(query);
    expect({ label, ids: whole.data.map(({ _id }) => _id), total: whole.total }).toEqual({
      label,
      ids: expected,
      total: expected.length,
    });
    const found: string[] = [];
    for (let before: string | null = null; ;) {
      const page = await listTickets(services, actor, { ...query, pageSize: 3, ...(before !== null && { before }) });
      found.push(...page.data.map(({ _id }) => _id));
      before = page.next;
      if (before === null) break;
    }
    expect(found, `${label} in pages`).toEqual(expected);
    const second = await listTickets(services, actor, { ...query, pageSize: 2, page: 2 });
    expect(
      second.data.map(({ _id }) => _id),
      `${label}, its second page`,
    ).toEqual(expected.slice(2, 4));
  }
}

async function expectBetList(tx: Tx, viewer: SignedIn, of: string, gameKey?: string): Promise<void> {
  const actor = { id: viewer._id, networkId: net.networkId, role: viewer.role } as unknown as Actor;
  const scope = (await findScope(tx, actor, of))!;
  const [game] =
    gameKey === undefined ? [] : await tx.query<{ id: string }>('select id from games where game_key = $1', [gameKey]);
  const wish = { scope, gameId: game?.id, timeZone: t.app.services.timeZone, ...PERIOD };
  const source = {
    from: (cut: Parameters<typeof betsFrom>[2]) => betsFrom(tx, wish, cut),
    authority: mayBeSeen(wish, actor),
    where: isWished(wish),
    key: sql`t.id`,
    select: sql`t.id`,
    toRow: (row: object) => row,
  };
  const wanted = wantedCuts(betList, source, {});
  const expected = idsOf((await ticketsBelow(tx, of)).filter((row) => gameKey === undefined || row.game === gameKey));
  expect(Math.min(await countCut(tx, wanted, 1_000), 1_001)).toBe(expected.length);
  for (const [field, next] of [
    ['before', 'older'],
    ['after', 'newer'],
  ] as const) {
    const found: string[] = [];
    for (let to: string | null = END; to !== null;) {
      const page: Awaited<ReturnType<typeof readKeysetPage>> = await readKeysetPage(tx, wanted, { [field]: to }, 3);
      const ids = idsOf(page.stored as { id: string }[]);
      if (field === 'before') found.push(...ids);
      else found.unshift(...ids);
      to = page[next];
    }
    expect(found, `Bet List of ${scope.username}, ${field}`).toEqual(expected);
  }
}

async function expectSums(tx: Tx, player: SignedIn): Promise<void> {
  const { timeZone } = t.app.services;
  const at = t.clock.now();
  const all = await ticketsBelow(tx, player._id);
  const open = all.filter(({ status }) => status === 'open');
  const staked = open.reduce((sum, { stake }) => sum + stake, 0n);
  const target = { id: player._id, network_id: net.networkId };
  const own = { networkId: net.networkId, accountId: player._id };
  expect((await readUsage(tx, net.networkId, [player._id], { at, timeZone })).get(player._id)!.open).toBe(staked);
  expect(await hasOpenTickets(tx, target)).toBe(open.length > 0);
  expect(await hasPlayed(tx, target)).toBe(true);
  const latest = await lastPlayed(tx, own, { tickets: 2, now: at, timeZone });
  expect([...latest.values()].toSorted((a, b) => b.getTime() - a.getTime())[0]).toEqual(all[0]?.placed);
}

async function expectAll(tx: Tx): Promise<void> {
  for (const player of players) {
    await expectOwnLists(tx, player);
    await expectSums(tx, player);
    await expectBetList(tx, net.retailer, player._id);
    await expectBetList(tx, net.admin, player._id, GAMES[0]);
  }
  for (const gameKey of [undefined, ...GAMES]) await expectBetList(tx, net.retailer, net.retailer._id, gameKey);
}

it('list the tickets before any clearing', async () => {
  await takenBack(t, async (tx) => {
    expect(await ticketsBelow(tx, net.retailer._id)).not.toHaveLength(0);
    await expectAll(tx);
  });
});

it('list the remaining tickets after clearing in any order', async () => {
  const days = [...Object.values(DAYS), '2026-03-14'];
  const span = fc
    .tuple(fc.constantFrom(...days), fc.constantFrom(...days))
    .map((pair) => pair.toSorted() as [string, string]);
  const models = fc.subarray<ClearingModel>([...CLEARING_ORDER], { minLength: 1 });
  const first = fc.constantFrom<ClearingModel[]>(
    ['usertransaction'],
    ['ticket'],
    ['usertransaction', 'commission'],
    ['ticket', 'draw'],
  );
  const choice = fc.tuple(fc.oneof(models, first), span);
  await fc.assert(
    fc.asyncProperty(fc.array(choice, { minLength: 1, maxLength: 3 }), async (choices) => {
      await takenBack(t, async (tx) => {
        for (const [cleared, [startDate, endDate]] of choices) {
          await clearWithin(t, tx, { net, models: cleared, startDate, endDate });
          await expectAll(tx);
        }
      });
    }),
    { numRuns: 60, seed: 26 },
  );
});
