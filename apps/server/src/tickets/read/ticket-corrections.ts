import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { TicketCorrection } from '@drawhouse/contract/tickets/tickets';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';

interface CorrectionRow {
  readonly at: Date;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
  readonly win: bigint;
  readonly moved: bigint;
  readonly paid: bigint;
}

export async function readTicketCorrections(
  on: Queryable,
  networkId: number,
  { drawId, ticketId }: { readonly drawId: string; readonly ticketId: string },
): Promise<TicketCorrection[]> {
  const rows = await on.query<CorrectionRow>(
    sql`select t.at, c.before_label as before, c.after_label as after, c.reason, t.win, t.moved, t.paid
      from ticket_corrections t join corrections c on c.network_id = ${networkId} and c.draw_id = t.draw_id and c.nth = t.nth
      where t.network_id = ${networkId} and t.draw_id = ${drawId} and t.ticket_id = ${ticketId} order by t.nth`.named(
      'ticket-corrections',
    ),
  );
  return rows.map(({ at, win, moved, paid, ...texts }) => ({
    ...texts,
    at: at.toISOString(),
    win: pointsOf(win),
    moved: pointsOf(moved),
    paid: pointsOf(paid),
  }));
}
