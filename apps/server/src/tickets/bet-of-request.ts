import type { Ticket } from '@drawhouse/contract/tickets/tickets';
import type { Actor } from '../accounts/authority.ts';
import type { Database, Queryable } from '../db/database.ts';
import { CallError } from '../http/http-errors.ts';
import { lockCredits } from '../ledger/stakes.ts';
import { requestOf } from './request-key.ts';
import { findClearedRequests, findRequests, toTicket } from './tickets.sql.ts';

const WAS_CLEARED = 'A ticket was made of this request, and it has been cleared since.';

/**
 * The ticket that was made of a request of a player. Where there is none, it waits for what is being taken for this player, and looks again: whatever comes
 * later is judged by a later time, where the servers' clocks agree. Throws NOT_PLACED where there is none then, and NOT_FOUND where it was cleared.
 */
export async function readBetOfRequest(
  db: Database,
  player: Pick<Actor, 'id' | 'networkId'>,
  requestId: string,
): Promise<Ticket> {
  const request = requestOf(player.id, requestId);
  const find = async (on: Queryable): Promise<Ticket | undefined> => {
    const row = (await findRequests(on, player.networkId, [request])).get(request);
    return row && toTicket(row);
  };
  const found =
    (await find(db)) ??
    (await db.transaction(async (tx) => {
      await lockCredits(tx, player.networkId, [player.id], 'wait');
      return find(tx);
    }));
  if (found) return found;
  const cleared = await findClearedRequests(db, player.networkId, [request]);
  throw cleared.has(request) ? new CallError('NOT_FOUND', { message: WAS_CLEARED }) : new CallError('NOT_PLACED');
}
