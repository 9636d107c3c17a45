import { ERRORS, type ErrorCode } from '@drawhouse/contract/core/errors';
import { BODY_LIMIT_BYTES, CELL_HEADER, REQUEST_ID_HEADER, errorsOf, type Route } from '@drawhouse/contract/core/route';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../db/connection/unavailable.ts';
import { CALL_FAILED } from './call-log.ts';
import { CallError, databaseError } from './http-errors.ts';

export type SendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Only the log can tell their outcome later. */
const LOGGED_ALWAYS: ReadonlySet<ErrorCode> = new Set(['OUTCOME_UNKNOWN']);

declare module 'fastify' {
  interface FastifyContextConfig {
    contract?: Route;
  }
}

export function errorSender(undeclared: (route: Route, code: ErrorCode) => void): SendError {
  return (error, request, reply) => {
    if (hasClientLeft(error, reply)) return reply;
    const refusal = error instanceof CallError ? error : fromFastify(error as { code?: string; statusCode?: number });
    const failure = refusal ?? new CallError('INTERNAL');
    request.failed = failure.code;
    // Path only: queries may contain secrets.
    if (!refusal || LOGGED_ALWAYS.has(failure.code))
      request.log.error({ error, code: failure.code, path: request.url.split('?', 1)[0] }, CALL_FAILED);
    const { contract } = request.routeOptions.config;
    if (contract && !errorsOf(contract).includes(failure.code)) undeclared(contract, failure.code);
    const { retryAfterSeconds, cell } = failure;
    if (cell !== undefined) reply.header(CELL_HEADER, cell);
    if (retryAfterSeconds !== undefined) reply.header('Retry-After', retryAfterSeconds);
    // Drains a short remaining body; closes the connection on a long one.
    const { 'transfer-encoding': chunked, 'content-length': length } = request.headers;
    if (!request.raw.complete && (chunked !== undefined || Number(length) > BODY_LIMIT_BYTES))
      reply.header('connection', 'close');
    return reply
      .status(failure.status)
      .header('cache-control', 'no-store')
      .header(REQUEST_ID_HEADER, request.id)
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(failure.toBody(request.id)));
  };
}

/** A client that leaves before its answer is no failure; the call's own log line says so. */
function hasClientLeft(error: unknown, { raw }: FastifyReply): boolean {
  return raw.destroyed && (error as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE';
}

function fromFastify(error: { code?: string; statusCode?: number; message?: string }): CallError | undefined {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new CallError('BODY_TOO_LARGE');
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new CallError('UNSUPPORTED_MEDIA_TYPE');
  if (error instanceof DatabaseUnavailable) return databaseError(error);
  const status = error.statusCode ?? 500;
  return status >= 400 && status < 500
    ? new CallError('INVALID_INPUT', { message: error.message ?? ERRORS.INVALID_INPUT.message })
    : undefined;
}
