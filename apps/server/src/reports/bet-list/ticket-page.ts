import { chainTo, type Actor } from '../../accounts/authority.ts';
import type { TransactionDetails } from '@drawhouse/contract/reports/transactions';
import type { TicketPage } from '@drawhouse/contract/reports/ticket-page';
import { readLogNaming } from '../../activity/log-source.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { selectVisible } from '../../platform/db/visibility-predicate.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { toTransactionDetails, transactionDetailsFor, type DetailsRow } from '../transactions/transaction-page.ts';
import { touchesSubtree, transfersOfAccount } from '../transactions/transactions.sql.ts';
import { readTicketDetails } from './ticket-details.ts';
import { readTicketCorrections } from '../../tickets/read/ticket-corrections.ts';

const DAY_MS = 86_400_000;
/** Ticket and transfers may come from different clock readings. */
const WITHIN_MS = 60_000;

export async function readTicketPage(
  on: Queryable,
  actor: Actor,
  { name, now, timeZone }: { readonly name: string; readonly now: Date; readonly timeZone: string },
): Promise<Omit<TicketPage, 'success'>> {
  const { ticket, data, undoneAt } = await readTicketDetails(on, actor, { name, gameKey: undefined, now, timeZone });
  const { _id: id, userId, drawId } = ticket;
  const chain = (await chainTo(on, actor.id, userId)) ?? [];
  const network = await networkOf(on, userId);
  const moments = undoneAt === null ? await momentsOf(on, network, id) : [];
  const movements = await movementsOf(on, actor, { id, userId, moments });
  const last = Math.max(Date.parse(ticket.drawsAt) + DAY_MS, ...moments.map((moment) => moment.getTime() + DAY_MS));
  return {
    ticket,
    lines: data,
    undoneAt,
    above: chain.slice(1, -1).map(({ id: _id, username, role }) => ({ _id, username, role })),
    movements,
    paid: paidBy(movements),
    corrections: undoneAt === null ? await readTicketCorrections(on, network, { drawId, ticketId: id }) : [],
    log: await readLogNaming(on, actor, {
      ids: [id, drawId],
      from: new Date(Math.min(Date.parse(ticket.timeopen), Date.parse(ticket.placedAt)) - DAY_MS),
      until: new Date(Math.min(last, now.getTime() + DAY_MS)),
    }),
  };
}

async function networkOf(on: Queryable, userId: string): Promise<number> {
  const [player] = await on.query<{ network: number }>(
    sql`select a.network_id as network from accounts a where a.id = ${userId}`,
  );
  return player!.network;
}

/** Times at which the ticket moved credit. */
async function momentsOf(on: Queryable, network: number, id: string): Promise<Date[]> {
  const rows = await on.query<{ at: Date }>(sql`select distinct moment.at from tickets t
    join draws d on d.network_id = ${network} and d.id = t.draw_id
    left join ticket_wins w on w.network_id = ${network} and w.draw_id = t.draw_id and w.ticket_id = t.id
    left join ticket_claims c on c.network_id = ${network} and c.ticket_id = t.id
    cross join lateral (
      select * from (values (t.placed_at), (d.finished_at), (w.paid_at), (c.claimed_at)) as of_ticket (at)
      union all select k.at from ticket_corrections k where k.network_id = ${network} and k.draw_id = t.draw_id and k.ticket_id = t.id
    ) as moment
    where t.network_id = ${network} and t.id = ${id} and moment.at is not null order by moment.at`);
  return rows.map(({ at }) => at);
}

async function movementsOf(
  on: Queryable,
  actor: Actor,
  { id, userId, moments }: { readonly id: string; readonly userId: string; readonly moments: readonly Date[] },
): Promise<TransactionDetails[]> {
  const found = new Map<string, DetailsRow>();
  for (const moment of moments) {
    const period = { from: new Date(moment.getTime() - WITHIN_MS), until: new Date(moment.getTime() + WITHIN_MS) };
    const rows = await on.query<DetailsRow>(
      selectVisible({
        select: transactionDetailsFor(actor),
        from: sql`${await transfersOfAccount(on, actor, userId, period)} t`,
        authority: touchesSubtree(actor),
        where: sql`t.reference = ${id}`,
      }),
    );
    for (const row of rows) found.set(row.id, row);
  }
  return [...found.values()]
    .toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1))
    .map((row) => toTransactionDetails(actor, userId, row));
}

function paidBy(movements: readonly TransactionDetails[]): TicketPage['paid'] {
  const paid = movements.find(({ kind, to }) => kind !== 'stake' && to.wallet === 'credit');
  return paid ? { at: paid.createdAt, by: paid.actor?.name ?? null } : null;
}
