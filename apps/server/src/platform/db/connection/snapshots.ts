import type { Copier } from '../sql/copy-snapshot.ts';

/** Snapshot by transaction ids: shows everything below `first`, nothing from `next`, none of `underWay`. */
export interface ShownTransactions {
  readonly first: string;
  readonly next: string;
  readonly underWay: readonly string[];
}

export function shownBy(snapshot: string): ShownTransactions | undefined {
  const [, first, next, running] = /^(\d+):(\d+):((?:\d+(?:,\d+)*)?)$/.exec(snapshot) ?? [];
  if (first === undefined || next === undefined) return undefined;
  return { first, next, underWay: running ? running.split(',') : [] };
}

/** True if a snapshot shows future transactions: it comes from a newer state or another cluster. */
export async function isAhead(on: Pick<Copier, 'query'>, snapshot: string): Promise<boolean> {
  const [row] = await on.query<{ is_ahead: boolean }>(
    'select pg_snapshot_xmax($1::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) as is_ahead',
    [snapshot],
  );
  return row!.is_ahead;
}
