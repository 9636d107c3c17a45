import { sql } from 'kysely';
import { arrayOf } from '../db/array-of.ts';
import type { Tx } from '../db/database.ts';
import type { Services } from '../services.ts';
import type { TicketHooks } from '../draws/draw-machine.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import { lockForPayOut, payOut } from '../ledger/pay-out.ts';
import type { PayOut } from '../ledger/pay-out.ts';
import { coverResult, coverWallets, returnCover } from './cover.ts';
import { beginSettling, PIECE_SIZES, settlePiece } from './settle-in-pieces.ts';
import type { PieceSizes } from './settle-in-pieces.ts';
import { settleWhole, unlessOutOfRange } from './settle-tickets.ts';
import { readTicketTrees } from './ticket-tree.ts';
import { stakesOf } from './tickets.sql.ts';

/** What the tickets do when the state of their draw changes. */
export function ticketHooks(services: Services, given: Partial<PieceSizes> = {}): TicketHooks {
  const sizes = { ...PIECE_SIZES, ...given };
  return {
    sealTickets: async (tx, draw) => (await readTicketTrees(tx, draw.network_id, [draw.id])).get(draw.id)!,
    async settleTickets(tx, draw) {
      const inPieces = draw.ticket_count !== null && draw.ticket_count > sizes.wholeUpTo;
      const came = await unlessOutOfRange(tx, async () => {
        if (!inPieces) return settleWhole(tx, services, draw);
        await beginSettling(tx, services, draw);
        return 'in pieces';
      });
      if (came instanceof Date) tellPaid(services, tx, draw);
      return came;
    },
    async settlePiece(tx, draw) {
      const at = await settlePiece(tx, services, draw, sizes);
      tellPaid(services, tx, draw);
      return at;
    },
    coverResult: (tx, draw, declared) => coverResult(tx, services, draw, declared),
    refundTickets: (tx, draw) => refundTickets(tx, services, draw),
    stakesOf,
    countTickets,
  };
}

async function countTickets(
  tx: Tx,
  networkId: number,
  draws: Parameters<TicketHooks['countTickets']>[2],
  upTo: number,
): ReturnType<TicketHooks['countTickets']> {
  const rows = await tx.query<{ id: string; count: bigint }>(
    `select * from (
       select draw.id, (select count(*) from (
           select from tickets t where t.network_id = $1 and t.draw_id = draw.id limit $3) as counted) as count
       from unnest($2::uuid[]) as draw (id)) as counts
     where count > 0`,
    [networkId, arrayOf(draws.map((draw) => draw.id)), upTo],
    'tickets-count',
  );
  return new Map(rows.map((row) => [row.id, Number(row.count)]));
}

/** Gives every stake of a voided draw back, each as a movement of its own that names its ticket, and its cover to the admin. */
async function refundTickets(
  tx: Tx,
  services: Pick<Services, 'clock' | 'newId' | 'events'>,
  draw: DrawRow,
): Promise<void> {
  const refunds: PayOut = {
    from: `escrow:${draw.game_id}`,
    ...(draw.cover !== null && { alsoLocks: coverWallets(draw) }),
    postings: sql`select ${WALLET_KINDS.credit}::smallint as wallet_kind, account_id as owner_id, stake as amount,
        ${TRANSFER_KINDS.refund}::smallint as kind, id as reference, 1 as step, id as order_key
      from tickets where network_id = ${draw.network_id}::int and draw_id = ${draw.id}::uuid`,
  };
  if ((await lockForPayOut(tx, draw.network_id, refunds)) === 0n) return;
  const at = services.clock.now();
  await payOut(tx, draw.network_id, at, refunds);
  await returnCover(tx, services, draw, at);
  tellPaid(services, tx, draw);
}

/** Tells, once this is committed, that the players of a draw have been paid. */
function tellPaid(
  { events }: Pick<Services, 'events'>,
  tx: Tx,
  { network_id: networkId, game_key: gameKey, id: drawId, ticket_count: tickets }: DrawRow,
): void {
  if (tickets !== 0) tx.onCommit(() => events.emit('drawPaid', { networkId, gameKey, drawId }));
}
