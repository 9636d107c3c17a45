import type { Logger } from 'pino';
import type { Actor } from '../accounts/authority.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import type { RefusedCall } from '../http/handler.ts';
import { CallError, notReady } from '../http/http-errors.ts';
import { namesIn } from '../http/refused-call.ts';
import type { LiveSocket } from './live-socket.ts';

/** What a socket sent: the event and what came with it. */
export interface SentBySocket {
  readonly event: 'gameData' | 'bet' | 'bets' | 'watchGames';
  readonly given: unknown;
}

/** How what goes wrong with a socket is answered. */
export interface SocketRefusals {
  /** The answer to whoever is not signed in yet. */
  of(error: unknown): CallError;
  /** The answer to what a socket sent; `refused` hears of it. */
  ofSent(this: void, socket: LiveSocket, sent: SentBySocket, error: unknown): CallError;
}

/** Makes the answers of a server whose sockets come by a path. */
export function createSocketRefusals(
  path: string,
  refused: (call: RefusedCall<Actor>) => void,
  logger: Logger,
): SocketRefusals {
  function refusalOf(error: unknown): CallError {
    if (error instanceof CallError) return error;
    if (error instanceof DatabaseUnavailable) return notReady(error);
    logger.error({ error }, 'a live socket was refused');
    return new CallError('INTERNAL');
  }
  return {
    of: refusalOf,
    ofSent({ data }, { event, given }, error) {
      const refusal = refusalOf(error);
      const origin = { url: `${path}/${event}`, method: 'SOCKET', ip: data.address.ip };
      refused({ actor: data.session.actor, code: refusal.code, origin, names: namesIn(given) });
      return refusal;
    },
  };
}
