import { rootAbove } from '@drawhouse/rules/fair/tree/merkle';
import { MOST_PROBLEMS } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { DrawChunk } from './audit-draw-chunks.ts';
import { sql, LEAVES, LEVEL_ABOVE } from '../../platform/db/sql/sql.ts';
import { READ_LINES } from '../audited-rows.ts';

export async function problemsOfExposures(db: Queryable, { networkId, draws, ids }: DrawChunk): Promise<string[]> {
  const rows = await db.query<{ draw_id: string; key: string; shown: bigint; due: string }>(
    sql`with laid as (
       select t.draw_id, l.key, sum(l.qty) as qty from tickets t cross join lateral ${READ_LINES}
       where t.network_id = ${networkId} and t.draw_id = any(${ids}::uuid[]) group by t.draw_id, l.key
     ), shown as (
       select draw_id, bet_key as key, stake from exposures where network_id = ${networkId} and draw_id = any(${ids}::uuid[])
     )
     select d.id as draw_id, key, coalesce(s.stake, 0) as shown, coalesce(l.qty * d.price, 0) as due
     from laid l full join shown s using (draw_id, key)
       join unnest(${ids}::uuid[], ${draws.map((draw) => draw.unit_price)}::bigint[]) as d (id, price) on d.id = draw_id
     where s.stake is distinct from l.qty * d.price and d.price is not null
     order by d.id, key limit ${sql.lit(MOST_PROBLEMS + 1)}`,
  );
  return rows.map(
    ({ draw_id, key, shown, due }) =>
      `draw ${draw_id} of network ${networkId} shows ${shown} hundredths on ${key}, but its tickets come to ${due}`,
  );
}

export async function problemsOfRoots(db: Queryable, chunk: DrawChunk): Promise<string[]> {
  const { networkId, draws } = chunk;
  const rooted = draws.filter((draw) => draw.ticket_root !== null && !draw.tickets_cleared);
  const trees = rooted.length > 0 ? await rootsOf(db, networkId, rooted) : new Map<string, never>();
  return rooted.flatMap(({ id, ticket_root, ticket_count }) => {
    const { count, root } = trees.get(id) ?? { count: 0, root: ROOT_OF_NONE };
    if (count === ticket_count && root.equals(ticket_root!)) return [];
    return [
      `draw ${id} of network ${networkId} was closed with ${ticket_count} tickets, but now has ${count}, or different ones`,
    ];
  });
}

/** A power of two. */
const PART_LEAVES = 1024;

/** Covers draws with tickets. See docs/fairness.md. */
export async function rootsOf(
  db: Queryable,
  networkId: number,
  draws: readonly { id: string }[],
  table: 'tickets' | 'undone_tickets' = 'tickets',
): Promise<Map<string, { count: number; root: Buffer }>> {
  const rows = await db.query<{ draw_id: string; count: number; nodes: Buffer[] }>(
    sql`with recursive placed as (
       select draw_id, digest, row_number() over (partition by draw_id order by id) - 1 as index
       from ${sql.raw(table)} where network_id = ${networkId} and draw_id = any(${draws.map(({ id }) => id)}::uuid[])
     ), levels (draw_id, part, count, width, hashes) as (
       select draw_id, index / ${sql.lit(PART_LEAVES)}, count(*)::int, count(*)::int, ${sql.raw(LEAVES)} from placed
         group by draw_id, index / ${sql.lit(PART_LEAVES)}
       union all
       select draw_id, part, count, (width + 1) / 2, ${sql.raw(LEVEL_ABOVE)} from levels where width > 1
     )
     select draw_id, sum(count)::int as count, array_agg(hashes order by part) as nodes from levels where width = 1 group by draw_id`,
  );
  return new Map(rows.map(({ draw_id, count, nodes }) => [draw_id, { count, root: Buffer.from(rootAbove(nodes)) }]));
}

export const ROOT_OF_NONE = Buffer.from(rootAbove([]));
