import { type ErrorCode, ERRORS } from '@drawhouse/contract/core/errors';
import { type Failure, type Hundredths, pointsOf, type Refusal } from '@drawhouse/contract/core/primitives';
import { BODY_LIMIT_BYTES, CELL_HEADER, errorsOf, REQUEST_ID_HEADER, type Route } from '@drawhouse/contract/core/route';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../db/connection/unavailable.ts';
import { CALL_FAILED } from './call-log.ts';

/** Error answers stay below 16 KiB for any input. */
export const FIELDS_MAX = 20;
/** Field names may come from the client, and messages may quote them. */
const NAME_MAX = 64;
const REASON_MAX = 200;
const MESSAGE_MAX = 500;

/** Thrown anywhere below a route and sent as is. */
export class CallError extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  /** For 429 and 503. Default for 503: one second. */
  readonly retryAfterSeconds: number | undefined;
  /** In points, for NOT_COVERED. */
  readonly shortfall: number | undefined;
  /** For OTHER_CELL: {@link CELL_HEADER} for the repeated call, a name and perhaps more. */
  readonly cell: string | undefined;
  readonly challenge: string | undefined;
  readonly approval: string | undefined;

  constructor(
    code: ErrorCode,
    options: {
      message?: string;
      fields?: Record<string, string>;
      retryAfterSeconds?: number;
      shortfall?: Hundredths;
      cell?: string;
      challenge?: string;
      approval?: string;
    } = {},
  ) {
    const fields = options.fields && boundedFields(options.fields);
    super(cut(options.message ?? (fields ? joinMessages(fields) : ERRORS[code].message), MESSAGE_MAX));
    this.code = code;
    this.fields = fields;
    this.shortfall = options.shortfall === undefined ? undefined : pointsOf(options.shortfall);
    this.cell = options.cell;
    this.challenge = options.challenge;
    this.approval = options.approval;
    this.retryAfterSeconds = options.retryAfterSeconds ?? (this.status === 503 ? 1 : undefined);
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  toBody(requestId: string): Failure {
    return { ...this.toRefusal(), requestId };
  }

  toRefusal(): Refusal {
    return {
      success: false,
      code: this.code,
      message: this.message,
      ...(this.fields && { fields: this.fields }),
      ...(this.shortfall !== undefined && { shortfall: this.shortfall }),
      ...(this.approval !== undefined && { approval: this.approval }),
      ...(this.cell !== undefined && { cell: this.cell.split(';', 1)[0]! }),
      ...(this.challenge !== undefined && { challenge: this.challenge }),
    };
  }
}

/** OUTCOME_UNKNOWN if the commit went unanswered. */
export function databaseError(error: unknown): CallError {
  const unknown = error instanceof DatabaseUnavailable && error.outcomeUnknown;
  return new CallError(unknown ? 'OUTCOME_UNKNOWN' : 'NOT_READY');
}

function boundedFields(fields: Record<string, string>): Record<string, string> {
  const named = Object.entries(fields).slice(0, FIELDS_MAX);
  // Object.fromEntries is safe for a field named `__proto__`.
  return Object.fromEntries(named.map(([name, message]) => [cut(name, NAME_MAX), cut(message, REASON_MAX)]));
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function joinMessages(fields: Record<string, string>): string {
  return [...new Set(Object.values(fields))].join('; ');
}

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
