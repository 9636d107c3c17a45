import type { Copier } from '../../platform/db/sql/copy-rows.ts';
import type { SealLog } from './seal-log.ts';
import { sql } from '../../platform/db/sql/sql.ts';

export interface Progress {
  readonly origin: number;
  readonly size: bigint;
  readonly root: string;
  readonly snapshot: string;
  readonly at: Date;
}

export async function readProgress(on: Pick<Copier, 'query'>): Promise<Progress | undefined> {
  return (await readAllProgress(on))[0];
}

/** One for each log, newest first. */
export async function readAllProgress(on: Pick<Copier, 'query'>): Promise<readonly Progress[]> {
  const rows = await on.query<Omit<Progress, 'size'> & { readonly size: bigint | string }>(
    sql`select origin, size, encode(root, 'hex') as root, snapshot::text as snapshot, at from seal_progress order by origin desc`,
  );
  // Dedicated connections read a bigint as text.
  return rows.map((row) => ({ ...row, size: BigInt(row.size) }));
}

/** Empty snapshot, for a new log. */
export const NOTHING = '3:3:';

export async function keepProgress(
  on: Pick<Copier, 'query'>,
  { nth, state }: SealLog,
  checkpoint?: string,
): Promise<void> {
  const note = checkpoint ?? null;
  const snapshot = state.snapshot === '' ? NOTHING : state.snapshot;
  await on.query(
    sql`insert into seal_progress (origin, at, size, root, snapshot, checkpoint)
       values (${nth}, clock_timestamp(), ${state.size}, decode(${state.root}, 'hex'), ${snapshot}::pg_snapshot, coalesce(${note}, ''))
     on conflict (origin) do update set at = excluded.at, size = excluded.size, root = excluded.root, snapshot = excluded.snapshot,
       checkpoint = coalesce(${note}, seal_progress.checkpoint)`,
  );
}

/** Commits durably: after a power cut PostgreSQL would reuse transaction ids that a snapshot has seen. */
export async function fixTransactionIds(on: Pick<Copier, 'query'>, { nth }: SealLog): Promise<void> {
  await on.query(sql`update seal_progress set at = clock_timestamp() where origin = ${nth}`);
}
