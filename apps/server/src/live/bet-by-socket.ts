import type { BetAnswer, BetsAnswer } from '@drawhouse/contract/live/live';
import type { RouteParsed } from '@drawhouse/contract/frame/route';
import { placeBets } from '@drawhouse/contract/tickets/many-bets';
import { BET_PLACED, placeBet } from '@drawhouse/contract/tickets/tickets';
import type { Session } from '../auth/sessions.ts';
import { CallError } from '../http/http-errors.ts';
import type { Budgets } from '../http/http-limits.ts';
import { requireStorable } from '../http/json-body.ts';
import { validatorOf } from '../http/validate.ts';
import { answerBets, extraCalls, ownOrders } from '../tickets/answer-bets.ts';
import type { BetLanes } from '../tickets/bet-lanes.ts';
import { orderOf } from '../tickets/bet-order.ts';
import type { Bettor } from '../tickets/bet-order.ts';
import { plainBet, plainBets } from '../tickets/read-plain-bets.ts';
import { refuse } from './live-socket.ts';
import type { LiveSocket } from './live-socket.ts';
import type { SentBySocket } from './socket-refusals.ts';

/** What a bet by socket needs. */
export interface BetSupport {
  readonly authenticate: (token: string) => Session | Promise<Session>;
  readonly budgets: Budgets;
  readonly lanes: BetLanes;
  /** How anything that went wrong with what a socket sent is answered. */
  readonly refusalOf: (socket: LiveSocket, sent: SentBySocket, error: unknown) => CallError;
}

type Hear = (body: unknown, answer: unknown) => void;
type Parsed<R> = RouteParsed<R> extends { body: infer Body } ? Body : never;

/** What comes by an event and is answered as the call is that takes the same. */
interface Taking<Body, Reply> {
  readonly event: 'bet' | 'bets';
  readonly validate: ReturnType<typeof validatorOf>;
  readonly take: (body: Body, bettor: Bettor, token: string) => Promise<Reply>;
  /** Of an answer: whether the session has ended. */
  readonly tellsEnd?: (reply: Reply) => boolean;
}

/**
 * Takes the bets of a socket, one by one: with the checks, the budgets and the answers of `POST app/bet`. A socket whose session has ended
 * is told so and closed; a message without an acknowledgement is refused and takes nothing.
 */
export function betBySocket(socket: LiveSocket, support: BetSupport): Hear {
  return hearing<Parsed<typeof placeBet>, BetAnswer>(socket, support, {
    event: 'bet',
    validate: validateBet,
    take: async (body, bettor) => ({
      success: true,
      message: BET_PLACED,
      ...(await support.lanes.place(orderOf(body, bettor))),
    }),
  });
}

/** The same of many tickets in a message, as by `POST app/bets`. */
export function betsBySocket(socket: LiveSocket, support: BetSupport): Hear {
  return hearing<Parsed<typeof placeBets>, BetsAnswer>(socket, support, {
    event: 'bets',
    validate: validateBets,
    take: async ({ bets }, bettor, token) => {
      support.budgets.more(token, extraCalls(bets.length, 'session'));
      return { success: true, answers: await answerBets(support.lanes, ownOrders(bets, bettor)) };
    },
    tellsEnd: (reply) => reply.success && reply.answers.some((each) => !each.success && ENDED.has(each.code)),
  });
}

const validateBet = validatorOf(placeBet, plainBet);
const validateBets = validatorOf(placeBets, plainBets);
/** What tells the player that its session has ended. */
const ENDED: ReadonlySet<string> = new Set(['SESSION_ENDED', 'SESSION_REPLACED']);

function hearing<Body, Reply extends { success: boolean }>(
  socket: LiveSocket,
  { authenticate, budgets, refusalOf }: BetSupport,
  { event, validate, take, tellsEnd }: Taking<Body, Reply>,
): Hear {
  const { token, address } = socket.data;

  async function place(given: unknown): Promise<Reply> {
    budgets.address(address.key);
    budgets.caller(address.key, token, false);
    const found = authenticate(token);
    const { id: sessionId, actor } = found instanceof Promise ? await found : found;
    budgets.sessionFound(token);
    if (actor.role !== 'user') throw new CallError('NOT_ALLOWED');
    const { body } = validate({ params: {}, query: {}, body: given });
    requireStorable(body);
    return take(body as Body, { actor, sessionId, ip: address.ip }, token);
  }

  function end(): void {
    budgets.sessionEnded(token);
    socket.disconnect(true);
  }

  return (body, answer) => {
    if (typeof answer !== 'function') {
      refuse(
        socket,
        new CallError('INVALID_INPUT', { message: 'Ask for an acknowledgement: without it no bet is taken.' }),
      );
      return;
    }
    const say = answer as (reply: unknown) => void;
    void place(body).then(
      (reply) => {
        say(reply);
        if (tellsEnd?.(reply) === true) end();
      },
      (error: unknown) => {
        const refusal = refusalOf(socket, { event, given: body }, error);
        const { retryAfterSeconds: retryAfter } = refusal;
        say({ ...refusal.toBody(), ...(retryAfter !== undefined && { retryAfter }) });
        if (refusal.status === 401) end();
      },
    );
  };
}
