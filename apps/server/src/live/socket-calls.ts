import type { Logger } from 'pino';
import { BY_SOCKET, CALL } from '../http/call-log.ts';
import type { HearAnswered } from '../http/call-log.ts';
import { tenths } from '../http/call-sums.ts';
import type { CallSums } from '../http/call-sums.ts';
import type { CallError } from '../http/http-errors.ts';
import type { NewRequestId } from '../http/request-ids.ts';
import type { LiveSocket } from './live-socket.ts';

/** Under this name stands what a socket was refused or put out of that came by no event. */
export const BY_ITSELF = 'socket';

/** How what came by sockets is logged and counted. */
export interface SocketCalls {
  /** Something was done that a socket asked for by an event, since a time by `performance.now`. */
  done(event: string, sinceMs: number): void;
  /** Something was refused: by an event, or whatever a socket asks for. Gives the id by which that is logged. */
  refused(
    error: CallError,
    about: { readonly event: string; readonly account?: string | undefined; readonly sinceMs?: number },
  ): string;
}

/** Makes it. Each refusal is a line at `info`, as those of calls by HTTP are; what is done is all bets, and summed up. */
export function createSocketCalls(
  logger: Logger,
  newRequestId: NewRequestId,
  { answered, sums }: { readonly answered: HearAnswered | undefined; readonly sums: CallSums },
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

/** The account of a socket; none of a program's, nor of one that has not signed in. */
export function accountOf(data: Pick<LiveSocket['data'], 'isProgram' | 'session'>): string | undefined {
  return data.isProgram ? undefined : data.session.actor.id;
}
