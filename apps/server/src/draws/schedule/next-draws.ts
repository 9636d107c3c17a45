import type { Queryable } from '../../platform/db/database.ts';
import { allPairs, cadenceOf, type PairRow } from '../../games/games.sql.ts';
import { lastOpened } from '../draws.sql.ts';
import { nextToOpen, slotAfter } from '@drawhouse/rules/time/schedule';
import { singleNetwork, crossNetworkComment, networkOrColumnSql } from '../../platform/db/cross-network-sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/**
 * Same order as the pairs; undefined if none is scheduled. Without a running draw: the current slot, unless too late to
 * bet.
 */
export async function nextDraws(
  on: Queryable,
  pairs: readonly PairRow[],
  now: Date,
): Promise<({ number: number; opensAt: Date } | undefined)[]> {
  const one = singleNetwork([...new Set(pairs.map((pair) => pair.network_id))]);
  const network = networkOrColumnSql(one, 'pair.network_id');
  const opened = await on.query<{ ends_at: Date | null }>(
    sql`select (select d.draws_at from draws d where d.network_id = ${network} and d.game_id = pair.game_id
             order by d.opens_at desc limit 1) as ends_at
     from unnest(${pairs.map((pair) => pair.network_id)}::int[], ${pairs.map((pair) => pair.game_id)}::uuid[])
       with ordinality as pair (network_id, game_id, nth) order by nth`.named(
      one === undefined ? 'draws-next' : 'draws-next-in-one',
    ),
  );
  return pairs.map((pair, index) => nextToOpen(now, cadenceOf(pair), opened[index]!.ends_at));
}

export async function drawEnds(
  on: Queryable,
  gameIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Date>> {
  const rows = await on.query<{ game_id: string; ends_at: Date }>(
    sql`select game.id as game_id, max(d.draws_at) as ends_at
     from unnest(${gameIds}::uuid[]) as game (id) cross join networks n
     join draws d on d.network_id = n.id and d.id = ${lastOpened(sql`n.id`, sql`game.id`, now)}
     where d.draws_at > ${now} group by game.id ${sql.raw(crossNetworkComment('catalogue'))}`,
  );
  return new Map(rows.map((row) => [row.game_id, row.ends_at]));
}

/** Opening of the newest draw, a lower bound on the current time. */
export async function latestOpening(on: Queryable): Promise<Date | undefined> {
  const [row] = await on.query<{ at: Date | null }>(
    sql`${allPairs()} select max(last.at) as at from pair cross join lateral (
       select coalesce(d.bets_from, d.opens_at) as at from draws d where d.network_id = pair.network_id and d.game_id = pair.game_id
       order by d.opens_at desc limit 1) last ${sql.raw(crossNetworkComment('schedule'))}`,
  );
  return row?.at ?? undefined;
}

export async function ticketsAgainst(on: Queryable, pair: PairRow, now: Date): Promise<Date[]> {
  const rows = await on.query<{ draws_at: Date }>(
    sql`select d.draws_at from draws d where d.network_id = ${pair.network_id} and d.game_id = ${pair.game_id}
       and d.bets_from is not null and d.opens_at > ${now} and d.status = 'open'
       and exists (select from tickets t where t.network_id = ${pair.network_id} and t.draw_id = d.id) order by d.draws_at`,
  );
  const cadence = cadenceOf(pair);
  const stays = (at: Date): boolean =>
    slotAfter(new Date(at.getTime() - 1), cadence)?.drawsAt.getTime() === at.getTime();
  return rows.map(({ draws_at: at }) => at).filter((at) => !stays(at));
}
