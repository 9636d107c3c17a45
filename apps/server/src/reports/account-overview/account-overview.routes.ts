import { accountOverview } from '@drawhouse/contract/reports/account-overview';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import { sumsOf } from '@drawhouse/rules/records/settlement-sums';
import { clearedNote } from '../../activity/log-source.ts';
import { notInSubtree, chainTo, type Actor, type ChainLink } from '../../accounts/authority.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { handle, type BoundRoute, type Call } from '../../platform/http/handler.ts';
import { sumByOther } from '../../ledger/movement-kinds.ts';
import { requireWallet, historyIn } from '../../ledger/movements.ts';
import { readReport } from '../../platform/lists/read-report.ts';
import { FIGURES, turnoverOf, wasDeleted, type ZonedPeriod } from '../turnover/turnover.sql.ts';
import { periodBetween, type Period } from '../../platform/time/clock.ts';
import { inSubtreeEver, selectVisible } from '../../platform/db/visibility-predicate.ts';
import { networkOrColumnSql, singleNetworkOf } from '../../platform/db/cross-network-sql.ts';

const MOST = 5;

interface Played {
  playPoints: bigint;
  winPoints: bigint;
  endPoints: bigint;
  net: bigint;
}

interface Below extends ChainLink {
  readonly deleted: boolean;
}

export function accountOverviewRoutes(services: Services): BoundRoute<Actor>[] {
  return [
    handle(accountOverview, ({ query }, call: Call<Actor>) =>
      readReport(services, call, async (on) => {
        const { actor } = call;
        const account = (await chainTo(on, actor.id, query.id))?.at(-1);
        if (!account) throw notInSubtree('id');
        const games = await lifetimeOf(on, actor, account);
        const period = periodBetween(query);
        return {
          lifetime: sumOf(games),
          games: games
            .slice(0, MOST)
            .map((game) => ({ gameId: game.gameId, gameName: game.gameName, ...inPoints(game) })),
          byPlay:
            account.role === 'user'
              ? []
              : (await childrenByPlay(on, actor, account, { ...period, timeZone: services.timeZone })).map(
                  ({ id, username, role, deleted, ...sums }) => ({
                    id,
                    username,
                    role,
                    deleted,
                    ...inPoints(sums),
                  }),
                ),
          byCredit: account.role === 'user' ? [] : await byCredit(on, actor, account, period),
          cleared: await clearedNote(on, {
            networkIds: [await networkOf(on, account)],
            models: ['refertransaction'],
            ...period,
            timeZone: services.timeZone,
          }),
        };
      }),
    ),
  ];
}

const FIGURE_SUMS = sql.join(
  (['playPoints', 'winPoints', 'endPoints', 'net'] as const).map((name) => sql`${FIGURES[name]} as ${sql.ref(name)}`),
);

/** Sums by game, most play first. For a superadmin, all admins together. */
function lifetimeOf(
  on: Queryable,
  actor: Actor,
  { id, role }: ChainLink,
): Promise<(Played & { gameId: string; gameName: string })[]> {
  const byGame = selectVisible({
    select: sql`r.game_id, ${sql.raw(sumsOf('r'))}`,
    from: sql`accounts a join rollups r on r.network_id = ${networkOrColumnSql(singleNetworkOf(actor), 'a.network_id')}
      and r.account_id = a.id and r.grain = 'day'`,
    authority: inSubtreeEver('a', actor),
    where: role === 'superadmin' ? sql`a.parent_id = ${id}` : sql`a.id = ${id}`,
    by: sql`r.game_id`,
  });
  return on.query(sql`select g.game_key as "gameId", g.name as "gameName", ${FIGURE_SUMS}
        from (${byGame}) t join games g on g.id = t.game_id order by t.stake desc, lower(g.name) collate natural_order`);
}

function childrenByPlay(
  on: Queryable,
  actor: Actor,
  { id }: ChainLink,
  period: ZonedPeriod,
): Promise<(Played & Below)[]> {
  const turnover = turnoverOf({ childrenOf: id }, period, actor);
  return on.query(sql`select t.id, t.username, t.role, ${wasDeleted(sql`t.id`)} as deleted, ${FIGURE_SUMS} from (${turnover}) t
        where t.stake > 0 order by t.stake desc, lower(t.username) collate natural_order limit ${MOST}`);
}

/** Counts the account's own wallet, so across a network border the account is the admin. */
async function byCredit(
  on: Queryable,
  actor: Actor,
  account: ChainLink,
  period: Period,
): Promise<(Below & { given: number; takenBack: number })[]> {
  const wallet = await requireWallet(on, await networkOf(on, account), `credit:${account.id}`);
  const moved = await sumByOther(on, wallet, await historyIn(on, wallet, period), ['give', 'takeBack']);
  const others = selectVisible({
    select: sql`a.id, a.username, a.role, a.deleted_at is not null as deleted, m.given, m."takenBack"`,
    from: sql`unnest(${moved.map(({ owner: id }) => id)}::uuid[], ${moved.map(({ outOf }) => outOf)}::bigint[],
                ${moved.map(({ into }) => into)}::bigint[]) as m (id, given, "takenBack") join accounts a on a.id = m.id`,
    authority: inSubtreeEver('a', actor),
    where: sql`a.id <> ${account.id} and a.chain @> array[${account.id}]::uuid[]`,
  });
  const rows = await on.query<Below & { given: bigint; takenBack: bigint }>(
    sql`${others} order by m.given + m."takenBack" desc, lower(a.username) collate natural_order limit ${MOST}`,
  );
  return rows.map(({ given, takenBack, ...rest }) => ({
    ...rest,
    given: pointsOf(given),
    takenBack: pointsOf(takenBack),
  }));
}

async function networkOf(on: Queryable, { id }: ChainLink): Promise<number> {
  const [owner] = await on.query<{ networkId: number }>(
    sql`select network_id as "networkId" from accounts where id = ${id}`,
  );
  return owner!.networkId;
}

function inPoints({ playPoints, winPoints, endPoints }: Played) {
  return { playPoints: pointsOf(playPoints), winPoints: pointsOf(winPoints), endPoints: pointsOf(endPoints) };
}

function sumOf(games: readonly Played[]) {
  const all = games.reduce(
    (sum, game) => ({
      playPoints: sum.playPoints + game.playPoints,
      winPoints: sum.winPoints + game.winPoints,
      endPoints: sum.endPoints + game.endPoints,
      net: sum.net + game.net,
    }),
    { playPoints: 0n, winPoints: 0n, endPoints: 0n, net: 0n },
  );
  return { ...inPoints(all), commission: pointsOf(all.endPoints - all.net), net: pointsOf(all.net) };
}
