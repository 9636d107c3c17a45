import type { Actor } from '../accounts/authority.ts';
import { dayOf } from '../clock.ts';
import type { Queryable } from '../db/database.ts';
import { timeOfId } from '../db/uuid7.ts';
import type { TicketName } from './ticket-number.ts';

/**
 * What is said where there is no ticket of a name: the sentence, and that tickets of its time were cleared, where some of a network of the
 * actor's were.
 */
export async function noTicket(
  on: Queryable,
  { id, networkId }: Pick<Actor, 'id' | 'networkId'>,
  { from }: TicketName,
  { sentence, timeZone }: { readonly sentence: string; readonly timeZone: string },
): Promise<string> {
  const [row] = await on.query<{ first: Date; last: Date; on: Date }>(
    `select c.starts_at as first, c.ends_at - interval '1 millisecond' as last, c.started_at as on
     from networks n left join accounts a on a.id = n.admin_id join clearings c on c.network_id = n.id
     where (n.id = $1 or a.chain @> array[$2]::uuid[]) and c.model = 'ticket' and c.removed > 0
       and exists (select from unnest($3::timestamptz[]) as laid (at) where at >= c.starts_at - interval '2 days' and at < c.ends_at)
     order by c.started_at desc limit 1`,
    [networkId, id, from.map((first) => timeOfId(first))],
  );
  if (!row) return sentence;
  const [first, last, at] = [row.first, row.last, row.on].map((time) => dayOf(time, timeZone));
  return `${sentence} Tickets from ${first} to ${last} were cleared on ${at}.`;
}
