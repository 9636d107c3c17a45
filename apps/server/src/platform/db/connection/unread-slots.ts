import type { Queryable } from '../database.ts';
import { sql } from '../sql/sql.ts';

export interface UnreadSlot {
  readonly name: string;
  /** Write-ahead log that PostgreSQL keeps for the slot. */
  readonly keptBytes: number;
}

/** Standbys that restart soon read on. Past this, a slot would fill the disk. */
const LEAST_KEPT_BYTES = 1024 ** 3;

export function readUnreadSlots(db: Queryable, leastBytes = LEAST_KEPT_BYTES): Promise<UnreadSlot[]> {
  return db.query<UnreadSlot & Record<string, unknown>>(
    sql`select slot_name as name, kept::float8 as "keptBytes" from (
        select slot_name, pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end,
          restart_lsn) as kept
        from pg_replication_slots where not active and restart_lsn is not null) as slots
      where kept >= ${leastBytes} order by slot_name`,
  );
}
