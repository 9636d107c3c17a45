import { ticketName } from '@drawhouse/contract/tickets/tickets';
import type { Actor } from '../accounts/authority.ts';
import type { Queryable } from '../db/database.ts';
import { readTicketName } from './ticket-number.ts';
import { overNetworks } from '../over-networks.ts';

/**
 * Those of some names that are tickets of players who are neither the actor nor below it: by their ids, and by their numbers in the actor's
 * own network.
 */
export async function foreignTickets(
  on: Queryable,
  actor: Pick<Actor, 'id' | 'networkId'>,
  names: readonly string[],
  now: Date,
): Promise<string[]> {
  const named = names
    .filter((name) => ticketName.safeParse(name).success)
    .flatMap((name) => {
      const { from, to, end } = readTicketName(name, now);
      return from.map((first, index) => ({ name, first, last: to[index]!, end }));
    });
  const rows = await on.query<{ name: string }>(
    `select distinct named.name
     from networks n join unnest($3::text[], $4::uuid[], $5::uuid[], $6::text[]) as named (name, first, last, ending)
       on n.id = $2 or named.first = named.last
     join tickets t on t.network_id = n.id and t.id between named.first and named.last and right(t.id::text, 8) = named.ending
     join accounts a on a.id = t.account_id
     where not a.chain @> array[$1::uuid] ${overNetworks('named')}`,
    [
      actor.id,
      actor.networkId,
      named.map(({ name }) => name),
      named.map(({ first }) => first),
      named.map(({ last }) => last),
      named.map(({ end }) => end),
    ],
    'tickets-foreign',
  );
  return rows.map((row) => row.name);
}
