import type { Copier } from './copy-snapshot.ts';

/** A snapshot of PostgreSQL as ids of transactions: it shows all before `first`, none from `next` on, and none of those that were under way. */
export interface ShownTransactions {
  readonly first: string;
  readonly next: string;
  /** A transaction that was under way then is one of these, however long it took. */
  readonly underWay: readonly string[];
}

/** A snapshot in its text form as what it shows; undefined where it is none. */
export function shownBy(snapshot: string): ShownTransactions | undefined {
  const [, first, next, running] = /^(\d+):(\d+):((?:\d+(?:,\d+)*)?)$/.exec(snapshot) ?? [];
  if (first === undefined || next === undefined) return undefined;
  return { first, next, underWay: running ? running.split(',') : [] };
}

/** Whether transactions that a snapshot of PostgreSQL, in its text form, shows are yet to come in this database: it is of a newer state, or of another cluster. */
export async function isAhead(on: Pick<Copier, 'query'>, snapshot: string): Promise<boolean> {
  const [row] = await on.query<{ is_ahead: boolean }>(
    'select pg_snapshot_xmax($1::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) as is_ahead',
    [snapshot],
  );
  return row!.is_ahead;
}
