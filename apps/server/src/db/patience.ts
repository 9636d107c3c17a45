import type pg from 'pg';

/** How long to wait for the database, each in milliseconds. */
export interface Patience {
  /** For a connection: a new one, or one of the pool that is free. */
  readonly connectMs: number;
  /** For a lock, by PostgreSQL's `lock_timeout`. */
  readonly lockMs: number;
  /** For a statement, by PostgreSQL's `statement_timeout`, which frees what it holds. */
  readonly statementMs: number;
  /** For the answer to a statement, by this side: PostgreSQL itself may hang. The connection is then given up. */
  readonly answerMs: number;
}

/** Of a call: `connectMs` and `answerMs` together are below the 10 s within which each call is answered. */
export const PROMPT: Patience = { connectMs: 2_500, lockMs: 4_000, statementMs: 5_000, answerMs: 6_000 };
/** Of a report. It is stopped as a whole after `statementMs` by `readReport`; this holds where the server itself is busy. */
export const REPORT: Patience = { connectMs: 5_000, lockMs: 15_000, statementMs: 15_000, answerMs: 17_000 };
/** Of a file that somebody waits for, and of the tickets of a whole draw. */
export const PATIENT: Patience = { connectMs: 10_000, lockMs: 10_000, statementMs: 60_000, answerMs: 65_000 };
/** Of a command at the terminal: the audit of 10 million transfers takes a minute, an index on them some more. */
export const LONG: Patience = {
  connectMs: 10_000,
  lockMs: 5 * 60_000,
  statementMs: 30 * 60_000,
  answerMs: 31 * 60_000,
};

/** After this long PostgreSQL ends a transaction whose owner is silent, and with it its locks. */
const SILENT_MS = 15_000;

/** The settings of the driver and of PostgreSQL for a {@link Patience}. */
export function timeoutsOf({ connectMs, lockMs, statementMs, answerMs }: Patience): pg.ClientConfig {
  return {
    connectionTimeoutMillis: connectMs,
    lock_timeout: lockMs,
    statement_timeout: statementMs,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: SILENT_MS,
  };
}
