import { Findings, readPages } from '../activity/audit-check.ts';
import type { Check } from '../activity/audit-check.ts';
import type { Queryable } from '../db/database.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { computeTicketTrees } from './ticket-tree.ts';

/** So many draws go into one statement, or as many as have so many tickets. */
const AT_ONCE = { draws: 1_000, tickets: 100_000 };

type SealedDraw = Pick<DrawRow, 'network_id' | 'id' | 'ticket_root' | 'ticket_count'>;

/** Recomputes the ticket tree of every draw that is closed, in bounded memory. */
export async function auditTicketTrees(db: Queryable): Promise<Check> {
  const found = new Findings();
  let rows = 0;
  const pages = readPages<SealedDraw>(db, 'select d.network_id, d.id, d.ticket_root, d.ticket_count from draws d', 'd');
  for await (const page of pages)
    for (const draws of atOnce(page.filter((draw) => draw.ticket_root !== null))) {
      rows += draws.length;
      const trees = await computeTicketTrees(db, draws);
      for (const { network_id, id, ticket_root, ticket_count } of draws) {
        const { root, count } = trees.get(id)!;
        if (count !== ticket_count || !root.equals(ticket_root!))
          found.add(
            `draw ${id} of network ${network_id} was closed with ${ticket_count} tickets, now it has ${count}, or other ones`,
          );
      }
    }
  return { name: "every draw's root is that of its tickets", rows, problems: found.problems };
}

function* atOnce(draws: readonly SealedDraw[]): Generator<SealedDraw[]> {
  let some: SealedDraw[] = [];
  let tickets = 0;
  for (const draw of draws) {
    if (some.length >= AT_ONCE.draws || (some.length > 0 && tickets + (draw.ticket_count ?? 0) > AT_ONCE.tickets)) {
      yield some;
      [some, tickets] = [[], 0];
    }
    some.push(draw);
    tickets += draw.ticket_count ?? 0;
  }
  if (some.length > 0) yield some;
}
