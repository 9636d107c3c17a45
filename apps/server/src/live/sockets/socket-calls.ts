import type { Logger } from 'pino';
import { BY_SOCKET, CALL } from '../../platform/http/call-log.ts';
import type { HearAnswered } from '../../platform/http/call-log.ts';
import { tenths } from '../../platform/http/limits/call-sums.ts';
import type { CallSums } from '../../platform/http/limits/call-sums.ts';
import type { CallError } from '../../platform/http/http-errors.ts';
import type { NewRequestId } from '../../platform/http/request/request-ids.ts';
import type { LiveSocket } from './live-socket.ts';

/** Log name for refusals outside any event. */
export const NO_EVENT = 'socket';

export interface SocketCalls {
  /** Start in `performance.now()` milliseconds. */
  done(event: string, sinceMs: number): void;
  /** Returns the log id. */
  refused(
    error: CallError,
    about: { readonly event: string; readonly account?: string | undefined; readonly sinceMs?: number },
  ): string;
}

/** Logs each refusal at `info`, like HTTP. Successes, all of them bets, are only summed. */
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

/** Undefined for programs and before sign-in. */
export function accountOf(data: Pick<LiveSocket['data'], 'isProgram' | 'session'>): string | undefined {
  return data.isProgram ? undefined : data.session.actor.id;
}
