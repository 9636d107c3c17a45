import { drawDigest } from '@drawhouse/rules/fair';
import { MOST_PROBLEMS } from './audit-check.ts';
import type { Queryable } from '../db/database.ts';
import type { DrawBatch } from './audit-draw-batches.ts';
import { READ_LINES } from '../tickets/ticket-lines.ts';
import { computeTicketTrees } from '../tickets/ticket-tree.ts';

/** Gives a sentence for each bet of a draw of the batch on which another stake is shown than its tickets lay. */
export async function problemsOfExposures(db: Queryable, { networkId, draws, ids }: DrawBatch): Promise<string[]> {
  const rows = await db.query<{ draw_id: string; key: string; shown: bigint; due: string }>(
    `with laid as (
       select t.draw_id, l.key, sum(l.qty) as qty from tickets t cross join lateral ${READ_LINES}
       where t.network_id = $1 and t.draw_id = any($2::uuid[]) group by t.draw_id, l.key
     ), shown as (
       select draw_id, bet_key as key, stake from exposures where network_id = $1 and draw_id = any($2::uuid[])
     )
     select d.id as draw_id, key, coalesce(s.stake, 0) as shown, coalesce(l.qty * d.price, 0) as due
     from laid l full join shown s using (draw_id, key) join unnest($2::uuid[], $3::bigint[]) as d (id, price) on d.id = draw_id
     where s.stake is distinct from l.qty * d.price and d.price is not null
     order by d.id, key limit ${MOST_PROBLEMS + 1}`,
    [networkId, ids, draws.map((draw) => draw.unit_price)],
  );
  return rows.map(
    ({ draw_id, key, shown, due }) =>
      `draw ${draw_id} of network ${networkId} shows ${shown} hundredths on ${key}, its tickets come to ${due}`,
  );
}

/** Gives a sentence for each closed draw of the batch whose tickets are not those with which it was closed. */
export async function problemsOfRoots(db: Queryable, batch: DrawBatch): Promise<string[]> {
  const { networkId, draws } = batch;
  const rooted = draws.filter((draw) => draw.ticket_root !== null);
  const trees = rooted.length > 0 ? await computeTicketTrees(db, rooted) : new Map<string, never>();
  const digests = await digestsOf(
    db,
    networkId,
    draws.filter((draw) => draw.ticket_digest !== null),
  );
  return draws.flatMap(({ id, ticket_root, ticket_digest, ticket_count }) => {
    const sealed = ticket_root ?? ticket_digest;
    if (sealed === null) return [];
    const { count, root } = (ticket_root ? trees : digests).get(id) ?? { count: 0, root: DIGEST_OF_NONE };
    if (count === ticket_count && root.equals(sealed)) return [];
    return [
      `draw ${id} of network ${networkId} was closed with ${ticket_count} tickets, now it has ${count}, or other ones`,
    ];
  });
}

const DIGEST_OF_NONE = Buffer.from(drawDigest([]), 'hex');

/** The digests of draws with tickets, as they were published before there were trees. */
async function digestsOf(
  db: Queryable,
  networkId: number,
  draws: readonly { id: string }[],
): Promise<Map<string, { count: number; root: Buffer }>> {
  if (draws.length === 0) return new Map();
  const rows = await db.query<{ draw_id: string; count: number; root: Buffer }>(
    `select draw_id, count(*)::int as count, sha256(string_agg(digest, '' order by id)) as root from tickets
     where network_id = $1 and draw_id = any($2::uuid[]) group by draw_id`,
    [networkId, draws.map(({ id }) => id)],
  );
  return new Map(rows.map(({ draw_id, ...rest }) => [draw_id, rest]));
}
