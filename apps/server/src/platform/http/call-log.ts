import type { ErrorCode } from '@drawhouse/contract/core/errors';
import { REQUEST_ID_HEADER } from '@drawhouse/contract/core/route';
import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { idOfCaller } from './request/request-headers.ts';

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

const REPORT_EVERY_MS = 1_000;

const CALLS = 'calls';

interface Sum {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  calls: number;
  totalMs: number;
  msMax: number;
}

/** Sums frequent successful calls: one log line per second, by route and status. */
export interface CallSums {
  add(this: void, method: string, route: string, status: number, ms: number): void;
  report(this: void): void;
}

export function createCallSums(logger: Pick<Logger, 'info'>): CallSums {
  const sums = new Map<string, Sum[]>();
  let timer: NodeJS.Timeout | undefined;

  function report(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const { totalMs, ...sum } of [...sums.values()].flat())
      logger.info({ ...sum, ms: tenths(totalMs / sum.calls), msMax: tenths(sum.msMax) }, CALLS);
    sums.clear();
  }

  return {
    report: report,
    add(method, route, status, ms) {
      let ofRoute = sums.get(route);
      if (!ofRoute) sums.set(route, (ofRoute = []));
      let sum = ofRoute.find((one) => one.status === status && one.method === method);
      if (!sum) ofRoute.push((sum = { method, route, status, calls: 0, totalMs: 0, msMax: 0 }));
      sum.calls++;
      sum.totalMs += ms;
      sum.msMax = Math.max(sum.msMax, ms);
      timer ??= setTimeout(report, REPORT_EVERY_MS).unref();
    },
  };
}

export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
