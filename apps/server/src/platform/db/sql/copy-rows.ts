import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type DedicatedConnection, withDedicatedConnections } from '../connection/dedicated-connections.ts';
import type { Sql } from './sql.ts';

/** Text-format rows, one per line. `rowCount` is set after the stream ends. */
export interface CopiedRows extends Readable {
  readonly rowCount: number;
}

export interface Copier {
  query<R extends object>(statement: Sql | string, values?: readonly unknown[], name?: string): Promise<R[]>;
  copy(select: string): CopiedRows;
}

/** One snapshot on several dedicated connections. No timeouts, because copies may take minutes. */
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
      const config = typeof statement === 'string' ? { text: statement, values, name } : statement;
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

const PIECE_BYTES = 16e6;

/**
 * One COPY and transaction per piece; returns the row count. `pieceDone` gets the running count and may throw. Rows
 * must be smaller than a piece. After a failure, finished pieces stay and the connection is usable.
 */
export async function copyInPieces(
  client: DedicatedConnection,
  copy: Sql,
  content: AsyncIterable<Buffer>,
  pieceDone: (rows: number) => Promise<void> | void,
): Promise<number> {
  let rows = 0;
  let piece: Piece | undefined;
  try {
    for await (const chunk of content) {
      let rest = chunk;
      piece ??= beginPiece(client, copy);
      const end = piece.bytes + rest.length < PIECE_BYTES ? -1 : rest.lastIndexOf(NEWLINE);
      if (end >= 0) {
        await write(piece, rest.subarray(0, end + 1));
        rows += await endPiece(piece);
        piece = undefined;
        await pieceDone(rows);
        rest = rest.subarray(end + 1);
      }
      if (rest.length === 0) continue;
      piece ??= beginPiece(client, copy);
      if (piece.bytes + rest.length > 2 * PIECE_BYTES) throw new Error('it has an unterminated row');
      await write(piece, rest);
    }
    if (piece) rows += await endPiece(piece);
    await pieceDone(rows);
    return rows;
  } catch (error) {
    // Destroying the stream aborts COPY and keeps the connection usable.
    piece?.stream.destroy(error as Error);
    await piece?.done.catch(() => {});
    throw error;
  }
}

interface Piece {
  readonly stream: Writable & { rowCount: number };
  readonly done: Promise<void>;
  bytes: number;
}

function beginPiece(client: DedicatedConnection, copy: Sql): Piece {
  const stream = client.query(copyFrom(copy.text));
  const done = finished(stream);
  // The next write reports this failure.
  done.catch(() => {});
  return { stream, done, bytes: 0 };
}

async function write(piece: Piece, bytes: Buffer): Promise<void> {
  piece.bytes += bytes.length;
  if (!piece.stream.write(bytes)) await Promise.race([once(piece.stream, 'drain'), piece.done]);
}

async function endPiece({ stream, done }: Piece): Promise<number> {
  stream.end();
  await done;
  return stream.rowCount;
}
