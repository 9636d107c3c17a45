import type { BetAmongMany, BetReply } from '@drawhouse/contract/tickets/bulk-bets';
import { CallError } from '../../platform/http/http-errors.ts';
import type { BetLanes } from './lanes/bet-lanes.ts';
import { orderOf, type BetOrder, type Bettor } from './bet-order.ts';
import type { PlacedBet } from './judge-bets.ts';
import { tooManyWait } from './lanes/bet-lane.ts';
import { TICKET_TEXTS } from '../tickets-texts.ts';

export function ownOrders(bets: readonly BetAmongMany[], bettor: Bettor): BetOrder[] {
  const named = bets.flatMap(({ player }, index) => (player === undefined ? [] : [`bets.${index}.player`]));
  if (named.length > 0) {
    const fields = named.map((field) => [field, TICKET_TEXTS.onlyYourself]);
    throw new CallError('INVALID_INPUT', { fields: Object.fromEntries(fields) });
  }
  return bets.map((bet) => orderOf(bet, bettor));
}

/** This many tickets in one call cost one extra call from the rate budget. */
const TICKETS_PER_CALL = { session: 10, apiKey: 250 } as const;

export function extraCalls(tickets: number, by: keyof typeof TICKETS_PER_CALL): number {
  return Math.floor(tickets / TICKETS_PER_CALL[by]);
}

export async function answerBets(
  lanes: Pick<BetLanes, 'ask' | 'handOverMs'>,
  asked: readonly (BetOrder | CallError)[],
  aborted?: AbortSignal,
): Promise<BetReply[]> {
  const orders = asked.filter((one): one is BetOrder => !(one instanceof CallError));
  const outcomes = (await placeMany(orders, lanes, aborted)).values();
  return asked.map((one) => replyOf(one instanceof CallError ? one : outcomes.next().value!));
}

function replyOf(outcome: PlacedBet | CallError): BetReply {
  if (!(outcome instanceof CallError)) return { success: true, ...outcome };
  const { retryAfterSeconds: retryAfter } = outcome;
  return { ...outcome.toRefusal(), ...(retryAfter !== undefined && { retryAfter }) };
}

/** Tickets of one player and game, with distinct requests. */
interface InFlight {
  readonly gameKey: string;
  readonly requests: Set<string>;
  count: number;
}

/**
 * Results equal placing the tickets one by one. Tickets on one game keep their order. Another game or a repeated
 * request waits for the player's earlier answers. After `gone`, waiting tickets are dropped; handed-over ones may still
 * be taken.
 */
export function placeMany(
  orders: readonly BetOrder[],
  { ask, handOverMs }: Pick<BetLanes, 'ask' | 'handOverMs'>,
  aborted?: AbortSignal,
): Promise<(PlacedBet | CallError)[]> {
  if (orders.length === 0) return Promise.resolve([]);
  const untilMs = performance.now() + handOverMs;
  const { promise, resolve } = Promise.withResolvers<(PlacedBet | CallError)[]>();
  const outcomes: (PlacedBet | CallError)[] = Array.from({ length: orders.length });
  const inFlight = new Map<string, InFlight>();
  let left = orders.length;
  let waiting: readonly number[] = [...orders.keys()];

  function answered(index: number, outcome: PlacedBet | CallError): void {
    outcomes[index] = outcome;
    const { id } = orders[index]!.actor;
    const own = inFlight.get(id)!;
    if (--own.count === 0) inFlight.delete(id);
    if (--left === 0) resolve(outcomes);
    else if (own.count === 0 && waiting.length > 0) handOver();
  }

  function handOver(): void {
    const batch = waiting;
    // Synchronous refusals (backlog full) must not start another round.
    waiting = [];
    const later: number[] = [];
    const [players, games] = [new Set<string>(), new Set<string>()];
    const refusal = performance.now() > untilMs || aborted?.aborted === true ? tooManyWait() : undefined;
    for (const index of batch) {
      const { actor, gameKey, requestId } = orders[index]!;
      const own = inFlight.get(actor.id);
      // A lane orders repeated requests itself, but later tickets could overtake them.
      const isRepeat = own && (own.gameKey !== gameKey || own.requests.has(requestId));
      if (!refusal && (players.has(actor.id) || games.has(gameKey) || isRepeat)) {
        players.add(actor.id);
        games.add(gameKey);
        later.push(index);
        continue;
      }
      if (own) {
        own.requests.add(requestId);
        own.count++;
      } else inFlight.set(actor.id, { gameKey, requests: new Set([requestId]), count: 1 });
      if (refusal) answered(index, refusal);
      else ask(orders[index]!, (outcome) => answered(index, outcome));
    }
    waiting = later;
  }

  handOver();
  return promise;
}
