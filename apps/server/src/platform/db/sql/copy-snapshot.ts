import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { withDedicatedConnections, type DedicatedConnection } from '../connection/dedicated-connections.ts';
import type { Sql } from './sql.ts';

/** Text-format rows, one per line. `rowCount` is set after the stream ends. */
export interface CopiedRows extends Readable {
  readonly rowCount: number;
}

export interface Copier {
  query<R extends object>(statement: Sql | string, values?: readonly unknown[], name?: string): Promise<R[]>;
  copy(select: string): CopiedRows;
}

/**
 * One snapshot on several dedicated connections. No timeouts, because copies may take minutes. Throws
 * DatabaseUnavailable, or the signal's reason.
 */
export async function copySnapshot<T>(
  connectionString: string,
  connections: number,
  signal: AbortSignal,
  read: (on: readonly Copier[]) => Promise<T>,
): Promise<T> {
  return withDedicatedConnections(connectionString, connections, signal, async (clients) => {
    const [first, ...others] = clients;
    await first!.query('begin isolation level repeatable read, read only');
    const { rows } = await first!.query<{ id: string }>('select pg_export_snapshot() as id');
    for (const other of others)
      await other.query(`begin isolation level repeatable read, read only; set transaction snapshot '${rows[0]!.id}'`);
    return read(clients.map(copierOn));
  });
}

export function copierOn(client: DedicatedConnection): Copier {
  return {
    query: async <R extends object>(statement: Sql | string, values?: readonly unknown[], name?: string) => {
      const config = typeof statement === 'string' ? { text: statement, values, name } : statement.config;
      return (await client.query<R & pg.QueryResultRow>(config as pg.QueryConfig)).rows;
    },
    copy: (select) => client.query(copyTo(`copy (${select}) to stdout`)),
  };
}

const NEWLINE = 0x0a;

export class LineSplitter {
  #rest: Buffer = Buffer.alloc(0);

  take(chunk: Buffer, each: (bytes: Buffer, from: number, end: number) => void): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      each(bytes, from, end + 1);
      from = end + 1;
    }
    this.#rest = bytes.subarray(from);
  }
}
