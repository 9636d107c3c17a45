import { readAllBackups } from '../doctor/check-backups.ts';
import type { ReachedDatabase, Surroundings } from '../doctor/surroundings.ts';
import { bytesOf } from '../../backup/take/archive/manifest.ts';
import { readMigrations } from '../../platform/db/migrate.ts';
import { lastVerdicts, type StoredVerdict } from '../../liability/verdicts.ts';
import { readSealedSoFar } from '../../transparency/seal/seal-progress.ts';
import { readPinned } from '../../platform/settings/pinned-settings.ts';
import { sql } from '../../platform/db/sql/sql.ts';

const OF_POSTGRES = [
  'autovacuum',
  'checkpoint_timeout',
  'data_checksums',
  'default_transaction_isolation',
  'effective_cache_size',
  'effective_io_concurrency',
  'fsync',
  'full_page_writes',
  'hot_standby',
  'io_method',
  'jit',
  'maintenance_work_mem',
  'max_connections',
  'max_parallel_workers',
  'max_wal_size',
  'max_worker_processes',
  'random_page_cost',
  'server_encoding',
  'server_version',
  'shared_buffers',
  'synchronous_commit',
  'synchronous_standby_names',
  'TimeZone',
  'wal_level',
  'work_mem',
];

async function figure<T>(read: () => Promise<T>): Promise<T | { readonly unread: string }> {
  try {
    return await read();
  } catch (error) {
    return { unread: (error as Error).message };
  }
}

/** Numbers only: no rows, account names or credit. */
export async function readFigures(
  { db, address }: ReachedDatabase,
  { settings: { config }, clock }: Surroundings,
): Promise<Record<string, unknown>> {
  return {
    postgresql: await figure(() =>
      db.query(sql`select name, setting, unit, source from pg_settings where name = any(${OF_POSTGRES}) order by name`),
    ),
    database: await figure(async () => {
      const [row] = await db.query<{ bytes: bigint }>(sql`select pg_database_size(current_database()) as bytes`);
      return { bytes: Number(row!.bytes) };
    }),
    connections: await figure(() =>
      db.query(
        sql`select coalesce(application_name, '') as program, coalesce(state, '') as state, count(*)::int as connections
         from pg_stat_activity where datname = current_database() group by 1, 2 order by 1, 2`,
      ),
    ),
    migrations: await figure(() => readMigrations(address)),
    // Exact counts would take minutes.
    tables: await figure(async () => {
      const rows = await db.query<Record<'rows' | 'dead' | 'bytes' | 'indexBytes', bigint> & { name: string }>(
        sql`select c.relname::text as name, greatest(c.reltuples, s.n_live_tup)::bigint as rows, s.n_dead_tup as dead,
          pg_total_relation_size(c.oid) as bytes,
           pg_indexes_size(c.oid) as "indexBytes"
         from pg_class c join pg_stat_user_tables s on s.relid = c.oid where s.schemaname = 'public' order by c.relname`,
      );
      return rows.map(({ name, ...counts }) => ({ name, ...numbersOf(counts) }));
    }),
    timeZone: await figure(async () => (await readPinned(db)).timeZone ?? null),
    seals: await figure(async () => {
      const sealed = await readSealedSoFar(db);
      return sealed ? { ...sealed, size: Number(sealed.size) } : null;
    }),
    audits: await figure(async () => {
      const { whole, daily } = await lastVerdicts(db);
      return { whole: describe(whole), daily: describe(daily) };
    }),
    backups: await figure(async () => {
      const timeZone = (await readPinned(db)).timeZone ?? 'UTC';
      const networks = await readAllBackups({ config, db, clock, timeZone });
      return networks.map(({ networkId, all, right, trouble }) => ({
        network: networkId,
        whole: right.length,
        notWhole: all.length - right.length,
        newest: right[0] ? { takenAt: right[0].manifest.takenAt, bytes: bytesOf(right[0].manifest) } : null,
        inTrouble: trouble !== undefined,
      }));
    }),
  };
}

function numbersOf(counts: Readonly<Record<string, bigint>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)]));
}

/** The sentence names accounts, so leaves it out. */
function describe(verdict: StoredVerdict | undefined): object | null {
  if (!verdict) return null;
  const { at, checks, problems } = verdict;
  return { at, checks, problems };
}
