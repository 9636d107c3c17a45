import pg from 'pg';

/**
 * The database can't be reached, has no room, or did not answer in time. What was under way has not happened, unless
 * `outcomeUnknown`: then its commit was sent and the answer was not heard.
 */
export class DatabaseUnavailable extends Error {
  readonly outcomeUnknown: boolean;
  /** Whether PostgreSQL itself refused, and lives on: for a time that ran out, a lock, a full disk. */
  readonly refused: boolean;

  constructor(cause: Error, outcomeUnknown = false) {
    super(`The database did not answer: ${reasonIn(cause)}`, { cause });
    this.outcomeUnknown = outcomeUnknown;
    this.refused = isRefusal(cause);
  }
}

/** What an error says. One that is of several, of a name with several addresses none of which answers, has no words of its own. */
export function reasonIn(error: Error): string {
  const { message, code, errors } = error as Error & { readonly code?: string; readonly errors?: readonly Error[] };
  return message || [...new Set(errors?.map(reasonIn))].join(', ') || (code ?? 'it does not say why');
}

/**
 * The codes of the network, and of PostgreSQL: connections (08), insufficient resources such as a full disk (53), a statement
 * that was stopped for its time or by an operator (57), a wait for a lock that was too long, a transaction left idle, I/O errors, and a
 * database that only reads for now.
 */
const CODES =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08\w{3}|53\w{3}|57\w{3}|55P03|25P0[34]|25006|58030)$/;

/** What the driver says without a code: of a connection that ended or could not be had, and of an answer that did not come. */
const MESSAGES =
  /^(Connection terminated|timeout e|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after)/;

/** Whether an error is one that PostgreSQL answered, on a connection that goes on. */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

const STOPPED = '57014';
const LOCKED = '55P03';

/** Whether PostgreSQL stopped a statement for its time, or because it was told to. */
export function isStopped(error: unknown): boolean {
  return isFor(STOPPED, error);
}

/** Whether PostgreSQL gave a statement up because another connection holds a lock that it waited for. */
export function isLocked(error: unknown): boolean {
  return isFor(LOCKED, error);
}

function isFor(code: string, error: unknown): boolean {
  return error instanceof DatabaseUnavailable && (error.cause as { code?: string }).code === code;
}

/** The error itself, or where it is the database's absence, a {@link DatabaseUnavailable} with it as the cause. */
export function explained(error: unknown, outcomeUnknown = false): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  const { code } = error as NodeJS.ErrnoException;
  const isAway = code === undefined ? MESSAGES.test(error.message) : CODES.test(code);
  return isAway ? new DatabaseUnavailable(error, outcomeUnknown) : error;
}
