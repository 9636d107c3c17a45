import { asOwner } from './stand.ts';
import type { Stand } from './stand.ts';

/** How many draws were paid in pieces, and how many of some kills came between the first step of one and its last. */
export async function countAmid(stand: Stand, kills: readonly Date[]): Promise<{ draws: number; kills: number }> {
  const [row] = await asOwner(stand, (on) =>
    on.query<{ draws: number; kills: number }>(
      // A step that a kill has undone is taken later, at its own time: what began before a kill had been committed by then.
      `with paid as (select b.began_at, s.settled_at from draw_settlings b
         join draw_settlements s on s.network_id = b.network_id and s.draw_id = b.draw_id)
       select (select count(*) from paid)::int as draws,
              (select count(*) from unnest($1::timestamptz[]) as kill (at)
               where exists (select from paid where began_at <= kill.at and settled_at > kill.at))::int as kills`,
      [kills.map((at) => at.toISOString())],
    ),
  );
  return row!;
}
