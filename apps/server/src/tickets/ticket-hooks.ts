import { drawDigest } from '@drawhouse/rules/fair';
import type { Tx } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import type { TicketHooks } from '../draws/draw-machine.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { post } from '../ledger/post.ts';
import { walletId } from '../ledger/wallets.ts';
import { settleTickets } from './settle-tickets.ts';
import { stakesOf } from './tickets.sql.ts';

/** What the tickets do when the state of their draw changes. */
export function ticketHooks({ newId, timeZone }: Services): TicketHooks {
  return {
    sealTickets,
    settleTickets: (tx, draw, at) => settleTickets(tx, { at, newId, timeZone }, draw),
    refundTickets: (tx, draw, at) => refundTickets(tx, { at, newId }, draw),
    stakesOf,
  };
}

/** The digest of a draw's tickets in id order, as the rules define it, computed where the tickets are. */
async function sealTickets(tx: Tx, draw: DrawRow): Promise<{ digest: Buffer; count: number }> {
  const [row] = await tx.query<{ digest: Buffer | null; count: bigint }>(
    `select sha256(string_agg(digest, '' order by id)) as digest, count(*) as count from tickets where network_id = $1 and draw_id = $2`,
    [draw.network_id, draw.id],
    'tickets-seal',
  );
  return { digest: row!.digest ?? Buffer.from(drawDigest([]), 'hex'), count: Number(row!.count) };
}

/** Gives every stake of a voided draw back, each as a movement of its own that names its ticket. */
async function refundTickets(tx: Tx, stamp: { at: Date; newId: Services['newId'] }, draw: DrawRow): Promise<void> {
  const tickets = await tx.query<{ id: string; account_id: string; stake: bigint }>(
    'select id, account_id, stake from tickets where network_id = $1 and draw_id = $2 order by id',
    [draw.network_id, draw.id],
  );
  if (tickets.length === 0) return;
  const escrow = walletId({ ownerId: draw.network_id, kind: 'escrow', gameId: draw.game });
  await post(
    tx,
    draw.network_id,
    stamp,
    tickets.map(({ id, account_id, stake }) => ({
      debit: escrow,
      credit: walletId({ ownerId: account_id, kind: 'credit' }),
      amount: stake,
      kind: 'refund',
      actorId: null,
      reference: id,
    })),
  );
}
