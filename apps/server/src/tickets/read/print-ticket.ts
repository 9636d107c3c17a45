import type { printTicket as printRoute } from '@drawhouse/contract/tickets/tickets';
import type { RouteResult } from '@drawhouse/contract/core/route';
import type { Actor } from '../../accounts/authority.ts';
import { runCommand } from '../../activity/run-command.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import { lockCredits } from '../../ledger/stakes.ts';
import type { Services } from '../../platform/services.ts';
import { readTicketName, ticketNumber } from '../ticket-number.ts';
import { undoneTicketMessage } from '../place/ticket-not-found.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { TICKET_TEXTS, TICKET_SUBJECTS } from '../tickets-texts.ts';

/** The first print is the original, later ones copies. Locks the wallet, so only one device gets the original. */
export async function printTicket(
  services: Services,
  call: Call<Actor>,
  name: string,
): Promise<RouteResult<typeof printRoute>> {
  const { id: accountId, networkId } = call.actor;
  return runCommand(services, call, async (tx) => {
    await lockCredits(tx, networkId, [accountId], 'wait');
    const at = services.clock.now();
    const named = readTicketName(name, at);
    const { from, to, end } = named;
    const [ticket] = await tx.query<{ id: string; prints: number; original_at: Date | null }>(
      sql`select k.id, p.prints, p.original_at from unnest(${from}::uuid[], ${to}::uuid[]) as named (first, last)
       join tickets k on k.network_id = ${networkId} and k.account_id = ${accountId} and k.id between named.first
         and named.last and right(k.id::text, 8) = ${end}
       cross join lateral (
         select count(*)::int as prints, min(printed_at) filter (where nth = 1) as original_at from ticket_prints
         where network_id = ${networkId} and ticket_id = k.id) as p
       order by k.id desc limit 1`,
    );
    if (!ticket) {
      const undone = await undoneTicketMessage(tx, { networkId, accountId, name: named }, services.timeZone);
      throw new CallError('NOT_FOUND', { message: undone ?? TICKET_TEXTS.notYours });
    }
    const { id, prints, original_at: originalAt } = ticket;
    const nth = prints + 1;
    await tx.query(
      sql`insert into ticket_prints (network_id, ticket_id, nth, printed_at) values (${networkId}, ${id}, ${nth}, ${at})`,
    );
    return {
      result: { printedAt: at.toISOString(), originalAt: originalAt?.toISOString() ?? null },
      subject: TICKET_SUBJECTS.printed(nth, ticketNumber(id)),
      detail: { ticketId: id, print: nth },
    };
  });
}
