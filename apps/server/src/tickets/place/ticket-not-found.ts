import type { Actor } from '../../accounts/authority.ts';
import { dayWords } from '@drawhouse/rules/time/zone-days';
import type { Queryable } from '../../platform/db/database.ts';
import { timeOfId } from '../../platform/db/sql/uuids.ts';
import { everyClearing } from '../../draws/states/missing-draws.ts';
import type { TicketName } from '../ticket-number.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { networkOrColumnSql, singleNetworkOf } from '../../platform/db/cross-network-sql.ts';
import { inSubtreeEver } from '../../platform/db/visibility-predicate.ts';
import { TICKET_TEXTS } from '../tickets-texts.ts';

/** Says if tickets of that time were cleared from the actor's network. */
export async function ticketNotFoundMessage(
  on: Queryable,
  actor: Pick<Actor, 'id' | 'networkId'>,
  { from }: TicketName,
  { sentence, timeZone }: { readonly sentence: string; readonly timeZone: string },
): Promise<string> {
  const one = singleNetworkOf(actor);
  const ofBelow = sql`networks n join accounts a on a.id = n.admin_id and ${inSubtreeEver('a', actor)} cross join`;
  const [row] = await on.query<{
    first: Date;
    last: Date;
    on: Date;
  }>(sql`select c.starts_at as first, c.ends_at - interval '1 millisecond' as last, c.started_at as on
        from ${one === undefined ? ofBelow : sql``} ${everyClearing(one)} c
        where c.network_id = ${networkOrColumnSql(one, 'n.id')} and c.model = 'ticket' and c.removed > 0
          and exists (select from unnest(${from.map((first) => timeOfId(first))}::timestamptz[]) as laid (at)
                      where at >= c.starts_at - interval '62 days' and at < c.ends_at)
        order by c.started_at desc limit 1`);
  if (!row) return sentence;
  const dayText = (at: Date): string => dayWords(at, timeZone);
  return TICKET_TEXTS.cleared(sentence, dayText(row.first), dayText(row.last), dayText(row.on));
}

// Tickets undone by a restore, as before it. They count for nothing.

export const UNDONE_TICKET = `t.id, t.draw_id, g.game_key, g.family, g.digits, d.status as draw_status, t.lines, t.stake,
  t.digest, t.placed_at,
  t.win, t.claimed_at, d.undone_at`;
export const UNDONE_FROM = `undone_tickets t join undone_draws d on d.network_id = t.network_id and d.id = t.draw_id
  join games g on g.id = d.game_id`;
interface AskedTicket {
  readonly networkId: number;
  readonly accountId: string;
  readonly name: TicketName;
}

export async function undoneTicketMessage(
  on: Queryable,
  { networkId, accountId, name: { from, to, end } }: AskedTicket,
  timeZone: string,
): Promise<string | undefined> {
  const [found] = await on.query<{ undone_at: Date }>(
    sql`select d.undone_at from unnest(${from}::uuid[], ${to}::uuid[]) as named (first, last)
     join undone_tickets k on k.network_id = ${networkId} and k.account_id = ${accountId} and k.id between named.first
       and named.last and right(k.id::text, 8) = ${end}
     join undone_draws d on d.network_id = ${networkId} and d.id = k.draw_id limit 1`,
  );
  return found && TICKET_TEXTS.undone(dayWords(found.undone_at, timeZone));
}
