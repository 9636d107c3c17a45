import type pg from 'pg';

export interface Timeouts {
  readonly connectMs: number;
  readonly lockMs: number;
  /** PostgreSQL's `statement_timeout`; releases held locks. */
  readonly statementMs: number;
  /** Drops the connection, because PostgreSQL itself may hang. */
  readonly answerMs: number;
  /** PostgreSQL's `idle_in_transaction_session_timeout`. */
  readonly idleMs?: number;
}

/** `connectMs` plus `answerMs` stays below a call's deadline of 10 s. */
export const CALL_TIMEOUTS: Timeouts = { connectMs: 2_500, lockMs: 4_000, statementMs: 5_000, answerMs: 6_000 };
/** `readReport` stops reports after `statementMs`; these limits apply if the server is busy. */
export const REPORT_TIMEOUTS: Timeouts = { connectMs: 5_000, lockMs: 15_000, statementMs: 15_000, answerMs: 17_000 };
/** For downloads, and for all tickets of a draw. */
export const FILE_TIMEOUTS: Timeouts = { connectMs: 10_000, lockMs: 10_000, statementMs: 60_000, answerMs: 65_000 };
/** Auditing 10 million transfers takes a minute, indexing them longer. */
export const COMMAND_TIMEOUTS: Timeouts = {
  connectMs: 10_000,
  lockMs: 5 * 60_000,
  statementMs: 30 * 60_000,
  answerMs: 31 * 60_000,
};

const IDLE_MS = 15_000;

export function timeoutsOf({ connectMs, lockMs, statementMs, answerMs, idleMs = IDLE_MS }: Timeouts): pg.ClientConfig {
  return {
    connectionTimeoutMillis: connectMs,
    lock_timeout: lockMs,
    statement_timeout: statementMs,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: idleMs,
  };
}
