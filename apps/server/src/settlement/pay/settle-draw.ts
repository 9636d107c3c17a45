import { sql } from '../../platform/db/sql/sql.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import type { DrawRow } from '../../draws/draws.sql.ts';
import { storeSettled, storeSettling } from '../../draws/states/update-draw.ts';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { lockForPayOut, payOut, type PayOut } from '../../ledger/pay-out.ts';
import { coverWallets, returnCover } from './cover.ts';
import { beginSettling, settlePiece, type PieceSizes } from './settle-in-pieces.ts';
import { settleWhole } from './settle-tickets.ts';

/** SQLSTATE: numeric value out of range. */
const OUT_OF_RANGE = '22003';

export interface SettleMeans {
  readonly services: Services;
  readonly pieceSizes: PieceSizes;
}

/**
 * Only starts the settlement of a large draw, which continues in pieces. Publishes the seed. Returns false without
 * changes if a sum overflows.
 */
export async function settleDraw(
  { services, pieceSizes }: SettleMeans,
  tx: Tx,
  draw: DrawRow,
  seed: Buffer,
): Promise<boolean> {
  const inPieces = draw.ticket_count !== null && draw.ticket_count > pieceSizes.wholeUpTo;
  await tx.query(sql`savepoint settlement`);
  let at: Date | null = null;
  try {
    if (inPieces) await beginSettling(tx, services, draw);
    else at = await settleWhole(tx, services, draw);
  } catch (error) {
    if ((error as { code?: string }).code !== OUT_OF_RANGE) throw error;
    await tx.query(sql`rollback to savepoint settlement`);
    return false;
  }
  if (at) notifyPaid(services, tx, draw);
  await storeSettling(services, tx, draw, seed, at);
  return true;
}

export async function continueSettlement({ services, pieceSizes }: SettleMeans, tx: Tx, draw: DrawRow): Promise<void> {
  const at = await settlePiece(tx, services, draw, pieceSizes);
  notifyPaid(services, tx, draw);
  if (at) await storeSettled(services, tx, draw, at);
}

/** One transfer per ticket. Also returns the cover. */
export async function refundTickets(
  services: Pick<Services, 'clock' | 'newId' | 'events'>,
  tx: Tx,
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
  await payOut(tx, draw.network_id, { at, newId: services.newId }, refunds);
  await returnCover(tx, services, draw, at);
  notifyPaid(services, tx, draw);
}

export function notifyPaid(
  { events }: Pick<Services, 'events'>,
  tx: Tx,
  { network_id: networkId, game_key: gameKey, id: drawId, ticket_count: tickets }: DrawRow,
): void {
  if (tickets !== 0) tx.onCommit(() => events.emit('drawPaid', { networkId, gameKey, drawId }));
}
