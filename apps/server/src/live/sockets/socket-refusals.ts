import type { Failure } from '@drawhouse/contract/frame/primitives';
import type { Logger } from 'pino';
import type { Actor } from '../../accounts/authority.ts';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import type { RefusedCall } from '../../platform/http/handler.ts';
import { CALL_FAILED } from '../../platform/http/call-log.ts';
import { CallError, databaseError } from '../../platform/http/http-errors.ts';
import { namesIn } from '../../platform/http/limits/http-limits.ts';
import type { LiveSocket } from './live-socket.ts';
import { accountOf } from './socket-calls.ts';
import type { SocketCalls } from './socket-calls.ts';

/** Start in `performance.now()` milliseconds. */
export interface SentBySocket {
  readonly event: 'gameData' | 'bet' | 'bets' | 'watchGames';
  readonly given: unknown;
  readonly sinceMs?: number;
}

/** Includes status and headers of the equivalent call. */
export interface SocketRefusal {
  readonly body: Failure;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
}

export interface SocketRefusals {
  /** Answers clients without an account. */
  of(this: void, error: unknown, event: string): SocketRefusal;
  /** Also reports to `refused`. */
  ofSent(this: void, socket: LiveSocket, sent: SentBySocket, error: unknown): SocketRefusal;
}

interface RefusalMeans {
  readonly path: string;
  readonly refused: (call: RefusedCall<Actor>) => void;
  readonly calls: Pick<SocketCalls, 'refused'>;
  readonly logger: Logger;
}

export function createSocketRefusals({ path, refused, calls, logger }: RefusalMeans): SocketRefusals {
  function refusalOf(
    thrown: unknown,
    about: Parameters<SocketCalls['refused']>[1],
  ): SocketRefusal & { error: CallError } {
    const error = errorOf(thrown);
    const requestId = calls.refused(error, about);
    if (error.code === 'INTERNAL') logger.error({ error: thrown, requestId }, CALL_FAILED);
    const { status, retryAfterSeconds } = error;
    return { error, body: error.toBody(requestId), status, retryAfterSeconds };
  }
  return {
    of: (error, event) => refusalOf(error, { event }),
    ofSent({ data }, { event, given, sinceMs }, thrown) {
      const account = accountOf(data);
      const refusal = refusalOf(thrown, { event, account, ...(sinceMs !== undefined && { sinceMs }) });
      const origin = { url: `${path}/${event}`, method: 'SOCKET', ip: data.address.ip };
      refused({ actor: data.session.actor, code: refusal.error.code, origin, names: namesIn(given) });
      return refusal;
    },
  };
}

function errorOf(thrown: unknown): CallError {
  if (thrown instanceof CallError) return thrown;
  return thrown instanceof DatabaseUnavailable ? databaseError(thrown) : new CallError('INTERNAL');
}
