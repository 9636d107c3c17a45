import { ticketName } from '@drawhouse/contract/tickets/tickets';
import type { Actor } from '../../accounts/authority.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { readTicketName } from '../ticket-number.ts';
import { overNetworks } from '../../platform/db/over-networks.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/** Returns names of tickets outside the actor's subtree: ids anywhere, numbers within the actor's network. */
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
    sql`select distinct named.name
     from networks n join unnest(${named.map(({ name }) => name)}::text[], ${named.map(({ first }) => first)}::uuid[], ${named.map(({ last }) => last)}::uuid[], ${named.map(({ end }) => end)}::text[]) as named (name, first, last, ending)
       on n.id = ${actor.networkId} or named.first = named.last
     join tickets t on t.network_id = n.id and t.id between named.first and named.last and right(t.id::text, 8) = named.ending
     join accounts a on a.id = t.account_id
     where not a.chain @> array[${actor.id}::uuid] ${sql.raw(overNetworks('named'))}`.named('tickets-foreign'),
  );
  return rows.map((row) => row.name);
}
