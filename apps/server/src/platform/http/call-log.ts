import type { ErrorCode } from '@drawhouse/contract/core/errors';
import { REQUEST_ID_HEADER } from '@drawhouse/contract/core/route';
import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { tenths, type CallSums } from './limits/call-sums.ts';
import { idOfCaller } from './request/request-ids.ts';

/** Called for answered and aborted calls. `route`: pattern, undefined if none. */
export type OnAnswered = (method: string, route: string | undefined, status: number, ms: number) => void;

export const BY_SOCKET = 'SOCKET';
export const CALL = 'call';
export const CALL_FAILED = 'call failed';

declare module 'fastify' {
  interface FastifyRequest {
    failed: ErrorCode | undefined;
  }
  interface FastifyContextConfig {
    isSummedUp?: boolean;
  }
}

export interface LoggedCaller {
  readonly account?: string | undefined;
  readonly apiKey?: string | undefined;
}

type NameCaller = (request: FastifyRequest) => LoggedCaller | undefined;

const HEADER = REQUEST_ID_HEADER.toLowerCase();

/**
 * One `info` line per answered call, never query, body, headers or answer. A line takes 8 µs, a twentieth of a bet, so
 * accepted bets are logged as sums. Costs nothing at other levels.
 */
export class CallLog extends LogController {
  readonly #isOn: boolean;
  readonly #nameCaller: NameCaller;
  readonly #answered: OnAnswered | undefined;
  readonly #sums: CallSums;

  constructor(
    logger: Pick<Logger, 'isLevelEnabled'>,
    { nameCaller, answered, sums }: { nameCaller: NameCaller; answered: OnAnswered | undefined; sums: CallSums },
  ) {
    super({ requestIdLogLabel: 'requestId' });
    this.#isOn = logger.isLevelEnabled('info');
    this.#nameCaller = nameCaller;
    this.#answered = answered;
    this.#sums = sums;
  }

  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { method } = request;
    const route = request.routeOptions.url;
    const { statusCode: status, elapsedTime: ms } = reply;
    this.#answered?.(method, route, status, ms);
    if (!this.#isOn) return;
    if (route !== undefined && status < 400 && !error && request.routeOptions.config.isSummedUp) {
      this.#sums.add(method, route, status, ms);
      return;
    }
    reply.log.info(
      {
        method,
        route,
        status,
        ms: tenths(ms),
        code: request.failed,
        callerRequestId: idOfCaller(request.headers[HEADER]),
        ...this.#nameCaller(request),
        brokeOff: error?.message,
      },
      CALL,
    );
  }
}
