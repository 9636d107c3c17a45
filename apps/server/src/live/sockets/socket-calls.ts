import type { Logger } from 'pino';
import { BY_SOCKET, CALL, CALL_FAILED, type OnAnswered, tenths, type CallSums } from '../../platform/http/call-log.ts';
import type { NewRequestId } from '../../platform/http/request/request-headers.ts';
import type { LiveSocket } from './live-socket.ts';
import type { Failure } from '@drawhouse/contract/core/primitives';
import type { Actor } from '../../accounts/authority.ts';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import type { RefusedCall } from '../../platform/http/handler.ts';
import { CallError, databaseError } from '../../platform/http/http-errors.ts';
import { namesIn } from '../../platform/http/limits/http-limits.ts';

/** Log name for refusals outside any event. */
export const NO_EVENT = 'socket';

export interface SocketCalls {
  /** `sinceMs`: start in `performance.now()`. */
  done(event: string, sinceMs: number): void;
  refused(
    error: CallError,
    about: { readonly event: string; readonly account?: string | undefined; readonly sinceMs?: number },
  ): string;
}

/** Refusals at `info`, like HTTP. Successes, all of them bets, are only summed. */
export function createSocketCalls(
  logger: Logger,
  newRequestId: NewRequestId,
  { answered, sums }: { readonly answered: OnAnswered | undefined; readonly sums: CallSums },
): SocketCalls {
  const isOn = logger.isLevelEnabled('info');

  function note(line: {
    readonly requestId: string;
    readonly event: string;
    readonly status: number;
    readonly sinceMs: number | undefined;
    readonly account: string | undefined;
    readonly code?: string;
  }): void {
    const { event: route, sinceMs, ...rest } = line;
    const ms = sinceMs === undefined ? 0 : performance.now() - sinceMs;
    answered?.(BY_SOCKET, route, line.status, ms);
    if (isOn) logger.info({ method: BY_SOCKET, route, ms: tenths(ms), ...rest }, CALL);
  }

  return {
    done(event, sinceMs) {
      if (!isOn && !answered) return;
      const ms = performance.now() - sinceMs;
      answered?.(BY_SOCKET, event, 200, ms);
      if (isOn) sums.add(BY_SOCKET, event, 200, ms);
    },
    refused(error, { event, account, sinceMs }) {
      const requestId = newRequestId();
      note({ requestId, event, status: error.status, sinceMs, account, code: error.code });
      return requestId;
    },
  };
}

function accountOf(data: Pick<LiveSocket['data'], 'isProgram' | 'session'>): string | undefined {
  return data.isProgram ? undefined : data.session.actor.id;
}

/** Start in `performance.now()`. */
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
  of(this: void, error: unknown, event: string): SocketRefusal;
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
