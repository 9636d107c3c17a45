import type { Copier } from '../db/copy-snapshot.ts';
import type { Queryable } from '../db/database.ts';
import type { SealLog } from './seal-log.ts';

/** How far the database says that a log has come. */
export interface Progress {
  readonly origin: number;
  readonly size: bigint;
  readonly root: string;
  /** A snapshot of PostgreSQL in its text form: all that it shows is sealed. */
  readonly snapshot: string;
}

/** What the database knows of a log, or of the newest one; undefined where nothing was ever sealed. */
export async function readProgress(on: Pick<Copier, 'query'>, origin?: number): Promise<Progress | undefined> {
  const [progress] = await on.query<Progress>(
    `select origin, size, encode(root, 'hex') as root, snapshot::text as snapshot from seal_progress
     where origin = coalesce($1, origin) order by origin desc limit 1`,
    [origin ?? null],
  );
  return progress;
}

/** A snapshot that shows nothing: of a log into which nothing was read yet. */
export const NOTHING = '3:3:';

/** Keeps in the database how far a log has come, with its newest checkpoint where there is one. */
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

/**
 * Commits a transaction, and waits until the disk has it: the ids of all transactions that a snapshot was shown before are never given again. PostgreSQL
 * forgets, with a cut of power, ids of transactions of which nothing had come to the disk.
 */
export async function fixTransactionIds(on: Pick<Copier, 'query'>, { nth }: SealLog): Promise<void> {
  await on.query('update seal_progress set at = clock_timestamp() where origin = $1', [nth]);
}

/** How far the newest log has come, and when. */
export interface SealedSoFar {
  readonly origin: number;
  readonly size: bigint;
  readonly at: Date;
}

/** The same for whoever only looks; undefined where nothing was ever sealed. */
export async function readSealedSoFar(on: Queryable): Promise<SealedSoFar | undefined> {
  const [row] = await on.query<SealedSoFar>('select origin, size, at from seal_progress order by origin desc limit 1');
  return row;
}
