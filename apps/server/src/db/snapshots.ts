import type { Copier } from './copy-snapshot.ts';

/** Whether transactions that a snapshot of PostgreSQL, in its text form, shows are yet to come in this database: it is of a newer state, or of another cluster. */
export async function isAhead(on: Pick<Copier, 'query'>, snapshot: string): Promise<boolean> {
  const [row] = await on.query<{ is_ahead: boolean }>(
    'select pg_snapshot_xmax($1::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) as is_ahead',
    [snapshot],
  );
  return row!.is_ahead;
}
