import type { Ticket } from '@drawhouse/contract/tickets/tickets';
import type { AdvanceRequest } from '@drawhouse/contract/tickets/advance-tickets';
import type { AheadDraw } from '../../draws/schedule/open-ahead.ts';
import { isBeyondEscrow } from '../../ledger/stakes.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { PanelKey, Services } from '../../platform/services.ts';
import { createPlayerCache } from '../../protection/player-cache.ts';
import { TICKET_TEXTS } from '../tickets-texts.ts';
import { requestOf, type BetOrder, type Bettor } from './bet-order.ts';
import type { PlacedBet } from './judge-bets.ts';
import { takeBatch } from './take-batch.ts';

export type OpenAhead = (key: PanelKey, numbers: readonly number[]) => Promise<readonly AheadDraw[]>;

interface Placed {
  readonly tickets: Ticket[];
  readonly walletBalance: number;
}

/**
 * One ticket for each of several draws, all or none, in one transaction. Each draw takes its bet as a separate batch,
 * judged against credit and limits left by the draws before. The first ticket opens a draw ahead.
 */
export async function placeAdvance(
  services: Services,
  openAhead: OpenAhead,
  bettor: Bettor,
  { gameId: gameKey, requestId, draws: numbers, lines }: AdvanceRequest,
): Promise<Placed> {
  const { networkId } = bettor.actor;
  const draws = await openAhead({ networkId, gameKey }, numbers);
  const missing = numbers.findIndex((number) => !draws.some((draw) => draw.number === number));
  if (missing !== -1)
    throw new CallError('BETTING_CLOSED', { fields: { [`draws.${missing}`]: TICKET_TEXTS.notAhead } });
  // Numbered, so the same request for other draws is a conflict.
  const orders = draws.map(({ id, number }, place): AdvanceOrder => {
    const order = { ...bettor, gameKey, drawId: id, requestId: `${requestId} ${place}`, lines };
    return { ...order, place: numbers.indexOf(number) };
  });
  const take = (exact: boolean) => services.db.pipelined((tx) => takeAll(services, tx, orders, exact));
  try {
    return await take(false);
  } catch (error) {
    if (!isBeyondEscrow(error)) throw error;
    return take(true);
  }
}

interface AdvanceOrder extends BetOrder {
  /** Of its draw in the request. */
  readonly place: number;
}

/** Limits are those of one draw. */
function withDraw(refusal: CallError, place: number): CallError {
  const { code, message, fields } = refusal;
  if (code !== 'LIMIT_REACHED') return refusal;
  return new CallError(code, { message, fields: { ...fields, [`draws.${place}`]: message } });
}

async function takeAll(services: Services, tx: Tx, orders: readonly AdvanceOrder[], exact: boolean): Promise<Placed> {
  const { id, networkId } = orders[0]!.actor;
  const placed: PlacedBet[] = [];
  for (const order of orders) {
    const how = { whereLocked: 'wait', known: createPlayerCache(), exact, aheadId: order.drawId! } as const;
    const [outcome] = await takeBatch(services, tx, networkId, [order], how);
    if (outcome instanceof CallError) throw withDraw(outcome, order.place);
    placed.push(outcome as PlacedBet);
  }
  const requests = orders.map(({ requestId }) => requestOf(id, requestId));
  const [made] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from tickets where network_id = ${networkId} and request = any(${requests}::uuid[])
      and written_by = pg_current_xact_id()`,
  );
  // A repetition for more draws than before is another request.
  if (made!.count !== 0 && made!.count !== orders.length) throw new CallError('IDEMPOTENCY_CONFLICT');
  return { tickets: placed.map(({ ticket }) => ticket), walletBalance: placed.at(-1)!.walletBalance };
}
