import type { BetAnswer, BetsAnswer } from '@drawhouse/contract/live/live';
import type { RouteParsed } from '@drawhouse/contract/core/route';
import { placeBets } from '@drawhouse/contract/tickets/bulk-bets';
import { placedText, placeBet } from '@drawhouse/contract/tickets/tickets';
import type { Session } from '../../auth/sessions/sessions.ts';
import type { Programs } from '../../platform/http/limits/admit-call.ts';
import type { ApiKeyCaller } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Budgets } from '../../platform/http/limits/http-limits.ts';
import { requireStorable } from '../../platform/http/request/json-body.ts';
import { validatorOf } from '../../platform/http/request/validate.ts';
import { answerBets, extraCalls, ownOrders } from '../../tickets/place/answer-bets.ts';
import type { BetLanes } from '../../tickets/place/lanes/bet-lanes.ts';
import { orderOf, type Bettor } from '../../tickets/place/bet-order.ts';
import type { ProgramOrders } from '../../tickets/place/program-orders.ts';
import { plainBet, plainBets } from '../../tickets/place/read-plain-bets.ts';
import { refuse, type LiveSocket } from './live-socket.ts';
import type { SocketCalls, SentBySocket, SocketRefusal } from './socket-calls.ts';
import { LIVE_TEXTS } from '../live-texts.ts';

interface Support {
  readonly budgets: Budgets;
  readonly lanes: BetLanes;
  readonly newestSeal: () => string | undefined;
  readonly refusalOf: (socket: LiveSocket, sent: SentBySocket, error: unknown) => SocketRefusal;
  readonly calls: Pick<SocketCalls, 'done'>;
}

export interface BetSupport extends Support {
  readonly authenticate: (token: string) => Session | Promise<Session>;
}

export interface ProgramSupport extends Support {
  readonly programs: Pick<Programs, 'authenticateKey'>;
  readonly orders: ProgramOrders;
}

type Respond = (body: unknown, answer: unknown) => void;
type Parsed<R> = RouteParsed<R> extends { body: infer Body } ? Body : never;

interface Taking<Who, Body, Reply> {
  readonly event: 'bet' | 'bets';
  readonly validate: ReturnType<typeof validatorOf>;
  readonly findSender: () => Who | Promise<Who>;
  readonly take: (body: Body, sender: Who) => Promise<Reply>;
  readonly endsSession?: (reply: Reply) => boolean;
}

/**
 * Checks, budgets and answers are those of `POST app/bet`. Reports an ended session and closes the socket. Refuses
 * messages without an acknowledgement.
 */
export function betBySocket(socket: LiveSocket, support: BetSupport): Respond {
  return answering<Bettor, Parsed<typeof placeBet>, BetAnswer>(socket, support, {
    event: 'bet',
    validate: validateBet,
    findSender: playerOf(socket, support),
    take: async (body, bettor) => {
      const placed = await support.lanes.place(orderOf(body, bettor));
      return { success: true, message: placedText(placed.ticket), ...placed, seal: support.newestSeal() };
    },
  });
}

export function betsBySocket(socket: LiveSocket, support: BetSupport): Respond {
  return answering<Bettor, Parsed<typeof placeBets>, BetsAnswer>(socket, support, {
    event: 'bets',
    validate: validateBets,
    findSender: playerOf(socket, support),
    take: async ({ bets }, bettor) => {
      support.budgets.more(socket.data.token, extraCalls(bets.length, 'session'));
      const answers = await answerBets(support.lanes, ownOrders(bets, bettor));
      return { success: true, answers, seal: support.newestSeal() };
    },
    endsSession,
  });
}

/** Only bet batches, as `POST app/bets` with an API key. Judges the key per message and per ticket. */
export function serveProgram(socket: LiveSocket, support: ProgramSupport): void {
  const { token, address } = socket.data;
  const { budgets, lanes, orders, programs, newestSeal } = support;
  const handle = answering<ApiKeyCaller, Parsed<typeof placeBets>, BetsAnswer>(socket, support, {
    event: 'bets',
    validate: validateBets,
    findSender: async () => (await programs.authenticateKey(token, address.ip)).key,
    take: async ({ bets }, key) => {
      budgets.more(token, extraCalls(bets.length, 'apiKey'));
      const answers = await answerBets(lanes, await orders.of(bets, key, address.ip));
      return { success: true, answers, seal: newestSeal() };
    },
    endsSession,
  });
  socket.on('bets', handle);
  socket.onAny(
    (event) => event !== 'bets' && refuse(socket, new CallError('NOT_ALLOWED', { message: LIVE_TEXTS.keysOnlyBet })),
  );
}

const validateBet = validatorOf(placeBet, plainBet);
const validateBets = validatorOf(placeBets, plainBets);
const ENDED: ReadonlySet<string> = new Set(['SESSION_ENDED', 'SESSION_REPLACED', 'API_KEY_ENDED']);

function endsSession(reply: BetsAnswer): boolean {
  return reply.success && reply.answers.some((each) => !each.success && ENDED.has(each.code));
}

function playerOf({ data: { token, address } }: LiveSocket, { authenticate }: BetSupport): () => Promise<Bettor> {
  return async () => {
    const found = authenticate(token);
    const { id: sessionId, actor } = found instanceof Promise ? await found : found;
    if (actor.role !== 'user') throw new CallError('NOT_ALLOWED');
    return { actor, sessionId, ip: address.ip };
  };
}

function answering<Who, Body, Reply extends { success: boolean }>(
  socket: LiveSocket,
  { budgets, refusalOf, calls }: Support,
  { event, validate, findSender, take, endsSession: tells }: Taking<Who, Body, Reply>,
): Respond {
  const { token, address } = socket.data;

  async function place(given: unknown): Promise<Reply> {
    budgets.address(address.key);
    budgets.caller(address.key, token, false);
    const sender = await findSender();
    budgets.sessionFound(token);
    const { body } = validate({ params: {}, query: {}, body: given });
    requireStorable(body);
    return take(body as Body, sender);
  }

  function end(): void {
    budgets.sessionEnded(token);
    socket.disconnect(true);
  }

  return (body, answer) => {
    if (typeof answer !== 'function') {
      refuse(socket, new CallError('INVALID_INPUT', { message: LIVE_TEXTS.noAcknowledgement }));
      return;
    }
    const say = answer as (reply: unknown) => void;
    const sinceMs = performance.now();
    void place(body).then(
      (reply) => {
        say(reply);
        calls.done(event, sinceMs);
        if (tells?.(reply) === true) end();
      },
      (error: unknown) => {
        const refusal = refusalOf(socket, { event, given: body, sinceMs }, error);
        const { retryAfterSeconds: retryAfter } = refusal;
        say({ ...refusal.body, ...(retryAfter !== undefined && { retryAfter }) });
        if (refusal.status === 401) end();
      },
    );
  };
}
