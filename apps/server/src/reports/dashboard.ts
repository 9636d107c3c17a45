import { dashboard } from '@drawhouse/contract/dashboard';
import type { DashboardChild, PartOfDay } from '@drawhouse/contract/dashboard';
import { pointsOf } from '@drawhouse/contract/primitives';
import type { Role } from '@drawhouse/contract/primitives';
import { sql } from 'kysely';
import { countAccounts, networksOf } from '../accounts/accounts.sql.ts';
import { below, everBelow } from '../accounts/authority.ts';
import type { Actor } from '../accounts/authority.ts';
import { onlineAccounts } from '../accounts/online.ts';
import type { Queryable } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { run } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { drawsToConfirm } from '../draws/draws-to-confirm.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { WALLET_KINDS } from '../ledger/kinds.ts';
import { readReport } from '../lists/read-report.ts';
import { bucketsOf } from './time-buckets.ts';
import { FIGURES, turnoverBySpan, turnoverOf, wholeOf } from './turnover.sql.ts';

/** So many accounts stand in each of the two lists. */
const MOST = 5;
/** Who operates the games of a network. */
const OPERATORS: readonly Role[] = ['superadmin', 'admin'];

/** What a role's percentage earned it, of what `t` sums. */
const EARNED: Partial<Record<Role, Sql>> = {
  superdistributor: FIGURES.supercom,
  distributor: FIGURES.distcom,
  retailer: FIGURES.retailcom,
};

/** The route of the dashboard: all that it shows, read side by side. */
export function dashboardRoutes(services: Services): BoundRoute<Actor>[] {
  return [
    handle(dashboard, ({ query }, call) =>
      readReport(services, call, async (on) => {
        const { actor } = call;
        const at = services.clock.now();
        const zone = query.timeZone ?? services.timeZone;
        const [days, networks] = await Promise.all([daysOf(on, at, zone), networksOf(on, actor)]);
        const partOf = (day: Day): Promise<PartOfDay> =>
          readPart(on, actor, day, { zone, timeZone: services.timeZone });
        const [today, yesterday, lastWeek, children, counts, online, waiting, toConfirm] = await Promise.all([
          partOf(days.today),
          partOf(days.yesterday),
          partOf(days.lastWeek),
          readChildren(on, actor, days.today, services.timeZone),
          countAccounts(on, actor),
          countOnline(on, actor, at),
          readWaiting(on, actor, networks),
          OPERATORS.includes(actor.role) ? drawsToConfirm(on, networks, at) : [],
        ]);
        return {
          at: at.toISOString(),
          counts,
          hasPlayed: children.hasPlayed,
          today,
          yesterday,
          lastWeek,
          online,
          mostPlay: children.mostPlay,
          mostLoss: children.mostLoss,
          ...waiting,
          toConfirm: toConfirm.map((draw) => ({
            gameId: draw.game_key,
            gameName: draw.game_name,
            adminId: draw.admin_id,
            username: draw.admin_username,
            savedBy: draw.saved_by,
            drawsAt: draw.draws_at.toISOString(),
          })),
        };
      }),
    ),
  ];
}

/** A day of the reader: its beginning, the same time of day as now, and the beginning of the next. */
interface Day {
  readonly from: Date;
  readonly until: Date;
  readonly next: Date;
}

/** Today, yesterday and the same day of last week, by the clocks of a time zone: also where those were put forward or back meanwhile. */
async function daysOf(on: Queryable, at: Date, zone: string): Promise<Record<'today' | 'yesterday' | 'lastWeek', Day>> {
  // What happens in this very millisecond counts.
  const [today, yesterday, lastWeek] = await on.query<Day>(
    `select (date_trunc('day', wall) - back) at time zone $2 as from, (date_trunc('day', wall) - back + interval '1 day') at time zone $2 as next,
            (wall - back) at time zone $2 + interval '1 millisecond' as until
     from (select $1::timestamptz at time zone $2 as wall) as now,
          unnest(array[interval '0', interval '1 day', interval '7 days']) with ordinality as days (back, place) order by place`,
    [at, zone],
    'dashboard-days',
  );
  return { today: today!, yesterday: yesterday!, lastWeek: lastWeek! };
}

type Sums = Readonly<Record<'play' | 'win' | 'net' | 'earned', bigint>>;

async function readPart(
  on: Queryable,
  actor: Actor,
  { from, until }: Day,
  { zone, timeZone }: { zone: string; timeZone: string },
): Promise<PartOfDay> {
  const { ends } = bucketsOf({ from, until }, zone);
  const hours = await run<Sums>(
    on,
    sql`select ${FIGURES.playPoints} as play, ${FIGURES.winPoints} as win, ${FIGURES.net} as net, ${EARNED[actor.role] ?? sql`0::bigint`} as earned
        from (${turnoverBySpan(wholeOf(actor), { ends, timeZone }, everBelow('c', actor.id))}) t order by t.span`,
  );
  const sum = (name: keyof Sums): bigint => hours.reduce((all, hour) => all + hour[name], 0n);
  const whole = { play: sum('play'), win: sum('win'), net: sum('net'), earned: sum('earned') };
  return { startDate: from.toISOString(), until: until.toISOString(), ...inPoints(whole), hours: hours.map(inPoints) };
}

function inPoints({ play, win, net, earned }: Sums) {
  return { playPoints: pointsOf(play), winPoints: pointsOf(win), net: pointsOf(net), earned: pointsOf(earned) };
}

/** The children with the most play and the largest loss of today, and whether there was ever any play. */
async function readChildren(
  on: Queryable,
  actor: Actor,
  { from, next }: Day,
  timeZone: string,
): Promise<{ mostPlay: DashboardChild[]; mostLoss: DashboardChild[]; hasPlayed: boolean }> {
  const rows = await run<{ list: string; id: string; username: string; role: Role; stake: bigint; win: bigint }>(
    on,
    sql`with children as materialized (
          select * from (${turnoverOf({ childrenOf: actor.id }, { from, until: next, timeZone })}) t where ${everBelow('t', actor.id)} and t.stake > 0
        )
        (select 'play' as list, id, username, role, stake, win from children order by stake desc, username limit ${MOST})
        union all
        (select 'loss', id, username, role, stake, win from children where win > stake order by stake - win, username limit ${MOST})`,
  );
  const listed = (list: string): DashboardChild[] =>
    rows
      .filter((row) => row.list === list)
      .map(({ id, username, role, stake, win }) => ({
        id,
        username,
        role,
        playPoints: pointsOf(stake),
        winPoints: pointsOf(win),
        endPoints: pointsOf(stake - win),
      }));
  const mostPlay = listed('play');
  return { mostPlay, mostLoss: listed('loss'), hasPlayed: mostPlay.length > 0 || (await hasPlayed(on, actor)) };
}

async function hasPlayed(on: Queryable, actor: Actor): Promise<boolean> {
  const networks = await networksOf(on, actor);
  const rows = await on.query(
    `select from unnest($1::int[]) as n (id)
     where exists (select from rollups r where r.network_id = n.id and r.account_id = $2 and r.grain = 'day') limit 1`,
    [networks, actor.id],
    'dashboard-played',
  );
  return rows.length > 0;
}

async function countOnline(on: Queryable, actor: Actor, at: Date): Promise<number> {
  const [row] = await run<{ count: bigint }>(
    on,
    sql`select count(*) as count from ${onlineAccounts(at)} o cross join lateral (select * from accounts where id = o.account_id offset 0) a
        where a.role = 'user' and ${below('a', actor.id)}`,
  );
  return Number(row!.count);
}

/** What waits in the wallets below: commission for its pay-out, wins for their players. Whoever has whole networks has all of their wallets. */
async function readWaiting(on: Queryable, actor: Actor, networks: readonly number[]) {
  const kinds = sql.join([sql.lit(WALLET_KINDS.commission), sql.lit(WALLET_KINDS.winnings)]);
  const isBelow = OPERATORS.includes(actor.role)
    ? sql`true`
    : sql`exists (select from accounts a where a.id = w.owner_id and ${below('a', actor.id)})`;
  const rows = await run<{ kind: number; is_own: boolean; balance: bigint; accounts: bigint }>(
    on,
    sql`select w.kind, w.owner_id = ${actor.id} as is_own, sum(w.balance)::bigint as balance, count(*) as accounts from wallets w
        where w.network_id = any(${networks}::int[]) and w.kind in (${kinds}) and w.balance > 0 and ${isBelow} group by 1, 2`,
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
