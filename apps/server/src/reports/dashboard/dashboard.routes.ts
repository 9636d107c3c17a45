import { dashboard, type DashboardChild, type PartOfDay } from '@drawhouse/contract/reports/dashboard';
import { pointsOf, type Role } from '@drawhouse/contract/core/primitives';
import { countAccounts, networksOf, wholeNetworksOf } from '../../accounts/accounts.sql.ts';
import type { Actor } from '../../accounts/authority.ts';
import { testNetworksBelow } from '../../accounts/test-network.ts';
import { onlineAccounts } from '../../accounts/read/online-sessions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { handle, type BoundRoute } from '../../platform/http/handler.ts';
import type { Weekday } from '@drawhouse/rules/records/week-balance';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { readOwed } from '../../weeks/read-owed.ts';
import { readReport } from '../../platform/lists/read-report.ts';
import { bucketsOf, dayBefore, type Day } from '../server-day.ts';
import { FIGURES, turnoverByPeriod, turnoverOf, wasDeleted, rootOf } from '../turnover/turnover.sql.ts';
import { periodsBetween } from '../../platform/time/clock.ts';
import {
  inSubtree,
  narrowPredicate,
  inNetworks,
  selectVisible,
  relatedToVisible,
  type Networks,
} from '../../platform/db/visibility-predicate.ts';
import { networkOrColumnSql, singleNetwork, singleNetworkOf } from '../../platform/db/cross-network-sql.ts';

const MOST = 5;
const DAY_MS = 86_400_000;

const EARNED: Partial<Record<Role, Sql>> = {
  superdistributor: FIGURES.supercom,
  distributor: FIGURES.distcom,
  retailer: FIGURES.retailcom,
};

export function dashboardRoutes(services: Services, firstWeekday: Weekday): BoundRoute<Actor>[] {
  return [
    handle(dashboard, ({ query }, call) =>
      readReport(services, call, async (on) => {
        const { actor } = call;
        const at = services.clock.now();
        const zone = query.timeZone ?? services.timeZone;
        const networks = await wholeNetworksOf(on, actor);
        const day = dayBefore(at, 0, zone);
        const days = [day, dayBefore(at, 1, zone), dayBefore(at, 7, zone)] as const;
        const [[today, yesterday, lastWeek], children, playedSince, counts, online, waiting, tests] = await Promise.all(
          [
            readParts(on, actor, days, { zone, timeZone: services.timeZone }),
            readChildren(on, actor, day, services.timeZone),
            firstDayOfPlay(on, actor),
            countAccounts(on, actor),
            countOnline(on, actor, at),
            readWaiting(on, actor, networks),
            actor.role === 'superadmin' ? testNetworksBelow(on, actor) : [],
          ],
        );
        return {
          at: at.toISOString(),
          counts,
          hasPlayed: playedSince !== null,
          hasGiven: playedSince !== null || (await hasGiven(on, actor)),
          steps: networks && isFirstDay(playedSince, at) ? await readSteps(on, actor, networks) : null,
          tests: tests.map(({ id, username, simulated_until }) => ({
            adminId: id,
            username,
            simulatedUntil: simulated_until !== null && simulated_until > at ? simulated_until.toISOString() : null,
          })),
          today,
          yesterday,
          lastWeek,
          online,
          ...children,
          ...waiting,
          week: await readOwed(on, actor, { at, timeZone: services.timeZone, firstWeekday }),
        };
      }),
    ),
  ];
}

type Sums = Readonly<Record<'play' | 'win' | 'net' | 'earned', bigint>>;

/** Sums by hour for each day, so far and after. One statement, because planning outweighs execution. */
async function readParts(
  on: Queryable,
  actor: Actor,
  days: readonly [Day, Day, Day],
  { zone, timeZone }: { zone: string; timeZone: string },
): Promise<[PartOfDay, PartOfDay, PartOfDay]> {
  const hoursOf = days.map(({ from, until }) => periodsBetween(bucketsOf({ from, until }, zone).ends));
  const restOf = days.map(({ until, next }, index) =>
    index === 0 || until >= next ? [] : periodsBetween(bucketsOf({ from: until, until: next }, zone).ends),
  );
  const periods = hoursOf.flatMap((hours, index) => [...hours, ...restOf[index]!]);
  const rows =
    await on.query<Sums>(sql`select ${FIGURES.playPoints} as play, ${FIGURES.winPoints} as win, ${FIGURES.net} as net,
      ${EARNED[actor.role] ?? sql`0::bigint`} as earned
        from (${turnoverByPeriod(rootOf(actor), { periods, timeZone }, actor)}) t order by t.nth`);
  const partOf = (index: 0 | 1 | 2): PartOfDay => {
    const { from, until } = days[index];
    const before = [...hoursOf.slice(0, index), ...restOf.slice(0, index)].flat().length;
    const now = before + hoursOf[index]!.length;
    const hours = rows.slice(before, now);
    const sum = (name: keyof Sums): bigint => hours.reduce((all, hour) => all + hour[name], 0n);
    const whole = { play: sum('play'), win: sum('win'), net: sum('net'), earned: sum('earned') };
    return {
      startDate: from.toISOString(),
      until: until.toISOString(),
      ...inPoints(whole),
      hours: hours.map(inPoints),
      rest: rows.slice(now, now + restOf[index]!.length).map(inPoints),
    };
  };
  return [partOf(0), partOf(1), partOf(2)];
}

function inPoints({ play, win, net, earned }: Sums) {
  return { playPoints: pointsOf(play), winPoints: pointsOf(win), net: pointsOf(net), earned: pointsOf(earned) };
}

interface Listed {
  readonly id: string;
  readonly username: string;
  readonly role: Role;
  readonly deleted: boolean;
  readonly stake: bigint;
  readonly win: bigint;
}

/** Finds most play and largest loss today, and whether anything was ever played. */
async function readChildren(
  on: Queryable,
  actor: Actor,
  { from, next }: Day,
  timeZone: string,
): Promise<{ mostPlay: DashboardChild[]; mostLoss: DashboardChild[] }> {
  const shown = sql`id, username, role, ${wasDeleted(sql`children.id`)} as deleted, stake, win`;
  const rows = await on.query<Listed & { list: string }>(sql`with children as materialized (
          select * from (${turnoverOf({ childrenOf: actor.id }, { from, until: next, timeZone }, actor)}) t where t.stake > 0
        )
        (select 'play' as list, ${shown} from children order by stake desc, lower(username) collate natural_order limit ${MOST})
        union all
        (select 'loss', ${shown} from children where win > stake
          order by stake - win, lower(username) collate natural_order limit ${MOST})`);
  const listed = (list: string): DashboardChild[] =>
    rows
      .filter((row) => row.list === list)
      .map(({ id, username, role, deleted, stake, win }) => ({
        id,
        username,
        role,
        deleted,
        playPoints: pointsOf(stake),
        winPoints: pointsOf(win),
        endPoints: pointsOf(stake - win),
      }));
  return { mostPlay: listed('play'), mostLoss: listed('loss') };
}

/** Start of the first day with a settled bet, in the server's time zone. Null before. */
async function firstDayOfPlay(on: Queryable, actor: Actor): Promise<Date | null> {
  const networks = await networksOf(on, actor);
  const [row] = await on.query<{ since: Date | null }>(sql`select min(first.starts_at) as since
        from unnest(${networks}::int[]) as n (id) cross join lateral (
          select r.starts_at from rollups r where r.network_id = ${networkOrColumnSql(singleNetwork(networks), 'n.id')}
            and r.account_id = ${actor.id} and r.grain = 'day' order by r.starts_at limit 1
        ) as first`);
  return row!.since;
}

/** True before the first settled bet, too. */
function isFirstDay(playedSince: Date | null, now: Date): boolean {
  return playedSince === null || now.getTime() - playedSince.getTime() < DAY_MS;
}

async function hasGiven(on: Queryable, actor: Actor): Promise<boolean> {
  const children = selectVisible({
    select: sql``,
    from: sql`accounts a join wallets w on w.network_id = ${networkOrColumnSql(singleNetworkOf(actor), 'a.network_id')}
      and w.owner_id = a.id and w.kind = ${sql.lit(WALLET_KINDS.credit)}`,
    authority: inSubtree('a', actor),
    where: sql`a.parent_id = ${actor.id} and w.version > 0`,
  });
  const [row] = await on.query<{ given: boolean }>(sql`select exists (${children}) as given`);
  return row!.given;
}

/** Read only until the first settled play, while networks are small. */
async function readSteps(on: Queryable, actor: Actor, networks: Networks) {
  const ofCredit = sql`w.kind = ${sql.lit(WALLET_KINDS.credit)} and w.version > 0`;
  const players = selectVisible({
    select: sql``,
    from: sql`accounts a
      join wallets w on w.network_id = ${networkOrColumnSql(singleNetworkOf(actor), 'a.network_id')} and w.owner_id = a.id`,
    authority: inSubtree('a', actor),
    where: sql`a.role = 'user' and ${ofCredit}`,
  });
  const network = networkOrColumnSql(singleNetwork(networks), 'n.id');
  const rows = await on.query<{
    has_credit: boolean;
    player_has_credit: boolean;
    has_bet: boolean | null;
    game_key: string | null;
    admin_id: string;
    username: string;
  }>(sql`select exists (
            select from wallets w where w.network_id = ${actor.networkId} and w.owner_id = ${actor.id} and ${ofCredit}
          ) as has_credit,
          exists (${players}) as player_has_credit, panel.*
        from (values (1)) as one left join lateral (
          select bet.draw_id is not null as has_bet, g.game_key, a.id as admin_id, a.username
          from unnest(${networks}::int[]) as n (id)
          join network_games ng on ng.network_id = ${network}
          join games g on g.id = ng.game_id join networks of on of.id = n.id join accounts a on a.id = of.admin_id
          left join lateral (
            select t.id, t.draw_id from tickets t join draws d on d.network_id = ${network} and d.id = t.draw_id
            where t.network_id = ${network} and d.game_id = g.id order by t.id desc limit 1
          ) as bet on true
          order by bet.id desc nulls last, ng.assigned_at desc, lower(g.name) limit 1
        ) as panel on true`);
  const { has_credit, player_has_credit, has_bet, game_key, admin_id, username } = rows[0]!;
  return {
    hasCredit: has_credit,
    playerHasCredit: player_has_credit,
    hasBet: has_bet ?? false,
    panel: game_key === null ? null : { gameId: game_key, adminId: admin_id, username },
  };
}

async function countOnline(on: Queryable, actor: Actor, at: Date): Promise<number> {
  const [row] = await on.query<{ count: bigint }>(
    selectVisible({
      select: sql`count(*) as count`,
      from: sql`${onlineAccounts(at)} o cross join lateral (select * from accounts where id = o.account_id offset 0) a`,
      authority: inSubtree('a', actor),
      where: sql`a.role = 'user'`,
    }),
  );
  return Number(row!.count);
}

/** Unpaid commission and unclaimed wins below. Owners of whole networks sum all wallets. */
async function readWaiting(on: Queryable, actor: Actor, networks: Networks | undefined) {
  const kinds = sql.join([sql.lit(WALLET_KINDS.commission), sql.lit(WALLET_KINDS.winnings)]);
  const authority = networks
    ? inNetworks('w', networks)
    : narrowPredicate(
        relatedToVisible({ from: sql`accounts a`, where: sql`a.id = w.owner_id`, authority: inSubtree('a', actor) }),
        sql`w.network_id = ${actor.networkId}`,
      );
  const rows = await on.query<{ kind: number; is_own: boolean; balance: bigint; accounts: bigint }>(
    selectVisible({
      select: sql`w.kind, w.owner_id = ${actor.id} as is_own, sum(w.balance)::bigint as balance, count(*) as accounts`,
      from: sql`wallets w`,
      authority,
      where: sql`w.kind in (${kinds}) and w.balance > 0`,
      by: sql`1, 2`,
    }),
  );
  const of = (kind: number, isOwn = false) => {
    const row = rows.find((each) => each.kind === kind && each.is_own === isOwn);
    return { points: pointsOf(row?.balance ?? 0n), accounts: Number(row?.accounts ?? 0n) };
  };
  return {
    pendingCommission: { ...of(WALLET_KINDS.commission), own: of(WALLET_KINDS.commission, true).points },
    unclaimed: of(WALLET_KINDS.winnings),
  };
}
