import { percentOf, pointsOf } from '@drawhouse/contract/core/primitives';
import { returnsReport, STANDING_FILTER, type ReturnsRow } from '@drawhouse/contract/reports/returns';
import { returnBand, sideOfBand } from '@drawhouse/rules/games/moments';
import type { Actor } from '../../accounts/authority.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { ReportServices } from '../../platform/lists/read-report.ts';
import { naturalOrder, sql } from '../../platform/db/sql/sql.ts';
import { oddsFor } from '../../games/pairs/game-pays.ts';
import { rulesOf, type GameRow } from '../../games/games.sql.ts';
import { pairId } from '../../games/pairs/pairs.ts';
import type { BoundRoute } from '../../platform/http/handler.ts';
import { serveList } from '../../platform/lists/serve-list.ts';
import type { ListRequest } from '../../platform/lists/list-source.ts';
import { periodBetween, type Period } from '../../platform/time/clock.ts';
import { inSubtreeEver, selectVisible, type Viewer } from '../../platform/db/visibility-predicate.ts';
import { networkOrColumnSql, singleNetworkOf } from '../../platform/db/cross-network-sql.ts';

export function returnsRoutes(services: ReportServices): BoundRoute<Actor>[] {
  return serveList(
    services,
    returnsReport,
    async ({ actor, query, on, timeZone }: ListRequest<typeof returnsReport, Actor>) => {
      const authority = inSubtreeEver('a', actor);
      const pairs = await readPairs(on, actor, periodBetween(query));
      return {
        // Bands depend on game rules, so pairs are judged in code before SQL sorts them.
        from: sql`jsonb_to_recordset(${JSON.stringify(pairs.map(toStored))}::jsonb) as t (${COLUMNS})
                  join accounts a on a.id = t.admin_id`,
        authority,
        key: sql`t.id`,
        select: sql`t.*`,
        toRow,
        reading: 'atOnce',
        order: {
          gameName: naturalOrder(sql`t.name`),
          username: naturalOrder(sql`t.username`),
          theoretical: sql`t.theoretical`,
          winpercentage: { by: sql`t.win_percentage`, nullable: true },
          expected: { by: sql`t.expected`, nullable: true },
          actual: { by: sql`t.actual`, nullable: true },
          low: { by: sql`t.low`, nullable: true },
          high: { by: sql`t.high`, nullable: true },
          draws: sql`t.draws`,
          playPoints: sql`t.stake`,
          winPoints: sql`t.win`,
        },
        totals: { playPoints: sql`t.stake`, winPoints: sql`t.win` },
        filters: {
          period: null,
          standing: (wanted) => sql`t.standing = any(${standingsOf(wanted)})`,
        },
        search: (pattern) => sql`(t.name ilike ${pattern} or t.username ilike ${pattern})`,
        extra: () => ({
          role: actor.role,
          timeZone,
          outside: pairs.filter((pair) => STANDING_FILTER[bandOf(pair).standing] === 'outside').length,
        }),
        of: () => ({ 'Days of the time zone': timeZone }),
      };
    },
  );
}

interface Pair extends Pick<GameRow, 'game_id' | 'game_key' | 'name' | 'family' | 'digits' | 'pays'> {
  admin_id: string;
  username: string;
  win_percentage: number | null;
  draws: bigint;
  stake: bigint;
  win: bigint;
  /** pg returns numeric as text. */
  expected_win: string;
  variance: string;
}

export async function gamesOutsideBand(on: Queryable, admin: Viewer, period: Period): Promise<string[]> {
  const pairs = await readPairs(on, admin, period);
  return pairs.filter((pair) => STANDING_FILTER[bandOf(pair).standing] === 'outside').map((pair) => pair.name);
}

/** Games that visible admins `a` have, or had draws of in the period. */
function readPairs(on: Queryable, viewer: Viewer, { from, until }: Period): Promise<Pair[]> {
  const network = networkOrColumnSql(singleNetworkOf(viewer), 'mine.network_id');
  const mine = selectVisible({
    select: sql`n.id as network_id, a.id as admin_id, a.username, a.deleted_at`,
    from: sql`networks n join accounts a on a.id = n.admin_id`,
    authority: inSubtreeEver('a', viewer),
  });
  return on.query<Pair>(sql`with mine as (
          ${mine}
        ), offered as (
          select ng.network_id, ng.game_id, ng.win_percentage from mine join network_games ng on ng.network_id = ${network}
          join games g on g.id = ng.game_id where mine.deleted_at is null and g.deleted_at is null
        ), drawn as (
          select r.network_id, r.game_id, sum(r.draws)::bigint as draws, sum(r.stake)::bigint as stake, sum(r.win)::bigint as win,
                 sum(r.expected_win) as expected_win, sum(r.variance) as variance
          from mine join return_sums r on r.network_id = ${network}
          where r.starts_at >= ${from} and r.starts_at < ${until} group by 1, 2
        )
        select mine.admin_id, mine.username, g.id as game_id, g.game_key, g.name, g.family, g.digits, g.pays, win_percentage,
               coalesce(draws, 0) as draws, coalesce(stake, 0) as stake, coalesce(win, 0) as win,
               coalesce(expected_win, 0) as expected_win, coalesce(variance, 0) as variance
        from offered full join drawn using (network_id, game_id) join mine using (network_id) join games g on g.id = game_id`);
}

function bandOf({
  stake,
  win,
  expected_win,
  variance,
}: Pair): Pick<ReturnsRow, 'expected' | 'actual' | 'low' | 'high' | 'standing'> {
  const band = returnBand({ stake, win, expected: BigInt(expected_win), variance: BigInt(variance) });
  if (!band) return { expected: null, actual: null, low: null, high: null, standing: 'none' };
  return { ...band, standing: sideOfBand(band) };
}

const COLUMNS =
  sql.raw(`id uuid, admin_id uuid, username text, game_key text, name text, theoretical float8, win_percentage int,
  expected float8, actual float8, low float8, high float8, standing text, draws bigint, stake bigint, win bigint`);

interface Stored extends Pick<
  ReturnsRow,
  'id' | 'username' | 'theoretical' | 'expected' | 'actual' | 'low' | 'high' | 'standing'
> {
  admin_id: string;
  game_key: string;
  name: string;
  win_percentage: number | null;
  draws: bigint;
  stake: bigint;
  win: bigint;
}

function toStored(pair: Pair): object {
  const { admin_id, username, game_key, name, win_percentage, draws, stake, win } = pair;
  const { baseReturn } = oddsFor(rulesOf(pair), win_percentage === null ? null : percentOf(win_percentage));
  return {
    id: pairId(pair),
    admin_id,
    username,
    game_key,
    name,
    win_percentage,
    theoretical: baseReturn,
    ...bandOf(pair),
    draws: String(draws),
    stake: String(stake),
    win: String(win),
  };
}

function toRow({ admin_id, game_key, name, win_percentage, draws, stake, win, ...same }: Stored): ReturnsRow {
  return {
    ...same,
    adminId: admin_id,
    gameId: game_key,
    gameName: name,
    winpercentage: win_percentage === null ? null : percentOf(win_percentage),
    draws: Number(draws),
    playPoints: pointsOf(stake),
    winPoints: pointsOf(win),
  };
}

function standingsOf(wanted: string): string[] {
  return Object.entries(STANDING_FILTER).flatMap(([standing, filter]) => (filter === wanted ? [standing] : []));
}
