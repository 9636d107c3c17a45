import type { BetAmongMany, BetReply } from '@drawhouse/contract/tickets/many-bets';
import { CallError } from '../http/http-errors.ts';
import type { BetLanes } from './bet-lanes.ts';
import { orderOf } from './bet-order.ts';
import type { BetOrder, Bettor } from './bet-order.ts';
import type { TakenBet } from './judge-bets.ts';
import { placeMany } from './place-many.ts';

/** The orders of tickets that a player asks for. Throws INVALID_INPUT where one names a player. */
export function ownOrders(bets: readonly BetAmongMany[], bettor: Bettor): BetOrder[] {
  const named = bets.flatMap(({ player }, index) => (player === undefined ? [] : [`bets.${index}.player`]));
  if (named.length > 0) {
    const fields = named.map((field) => [field, 'Leave it out: without an API key all tickets are your own']);
    throw new CallError('INVALID_INPUT', { fields: Object.fromEntries(fields) });
  }
  return bets.map((bet) => orderOf(bet, bettor));
}

/** Places tickets and gives what each came to, in their order. */
export async function answerBets(
  lanes: Pick<BetLanes, 'ask'>,
  orders: readonly BetOrder[],
  gone?: AbortSignal,
): Promise<BetReply[]> {
  return (await placeMany(orders, lanes.ask, gone)).map(replyOf);
}

function replyOf(outcome: TakenBet | CallError): BetReply {
  if (!(outcome instanceof CallError)) return { success: true, ...outcome };
  const { retryAfterSeconds: retryAfter } = outcome;
  return { ...outcome.toBody(), ...(retryAfter !== undefined && { retryAfter }) };
}
