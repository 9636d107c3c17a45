import type { Tx } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import type { TicketHooks } from '../draws/draw-machine.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { post } from '../ledger/post.ts';
import { settleTickets } from './settle-tickets.ts';
import { computeTicketTrees } from './ticket-tree.ts';
import { stakesOf } from './tickets.sql.ts';

/** What the tickets do when the state of their draw changes. */
export function ticketHooks(services: Services): TicketHooks {
  return {
    sealTickets: async (tx, draw) => (await computeTicketTrees(tx, [draw])).get(draw.id)!,
    settleTickets: (tx, draw) => settleTickets(tx, services, draw),
    refundTickets: (tx, draw) => refundTickets(tx, services, draw),
    stakesOf,
  };
}

/** Gives every stake of a voided draw back, each as a movement of its own that names its ticket. */
async function refundTickets(tx: Tx, services: Services, draw: DrawRow): Promise<void> {
  const tickets = await tx.query<{ id: string; account_id: string; stake: bigint }>(
    'select id, account_id, stake from tickets where network_id = $1 and draw_id = $2 order by id',
    [draw.network_id, draw.id],
  );
  if (tickets.length === 0) return;
  await post(
    tx,
    draw.network_id,
    services,
    tickets.map(({ id, account_id, stake }) => ({
      from: `escrow:${draw.game_id}`,
      to: `credit:${account_id}`,
      amount: stake,
      kind: 'refund',
      actorId: null,
      reference: id,
    })),
  );
}
