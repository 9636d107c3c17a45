import { checkWith, loggedId } from '../audit-check.ts';
import type { Check } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';

/** Prints must belong to tickets, be numbered without gaps, and cover the log's. */
export async function auditPrints(db: Queryable): Promise<Check[]> {
  return [
    await checkWith(db)(
      'every print is of a ticket, and each after the first is a copy',
      'ticket_prints',
      `numbered as (
         select p.*, t.placed_at, row_number() over (partition by p.network_id, p.ticket_id order by p.nth) as place
         from ticket_prints p left join tickets t on t.network_id = p.network_id and t.id = p.ticket_id
       ), logged as (
         select network_id, seq, ${loggedId('ticketId')} as ticket_id, (detail ->> 'print')::int as nth from audited.standing_activity where detail ? 'print'
       ), wrong as (
         select format('print %s of ticket %s of network %s is of no ticket, or out of its order', nth, ticket_id, network_id) as problem
         from numbered where placed_at is null or nth <> place
         union all
         select format('print %s of ticket %s of network %s, of which row %s of the log tells, is gone', l.nth, l.ticket_id, l.network_id, l.seq)
         from logged l join tickets t on t.network_id = l.network_id and t.id = l.ticket_id
         left join ticket_prints p on p.network_id = l.network_id and p.ticket_id = l.ticket_id and p.nth = l.nth where p.nth is null
       )`,
    ),
  ];
}
