import type { ErrorCode } from '@drawhouse/contract/frame/errors';
import { REQUEST_ID_HEADER } from '@drawhouse/contract/frame/route';
import { LogController } from 'fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { tenths } from './call-sums.ts';
import type { CallSums } from './call-sums.ts';
import { idOfCaller } from './request-ids.ts';

/**
 * Hears of each call that was answered, or whose answer broke off: its method, the pattern of its route (undefined where there is none), its status, and how long it took
 * in milliseconds.
 */
export type HearAnswered = (method: string, route: string | undefined, status: number, ms: number) => void;

/** The method under which the log and the figures have what came by a live socket. */
export const BY_SOCKET = 'SOCKET';
/** The name of every line that is about a call. */
export const CALL = 'call';
/** That of the line beside it, at every level, about what the server itself failed at. */
export const CALL_FAILED = 'call failed';

declare module 'fastify' {
  interface FastifyRequest {
    /** How the call failed; undefined where it did not. */
    failed: ErrorCode | undefined;
  }
  interface FastifyContextConfig {
    /** Whether its calls come so often that those that go well are logged together. */
    isSummedUp?: boolean;
  }
}

/** Whom a line of the log names: who is signed in, by the id of the account, or whose program it is. */
export interface LoggedCaller {
  readonly account?: string | undefined;
  readonly apiKey?: string | undefined;
}

type NameCaller = (request: FastifyRequest) => LoggedCaller | undefined;

const HEADER = REQUEST_ID_HEADER.toLowerCase();

/**
 * Logs each call in one line at `info`, once it was answered: never its query, its body, its headers or what it was answered. A line takes 8 µs, which of a bet would be a twentieth: bets that are taken
 * are summed up. At any other level nothing is made for it.
 */
export class CallLog extends LogController {
  readonly #isOn: boolean;
  readonly #nameCaller: NameCaller;
  readonly #answered: HearAnswered | undefined;
  readonly #sums: CallSums;

  constructor(
    logger: Pick<Logger, 'isLevelEnabled'>,
    { nameCaller, answered, sums }: { nameCaller: NameCaller; answered: HearAnswered | undefined; sums: CallSums },
  ) {
    super({ requestIdLogLabel: 'requestId' });
    this.#isOn = logger.isLevelEnabled('info');
    this.#nameCaller = nameCaller;
    this.#answered = answered;
    this.#sums = sums;
  }

  /** That a call has come tells nothing that its answer does not. */
  override incomingRequest(): void {}

  /** What is nowhere is a call as any other. */
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
