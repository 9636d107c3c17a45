import type { Copier } from '../../platform/db/sql/copy-snapshot.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { SealLog } from './seal-log.ts';

export interface Progress {
  readonly origin: number;
  readonly size: bigint;
  readonly root: string;
  /** PostgreSQL snapshot: all rows it shows are sealed. */
  readonly snapshot: string;
}

export async function readProgress(on: Pick<Copier, 'query'>, origin?: number): Promise<Progress | undefined> {
  const [progress] = await on.query<Progress>(
    `select origin, size, encode(root, 'hex') as root, snapshot::text as snapshot from seal_progress
     where origin = coalesce($1, origin) order by origin desc limit 1`,
    [origin ?? null],
  );
  return progress;
}

/** Empty snapshot, for a new log. */
export const NOTHING = '3:3:';

export async function keepProgress(
  on: Pick<Copier, 'query'>,
  { nth, state }: SealLog,
  checkpoint?: string,
): Promise<void> {
  await on.query(
    `insert into seal_progress (origin, at, size, root, snapshot, checkpoint)
       values ($1, clock_timestamp(), $2, decode($3, 'hex'), $4::pg_snapshot, coalesce($5, ''))
     on conflict (origin) do update set at = excluded.at, size = excluded.size, root = excluded.root, snapshot = excluded.snapshot,
       checkpoint = coalesce($5, seal_progress.checkpoint)`,
    [nth, state.size, state.root, state.snapshot === '' ? NOTHING : state.snapshot, checkpoint ?? null],
  );
}

/** Commits durably: after a power cut PostgreSQL would reuse transaction ids that a snapshot has seen. */
export async function fixTransactionIds(on: Pick<Copier, 'query'>, { nth }: SealLog): Promise<void> {
  await on.query('update seal_progress set at = clock_timestamp() where origin = $1', [nth]);
}

export interface SealedSoFar {
  readonly origin: number;
  readonly size: bigint;
  readonly at: Date;
}

export async function readSealedSoFar(on: Queryable): Promise<SealedSoFar | undefined> {
  const [row] = await on.query<SealedSoFar>('select origin, size, at from seal_progress order by origin desc limit 1');
  return row;
}
