import { dayWords } from '@drawhouse/rules/zone-days';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { TicketName } from '../ticket-number.ts';

// Tickets undone by a restore, as before it. They count for nothing.

export const UNDONE_TICKET = `t.id, t.draw_id, g.game_key, g.family, g.digits, d.status as draw_status, t.lines, t.stake, t.digest, t.placed_at,
  t.win, t.claimed_at, d.undone_at`;
export const UNDONE_FROM = `undone_tickets t join undone_draws d on d.network_id = t.network_id and d.id = t.draw_id join games g on g.id = d.game_id`;
interface AskedTicket {
  readonly networkId: number;
  readonly accountId: string;
  readonly name: TicketName;
}

export async function undoneWords(
  on: Queryable,
  { networkId, accountId, name: { from, to, end } }: AskedTicket,
  timeZone: string,
): Promise<string | undefined> {
  const [found] = await on.query<{ undone_at: Date }>(
    sql`select d.undone_at from unnest(${from}::uuid[], ${to}::uuid[]) as named (first, last)
     join undone_tickets k on k.network_id = ${networkId} and k.account_id = ${accountId} and k.id between named.first and named.last and right(k.id::text, 8) = ${end}
     join undone_draws d on d.network_id = ${networkId} and d.id = k.draw_id limit 1`,
  );
  return found && `This ticket was undone by a restore on ${dayWords(found.undone_at, timeZone)}.`;
}
