import type { Freshness } from '@drawhouse/contract/core/list';
import type { Database } from '../db/database.ts';
import { DatabaseUnavailable } from '../db/connection/unavailable.ts';
import { sql } from '../db/sql/sql.ts';
import type { Services } from '../services.ts';

export interface ReportServices extends Services {
  readonly standby?: Database | undefined;
}

export interface ChosenReader {
  readonly db: Database;
  /** Undefined without a standby. */
  readonly freshness: Freshness | undefined;
}

const MAX_LAG_MS = 30_000;

/** The standby if it answers and is at most half a minute behind, else the primary. */
export async function chooseReader({ db, standby, clock }: ReportServices): Promise<ChosenReader> {
  if (!standby) return { db, freshness: undefined };
  const now = clock.now();
  const asOf = await readAsOf(db, standby, now).catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable) return undefined;
    throw error;
  });
  return asOf !== undefined && now.getTime() - asOf.getTime() <= MAX_LAG_MS
    ? { db: standby, freshness: { from: 'standby', asOf: asOf.toISOString() } }
    : { db, freshness: { from: 'primary', asOf: now.toISOString() } };
}

/** Compares positions in the WAL, because an idle primary gives a standby no newer time. */
async function readAsOf(db: Database, standby: Database, now: Date): Promise<Date | undefined> {
  const [primary] = await db.query<{ position: string }>(sql`select pg_current_wal_lsn()::text as position`);
  const [row] = await standby.query<{ isCurrent: boolean; at: Date | null }>(
    sql`select pg_last_xact_replay_timestamp() as at,
      case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end
        >= ${primary!.position}::pg_lsn as "isCurrent"`,
  );
  return row!.isCurrent ? now : (row!.at ?? undefined);
}

export function mayAskPrimary(error: unknown): boolean {
  const conflict = (error as { code?: string } | undefined)?.code === '40001';
  return conflict || (error instanceof DatabaseUnavailable && !error.refused);
}
