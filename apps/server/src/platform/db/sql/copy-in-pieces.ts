import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { DedicatedConnection } from '../connection/dedicated-connections.ts';

const PIECE_BYTES = 16e6;
const NEWLINE = 0x0a;

/**
 * One COPY and transaction per piece; returns the row count. `pieceDone` gets the running count and may throw. Rows
 * must be smaller than a piece. After a failure, finished pieces stay and the connection is usable.
 */
export async function copyInPieces(
  client: DedicatedConnection,
  copy: string,
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

function beginPiece(client: DedicatedConnection, copy: string): Piece {
  const stream = client.query(copyFrom(copy));
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
