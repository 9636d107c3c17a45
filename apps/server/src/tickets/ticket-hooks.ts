import type { Tx } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import type { TicketHooks } from '../draws/draw-machine.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { post } from '../ledger/post.ts';
import { settleTickets } from './settle-tickets.ts';
import { computeTicketTrees, ROOT_OF_NONE } from './ticket-tree.ts';
import { stakesOf } from './tickets.sql.ts';

/** What the tickets do when the state of their draw changes. */
export function ticketHooks(services: Services): TicketHooks {
  return {
    sealTickets: async (tx, draw) => (await computeTicketTrees(tx, [draw])).get(draw.id)!,
    settleTickets: (tx, draw) => settleTickets(tx, services, draw),
    refundTickets: (tx, draw) => refundTickets(tx, services, draw),
    stakesOf,
    countTickets,
    rootOfNone: ROOT_OF_NONE,
  };
}

async function countTickets(
  tx: Tx,
  draws: Parameters<TicketHooks['countTickets']>[1],
  upTo: number,
): ReturnType<TicketHooks['countTickets']> {
  const rows = await tx.query<{ id: string; count: bigint }>(
    `select * from (
       select draw.id, (select count(*) from (
           select from tickets t where t.network_id = draw.network_id and t.draw_id = draw.id limit $3) as counted) as count
       from unnest($1::int[], $2::uuid[]) as draw (network_id, id)) as counts
     where count > 0`,
    [draws.map((draw) => draw.network_id), draws.map((draw) => draw.id), upTo],
    'tickets-count',
  );
  return new Map(rows.map((row) => [row.id, Number(row.count)]));
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
