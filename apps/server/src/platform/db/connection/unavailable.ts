import pg from 'pg';

/**
 * PostgreSQL is unreachable, out of space or too slow. Nothing happened, unless `outcomeUnknown`: commit was sent
 * without an answer.
 */
export class DatabaseUnavailable extends Error {
  readonly outcomeUnknown: boolean;
  /**
   * PostgreSQL refused but is running: timeout, lock, full disk or I/O error. False for read-only, because a primary that
   * became a standby must not be asked again on this connection.
   */
  readonly refused: boolean;

  constructor(cause: Error, outcomeUnknown = false) {
    super(`The database did not answer: ${reasonIn(cause)}`, { cause });
    this.outcomeUnknown = outcomeUnknown;
    this.refused = isRefusal(cause) && !isReadOnly(cause);
    // Every job logs an outage, so only a slow statement keeps its stack.
    if (!isTooSlow(cause)) this.stack = `${this.name}: ${this.message}`;
  }
}

/** AggregateError, from hosts with several addresses, has no message itself. */
export function reasonIn(error: Error): string {
  const { message, code, errors } = error as Error & { readonly code?: string; readonly errors?: readonly Error[] };
  return message || [...new Set(errors?.map(reasonIn))].join(', ') || (code ?? 'no reason given');
}

/**
 * Network errors and PostgreSQL codes: connection (08), insufficient resources (53), operator intervention (57), lock
 * timeout, idle transaction, I/O error, read-only.
 */
const NETWORK_CODES =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const POSTGRES_CODES = /^(08\w{3}|53\w{3}|57\w{3}|55P03|25P0[34]|25006|58030)$/;
/** While PostgreSQL runs, a table without its file is a fault of the data. */
const FILES = '58';

const MESSAGES = [
  'Connection terminated',
  'timeout e',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after',
];

export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

function isReadOnly({ code }: Error & { readonly code?: string }): boolean {
  return code === '25006';
}

const STOPPED = '57014';
const LOCKED = '55P03';

function isTooSlow({ code = '' }: Error & { readonly code?: string }): boolean {
  return code === STOPPED || code === LOCKED;
}

export function isStopped(error: unknown): boolean {
  return isFor(STOPPED, error);
}

export function isLocked(error: unknown): boolean {
  return isFor(LOCKED, error);
}

function isFor(code: string, error: unknown): boolean {
  return error instanceof DatabaseUnavailable && (error.cause as { code?: string }).code === code;
}

export function explained(error: unknown, outcomeUnknown = false): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  const { code } = error as NodeJS.ErrnoException;
  const isDatabaseDown =
    code === undefined
      ? MESSAGES.some((start) => error.message.startsWith(start))
      : NETWORK_CODES.test(code) || POSTGRES_CODES.test(code) || (code.startsWith(FILES) && !isRefusal(error));
  return isDatabaseDown ? new DatabaseUnavailable(error, outcomeUnknown) : error;
}
