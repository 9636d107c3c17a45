import { dayWords } from '@drawhouse/rules/time/zone-days';
import type { Actor } from '../../accounts/authority.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Sql } from '../../platform/db/sql/sql.ts';
import { networkSql, singleNetwork } from '../../platform/db/cross-network-sql.ts';
import { isWished, mayBeSeen } from './bet-list.sql.ts';
import type { BetFilter } from './bet-filter.ts';

/** FROM clause: tickets undone by restores, with network `n`, draw `d`, player `a`, game `g`. */
export function undoneIn(networks: readonly number[]): Sql {
  const one = singleNetwork(networks);
  return sql`unnest(${networks}::int[]) as n (id) join undone_tickets t on t.network_id = ${networkSql(one, 'n.id')}
    join undone_draws d on d.network_id = ${networkSql(one, 't.network_id')} and d.id = t.draw_id
    join accounts a on a.id = t.account_id join games g on g.id = d.game_id`;
}

/** Sentence counting matching tickets undone by restores. Null if none. */
export async function undoneNote(on: Queryable, wish: BetFilter, actor: Actor): Promise<string | null> {
  const { networks } = wish.scope;
  const [row] = await on.query<{
    tickets: bigint;
    last: Date;
  }>(sql`select count(*) as tickets, max(d.undone_at) as last from ${undoneIn(networks)}
        where ${isWished(wish)} and ${mayBeSeen(wish, actor)}
          and not exists (select from tickets s where s.network_id = ${networkSql(singleNetwork(networks), 't.network_id')} and s.id = t.id)`);
  const { tickets, last } = row!;
  if (tickets === 0n) return null;
  const [were, are] =
    tickets === 1n ? ['1 ticket of this time was', 'is'] : [`${tickets} tickets of this time were`, 'are'];
  return `${were} undone by a restore on ${dayWords(last, wish.timeZone)}, and ${are} not listed. You can look up each by its number.`;
}
