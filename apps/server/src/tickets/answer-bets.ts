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

/** So many tickets of one call take as much from the budget of its session, or of its API key, as a call more. */
const TICKETS_OF_A_CALL = { session: 10, apiKey: 250 } as const;

/** How many calls more tickets count as. */
export function extraCalls(tickets: number, by: keyof typeof TICKETS_OF_A_CALL): number {
  return Math.floor(tickets / TICKETS_OF_A_CALL[by]);
}

/** Places tickets and gives what each came to, in their order; what is no order has its answer already. */
export async function answerBets(
  lanes: Pick<BetLanes, 'ask' | 'handOverMs'>,
  asked: readonly (BetOrder | CallError)[],
  gone?: AbortSignal,
): Promise<BetReply[]> {
  const orders = asked.filter((one): one is BetOrder => !(one instanceof CallError));
  const outcomes = (await placeMany(orders, lanes, gone)).values();
  return asked.map((one) => replyOf(one instanceof CallError ? one : outcomes.next().value!));
}

function replyOf(outcome: TakenBet | CallError): BetReply {
  if (!(outcome instanceof CallError)) return { success: true, ...outcome };
  const { retryAfterSeconds: retryAfter } = outcome;
  return { ...outcome.toRefusal(), ...(retryAfter !== undefined && { retryAfter }) };
}
