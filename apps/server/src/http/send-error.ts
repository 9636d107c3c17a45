import { ERRORS } from '@drawhouse/contract/frame/errors';
import type { ErrorCode } from '@drawhouse/contract/frame/errors';
import { BODY_LIMIT_BYTES } from '@drawhouse/contract/frame/route';
import type { Route } from '@drawhouse/contract/frame/route';
import { errorsOf } from '@drawhouse/contract/frame/route-errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { CallError, notReady } from './http-errors.ts';

/** Answers a request with what went wrong. */
export type SendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route of the contract that is called. */
    contract?: Route;
  }
}

/** Builds it. `undeclared` hears of a route that fails in a way which its contract does not list. */
export function errorSender(undeclared: (route: Route, code: ErrorCode) => void): SendError {
  return (error, request, reply) => {
    const known = error instanceof CallError ? error : fromFastify(error as { code?: string; statusCode?: number });
    if (!known) request.log.error({ error, url: request.url }, 'call failed');
    const failure = known ?? new CallError('INTERNAL');
    const { contract } = request.routeOptions.config;
    if (contract && !errorsOf(contract).includes(failure.code)) undeclared(contract, failure.code);
    const { retryAfterSeconds } = failure;
    if (retryAfterSeconds !== undefined) reply.header('Retry-After', retryAfterSeconds);
    // What is still on its way is read to its end and thrown away where it is little; else the connection ends.
    const { 'transfer-encoding': chunked, 'content-length': length } = request.headers;
    if (!request.raw.complete && (chunked !== undefined || Number(length) > BODY_LIMIT_BYTES))
      reply.header('connection', 'close');
    return reply
      .status(failure.status)
      .header('cache-control', 'no-store')
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(failure.toBody()));
  };
}

function fromFastify(error: { code?: string; statusCode?: number; message?: string }): CallError | undefined {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new CallError('BODY_TOO_LARGE');
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new CallError('UNSUPPORTED_MEDIA_TYPE');
  if (error instanceof DatabaseUnavailable) return notReady(error);
  const status = error.statusCode ?? 500;
  return status >= 400 && status < 500
    ? new CallError('INVALID_INPUT', { message: error.message ?? ERRORS.INVALID_INPUT.message })
    : undefined;
}
