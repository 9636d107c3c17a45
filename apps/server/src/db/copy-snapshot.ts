import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { withOwnConnections } from './own-connections.ts';
import type { OwnConnection } from './own-connections.ts';

/** The rows of a statement in PostgreSQL's text format, a line each; `rowCount` is known when the stream has ended. */
export interface CopiedRows extends Readable {
  readonly rowCount: number;
}

/** A connection that holds a snapshot and can give whole tables out of it. */
export interface Copier {
  /** By a name a statement is kept by the connection, and planned once for many times. */
  query<R extends object>(text: string, values?: readonly unknown[], name?: string): Promise<R[]>;
  /** What a SELECT finds, by COPY: read in pieces, however much it is. A connection does one thing at a time. */
  copy(select: string): CopiedRows;
}

/**
 * Reads one snapshot on several connections of its own, which nothing but the end of `read` or the signal ends: what is copied may take minutes.
 * Throws DatabaseUnavailable where the database is away, and the reason of the signal.
 */
export async function copySnapshot<T>(
  connectionString: string,
  connections: number,
  signal: AbortSignal,
  read: (on: readonly Copier[]) => Promise<T>,
): Promise<T> {
  return withOwnConnections(connectionString, connections, signal, async (clients) => {
    const [first, ...others] = clients as [pg.Client, ...pg.Client[]];
    await first.query('begin isolation level repeatable read, read only');
    const { rows } = await first.query<{ id: string }>('select pg_export_snapshot() as id');
    for (const other of others)
      await other.query(`begin isolation level repeatable read, read only; set transaction snapshot '${rows[0]!.id}'`);
    return read(clients.map(copierOn));
  });
}

/** A connection of one's own as one that can give whole tables, of a snapshot where it holds one. */
export function copierOn(client: OwnConnection): Copier {
  return {
    query: async <R extends object>(text: string, values?: readonly unknown[], name?: string) =>
      (await client.query<R & pg.QueryResultRow>({ text, values, name } as pg.QueryConfig)).rows,
    copy: (select) => client.query(copyTo(`copy (${select}) to stdout`)),
  };
}
