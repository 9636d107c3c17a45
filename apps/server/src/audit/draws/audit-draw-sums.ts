import { rootAbove } from '@drawhouse/rules/fair/tree/merkle';
import type { GameRules } from '@drawhouse/rules/games/game-rules';
import { MOST_PROBLEMS, readPages } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { LEAVES, LEVEL_ABOVE, sql } from '../../platform/db/sql/sql.ts';
import {
  type AuditedDrawRow,
  type AuditedGame,
  auditedRules,
  READ_LINES,
  SETTLED_RESULT,
  TICKET_ROOT,
} from '../audited-rows.ts';

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

export interface RootedDraw {
  readonly id: string;
  readonly ticket_root: Buffer | null;
  readonly ticket_count: number | null;
  readonly tickets_cleared: boolean;
}

export async function problemsOfRoots(
  db: Queryable,
  networkId: number,
  draws: readonly RootedDraw[],
  table: 'tickets' | 'undone_tickets' = 'tickets',
): Promise<string[]> {
  const rooted = draws.filter((draw) => draw.ticket_root !== null && !draw.tickets_cleared);
  const trees = rooted.length > 0 ? await rootsOf(db, networkId, rooted, table) : new Map<string, never>();
  const what = table === 'tickets' ? 'draw' : 'undone draw';
  return rooted.flatMap(({ id, ticket_root, ticket_count }) => {
    const { count, root } = trees.get(id) ?? { count: 0, root: ROOT_OF_NONE };
    if (count === ticket_count && root.equals(ticket_root!)) return [];
    return [
      `${what} ${id} of network ${networkId} was closed with ${ticket_count} tickets, but now has ${count}, or different ones`,
    ];
  });
}

/** A power of two. */
const PART_LEAVES = 1024;

/** Covers draws with tickets. See docs/fairness.md. */
async function rootsOf(
  db: Queryable,
  networkId: number,
  draws: readonly { id: string }[],
  table: 'tickets' | 'undone_tickets',
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

const ROOT_OF_NONE = Buffer.from(rootAbove([]));

/** A single draw is always read completely. */
const AT_ONCE = { draws: 1_000, tickets: 200_000 };

interface ChunkRow extends AuditedGame, RootedDraw, Omit<AuditedDrawRow, 'draws_at' | 'weights'> {
  readonly unit_price: bigint | null;
  readonly closes_at: Date;
  /** Null before the first payment. */
  readonly paid_up_to: string | null;
}

export interface AuditedDraw extends ChunkRow {
  /** Null if invalid, which another check reports. */
  readonly rules: GameRules | null;
  /** In hundredths per winning key, including the booster. Null until payment starts. */
  readonly pays_by_key: Readonly<Record<string, number>> | null;
}

export interface DrawChunk {
  readonly networkId: number;
  readonly draws: readonly AuditedDraw[];
  readonly ids: readonly string[];
}

/** Bounds tickets per chunk. Time order keeps them adjacent on disk. */
export async function* readDrawChunks(db: Queryable): AsyncGenerator<DrawChunk> {
  const pages = readPages<ChunkRow>(
    db,
    sql`select d.network_id, d.id, d.game_id, g.game_key, g.family, g.digits, terms.pays, terms.unit_price, d.status as draw_status,
      ${SETTLED_RESULT} as result, d.booster,
            coalesce(d.bets_from, d.opens_at) as opens_at, least(d.closes_at, d.closed_at) as closes_at,
              ${TICKET_ROOT} as ticket_root, d.ticket_count, d.tickets_cleared,
            case d.status when 'settled' then 'ffffffff-ffff-ffff-ffff-ffffffffffff'
              when 'settling' then (select account_id from player_settlements p
                where p.network_id = d.network_id and p.draw_id = d.id order by account_id desc limit 1)
            end as paid_up_to
     from draws d left join draw_terms terms on terms.id = d.terms_id left join games g on g.id = d.game_id`,
  );
  for await (const page of pages)
    for (const [networkId, rows] of Map.groupBy(page, (row) => row.network_id)) {
      const counts = await countTickets(db, networkId, rows);
      let draws: AuditedDraw[] = [];
      let tickets = 0;
      for (const row of rows) {
        const count = counts.get(row.id) ?? 0;
        if (draws.length > 0 && (draws.length >= AT_ONCE.draws || tickets + count > AT_ONCE.tickets)) {
          yield chunkOf(networkId, draws);
          [draws, tickets] = [[], 0];
        }
        draws.push(toAudited(row));
        tickets += count;
      }
      yield chunkOf(networkId, draws);
    }
}

const chunkOf = (networkId: number, draws: readonly AuditedDraw[]): DrawChunk => ({
  networkId,
  draws,
  ids: draws.map(({ id }) => id),
});

async function countTickets(db: Queryable, networkId: number, rows: readonly ChunkRow[]): Promise<Map<string, number>> {
  const counts = await db.query<{ draw_id: string; count: bigint }>(
    sql`select draw_id, count(*) from tickets
      where network_id = ${networkId} and draw_id = any(${rows.map((row) => row.id)}::uuid[]) group by draw_id`,
  );
  return new Map(counts.map(({ draw_id, count }) => [draw_id, Number(count)]));
}

function toAudited(row: ChunkRow): AuditedDraw {
  const rules = row.unit_price === null ? null : auditedRules(row);
  const { draw_status, result, booster } = row;
  // Settled draws have a result, by another check.
  const isDrawn =
    (draw_status === 'settled' || draw_status === 'settling') &&
    booster !== null &&
    rules !== null &&
    rules.isResult(result);
  const pays = isDrawn ? rules.winningBets(result).map((bet) => [bet.key, bet.payHundredths * booster] as const) : null;
  return { ...row, rules, pays_by_key: pays && Object.fromEntries(pays) };
}
