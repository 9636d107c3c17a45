import { createHash } from 'node:crypto';
import { MOST_PROBLEMS } from '../activity/audit-check.ts';
import type { Queryable } from '../db/database.ts';
import type { DrawBatch } from './audit-draw-batches.ts';
import { READ_LINES } from './ticket-lines.ts';

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

/** Digests that PostgreSQL gives as one value, and values that it gives at once: 16 MiB of digests are in memory. */
const CHUNK = { digests: 8_192, atOnce: 64 };

/** Gives a sentence for each closed draw of the batch whose tickets are not those with which it was closed. */
export async function problemsOfRoots(db: Queryable, { networkId, draws, ids }: DrawBatch): Promise<string[]> {
  const found = new Map(draws.map(({ id }) => [id, { count: 0, hash: createHash('sha256') }]));
  for await (const { draw_id, digests } of readDigests(db, networkId, ids)) {
    const draw = found.get(draw_id)!;
    draw.hash.update(digests);
    draw.count += digests.length / 32;
  }
  return draws.flatMap(({ id, ticket_digest, ticket_count }) => {
    const { count, hash } = found.get(id)!;
    if (ticket_digest === null || (count === ticket_count && hash.digest().equals(ticket_digest))) return [];
    return [
      `draw ${id} of network ${networkId} was closed with ${ticket_count} tickets, now it has ${count}, or other ones`,
    ];
  });
}

interface Digests {
  draw_id: string;
  /** One after the other, in the order of the tickets' ids. */
  digests: Buffer;
}

/** Reads the digests of the draws' tickets in their order, however many a draw has. */
async function* readDigests(db: Queryable, networkId: number, ids: readonly string[]): AsyncGenerator<Digests> {
  await db.query(
    `declare digests no scroll cursor for
     select draw_id, string_agg(digest, '' order by id) as digests
     from (select draw_id, id, digest, (row_number() over (partition by draw_id order by id) - 1) / ${CHUNK.digests} as chunk
           from tickets where network_id = $1 and draw_id = any($2::uuid[])) as numbered
     group by draw_id, chunk order by draw_id, chunk`,
    [networkId, ids],
  );
  for (let chunks: Digests[]; (chunks = await db.query<Digests>(`fetch ${CHUNK.atOnce} from digests`)).length > 0;)
    yield* chunks;
  await db.query('close digests');
}
