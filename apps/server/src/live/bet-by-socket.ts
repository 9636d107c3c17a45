import type { BetAnswer } from '@drawhouse/contract/live/live';
import type { RouteParsed } from '@drawhouse/contract/frame/route';
import { BET_PLACED, placeBet } from '@drawhouse/contract/tickets/tickets';
import type { Session } from '../auth/sessions.ts';
import { CallError } from '../http/http-errors.ts';
import type { Budgets } from '../http/http-limits.ts';
import { requireStorable } from '../http/json-body.ts';
import { validatorOf } from '../http/validate.ts';
import type { BetLanes } from '../tickets/bet-lanes.ts';
import { refuse } from './live-socket.ts';
import type { LiveSocket } from './live-socket.ts';
import type { SentBySocket } from './socket-refusals.ts';
import { orderOf } from '../tickets/bet-order.ts';

/** What a bet by socket needs. */
export interface BetSupport {
  readonly authenticate: (token: string) => Session | Promise<Session>;
  readonly budgets: Budgets;
  readonly lanes: BetLanes;
  /** How anything that went wrong with what a socket sent is answered. */
  readonly refusalOf: (socket: LiveSocket, sent: SentBySocket, error: unknown) => CallError;
}

const validate = validatorOf(placeBet);

/**
 * Takes the bets of a socket: with the checks, the budgets and the answers of `POST app/bet`. A socket whose session has ended is
 * told so and closed; a message without an acknowledgement is refused and takes nothing.
 */
export function betBySocket(
  socket: LiveSocket,
  { authenticate, budgets, lanes, refusalOf }: BetSupport,
): (body: unknown, answer: unknown) => void {
  const { token, address } = socket.data;

  async function place(given: unknown): Promise<BetAnswer> {
    budgets.address(address.key);
    budgets.caller(address.key, token, false);
    const found = authenticate(token);
    const { id: sessionId, actor } = found instanceof Promise ? await found : found;
    budgets.sessionFound(token);
    if (!placeBet.access.includes(actor.role)) throw new CallError('NOT_ALLOWED');
    const { body } = validate({ params: {}, query: {}, body: given }) as RouteParsed<typeof placeBet>;
    requireStorable(body);
    const taken = await lanes.place(orderOf(body, { actor, sessionId, ip: address.ip }));
    return { success: true, message: BET_PLACED, ...taken };
  }

  return (body, answer) => {
    if (typeof answer !== 'function') {
      refuse(
        socket,
        new CallError('INVALID_INPUT', { message: 'Ask for an acknowledgement: without it no bet is taken.' }),
      );
      return;
    }
    const say = answer as (reply: BetAnswer) => void;
    void place(body).then(say, (error: unknown) => {
      const refusal = refusalOf(socket, { event: 'bet', given: body }, error);
      const { retryAfterSeconds: retryAfter } = refusal;
      say({ ...refusal.toBody(), ...(retryAfter !== undefined && { retryAfter }) });
      if (refusal.status !== 401) return;
      budgets.sessionEnded(token);
      socket.disconnect(true);
    });
  };
}
