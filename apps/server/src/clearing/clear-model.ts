import { COMMAND_TIMEOUTS } from '../platform/db/connection/timeouts.ts';
import type { Database, Tx, Queryable } from '../platform/db/database.ts';
import type { Period } from '../platform/time/clock.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';
import type { ClearingModel } from '@drawhouse/contract/clearing/clearing-texts';

/** Each transaction takes a fraction of a second. */
const ROWS_AT_ONCE = 4_000;
/** Upper bound for movements at one instant, such as a draw's wins. */
const MOST_ROWS = 20_000;
/** Opening rows hold several draws each. */
const LOG_ROWS_AT_ONCE = 5_000n;
const OPENINGS_AT_ONCE = 1_000n;
const FIRST_SPAN_MS = 60_000;
const LONGEST_SPAN_MS = 86_400_000;
const SHORTEST_SPAN_MS = 10;

export interface ClearingPart {
  readonly networkId: number;
  readonly clearingId: string;
  readonly model: ClearingModel;
  readonly period: Period;
}

interface Watch {
  readonly signal: AbortSignal;
  readonly mayGoOn?: (tx: Tx) => Promise<void>;
  readonly cleared: (rows: number) => void;
  /** Lists the deleted accounts in a log row. */
  readonly notifyNames: (tx: Tx) => Promise<void>;
}

/**
 * Each transaction keeps the books correct. After a crash, a new run continues. Database functions decide what may go
 * (0016-clearing.sql).
 */
export async function clearModel(db: Database, part: ClearingPart, watch: Watch): Promise<void> {
  const own = sql`${part.networkId}, ${part.clearingId}`;
  const clear = async (call: Sql): Promise<number> => {
    watch.signal.throwIfAborted();
    const rows = await db.transaction(async (tx: Tx) => {
      await watch.mayGoOn?.(tx);
      const [row] = await tx.query<{ rows: bigint }>(sql`select ${call} as rows`);
      const deleted = Number(row!.rows);
      if (part.model === 'user' && deleted > 0) await watch.notifyNames(tx);
      return deleted;
    }, COMMAND_TIMEOUTS);
    watch.cleared(rows);
    return rows;
  };
  switch (part.model) {
    case 'usertransaction':
    case 'refertransaction':
    case 'commission':
      return clearMovements(part, (from, until) =>
        clear(sql`clear_transfers(${own}, ${part.model}, ${from}, ${until}, ${MOST_ROWS})`),
      );
    case 'ticket':
      return clearTickets(db, part, (drawIds) => clear(sql`clear_tickets(${own}, ${drawIds})`));
    case 'draw':
      return inSteps(await openingsOf(db, part.networkId, part.period), OPENINGS_AT_ONCE, ({ first, last }) =>
        clear(sql`clear_draws(${own}, ${first}, ${last})`),
      );
    case 'upcome': {
      // Few rows, each judged against all others.
      const { first, last } = await logRange(db, part.networkId, part.period);
      await clear(sql`clear_log(${own}, ${part.model}, ${first}, ${last})`);
      return;
    }
    case 'result':
      return inSteps(await logRange(db, part.networkId, part.period), LOG_ROWS_AT_ONCE, ({ first, last }) =>
        clear(sql`hide_results(${own}, ${first}, ${last})`),
      );
    case 'userlog':
      return inSteps(await logRange(db, part.networkId, part.period), LOG_ROWS_AT_ONCE, ({ first, last }) =>
        clear(sql`clear_log(${own}, ${part.model}, ${first}, ${last})`),
      );
    case 'user':
      await clear(sql`clear_accounts(${own})`);
      return;
    case 'frequency':
      await clear(sql`clear_frequency(${own})`);
  }
}

async function inSteps(
  { first, last }: LogRange,
  step: bigint,
  act: (range: LogRange) => Promise<unknown>,
): Promise<void> {
  for (let from = first; from <= last; from += step)
    await act({ first: from, last: from + step - 1n < last ? from + step - 1n : last });
}

/** Movements have only a block range index on time. */
async function clearMovements(
  { period: { from, until } }: ClearingPart,
  clear: (from: Date, until: Date) => Promise<number>,
): Promise<void> {
  let spanMs = FIRST_SPAN_MS;
  for (let at = from.getTime(); at < until.getTime();) {
    const end = Math.min(at + spanMs, until.getTime());
    const rows = await clear(new Date(at), new Date(end));
    if (rows < MOST_ROWS) at = end;
    if (rows < ROWS_AT_ONCE / 2) spanMs = Math.min(2 * spanMs, LONGEST_SPAN_MS);
    else if (rows > 2 * ROWS_AT_ONCE) spanMs = Math.max(spanMs / 2, SHORTEST_SPAN_MS);
  }
}

/** Sums and Merkle tree cover the whole draw, so its tickets go together. */
async function clearTickets(
  db: Database,
  { networkId, period: { from, until } }: ClearingPart,
  clear: (drawIds: readonly string[]) => Promise<number>,
): Promise<void> {
  const draws = await db.query<{ id: string; tickets: number }>(
    sql`select draw_id as id, tickets from judged_plays(${networkId}, ${from}, ${until}) where stays is null order by draw_id`,
  );
  let chosen: string[] = [];
  let rows = 0;
  for (const [index, { id, tickets }] of draws.entries()) {
    chosen.push(id);
    rows += tickets;
    if (rows < ROWS_AT_ONCE && index < draws.length - 1) continue;
    await clear(chosen);
    [chosen, rows] = [[], 0];
  }
}

/** Inclusive; empty if `last` precedes `first`. */
interface LogRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** Draws last up to a day and may have waited for a server. */
const OPENED_BEFORE_MS = 40 * 86_400_000;

/** Log times ascend with `seq`. */
export async function logRange(on: Queryable, networkId: number, { from, until }: Period): Promise<LogRange> {
  const [range] = await on.query<LogRange>(
    sql`select coalesce(min(seq), 1) as first, coalesce(max(seq), 0) as last from activity
      where network_id = ${networkId} and at >= ${from} and at < ${until}`,
  );
  return range!;
}

export function openingsOf(on: Queryable, networkId: number, { from, until }: Period): Promise<LogRange> {
  return logRange(on, networkId, { from: new Date(from.getTime() - OPENED_BEFORE_MS), until });
}
