import { createReadStream } from 'node:fs';
import path from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import type { Duplex, Writable } from 'node:stream';
import { once } from 'node:events';
import { createZstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { DatabaseUnavailable, explained } from '../db/unavailable.ts';
import { fileNameOf } from './manifest.ts';
import type { Manifest, ManifestFile } from './manifest.ts';
import { createMeasure, differenceOf } from './measure.ts';

/** So many bytes of rows are loaded in one transaction, and the rest of the last row. */
const PIECE_BYTES = 16e6;
const NEWLINE = 0x0a;

/** A backup that can't be restored, in a sentence of what is wrong with it. */
export class BackupDamaged extends Error {}

/** What {@link loadFile} is given. */
export interface Loading {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Decrypts. */
  readonly open: () => Duplex;
  readonly signal: AbortSignal;
  /** Hears of bytes of the file that were read. */
  readonly read: (bytes: number) => void;
}

/**
 * Loads the rows of a file of a backup into a table, in transactions of bounded size, and compares the file with the manifest on the way. Throws
 * {@link BackupDamaged} where it is another, or PostgreSQL takes a row of it for none; what was loaded by then stays.
 */
export async function loadFile(
  client: pg.Client,
  into: string,
  file: ManifestFile,
  { folder, manifest, open, signal, read }: Loading,
): Promise<void> {
  const name = fileNameOf(file.table, manifest);
  const copy = `copy ${into} (${file.columns.join(', ')}) from stdin`;
  let seen = 0;
  const measure = createMeasure();
  let rows = 0;
  try {
    await pipeline(
      createReadStream(path.join(folder, name)),
      measure.step,
      open(),
      createZstdDecompress(),
      async (content: AsyncIterable<Buffer>) => {
        rows = await copyInPieces(client, copy, content, () => {
          read(measure.bytes() - seen);
          seen = measure.bytes();
        });
      },
      { signal },
    );
  } catch (error) {
    signal.throwIfAborted();
    if (explained(error) instanceof DatabaseUnavailable) throw explained(error);
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BackupDamaged(code === 'ENOENT' ? `${name} is missing` : `${name} can't be read: ${message}`, {
      cause: error,
    });
  }
  const difference = differenceOf(measure, file);
  if (difference !== undefined) throw new BackupDamaged(`${name} ${difference}`);
  if (rows !== file.rows) throw new BackupDamaged(`${name} has ${rows} rows; the manifest says ${file.rows}`);
}

/** Copies rows by one COPY after the other, each to its end, and gives how many they were. */
async function copyInPieces(
  client: pg.Client,
  copy: string,
  content: AsyncIterable<Buffer>,
  pieceDone: () => void,
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
        pieceDone();
        rest = rest.subarray(end + 1);
        piece = undefined;
      }
      if (rest.length > 0) await write((piece ??= beginPiece(client, copy)), rest);
    }
    if (piece) rows += await endPiece(piece);
    pieceDone();
    return rows;
  } catch (error) {
    // A COPY that is given up is told so, and leaves its connection as it was.
    piece?.stream.destroy(error as Error);
    await piece?.done.catch(() => {});
    throw error;
  }
}

/** A COPY that is under way. */
interface Piece {
  readonly stream: Writable & { rowCount: number };
  readonly done: Promise<void>;
  bytes: number;
}

function beginPiece(client: pg.Client, copy: string): Piece {
  const stream = client.query(copyFrom(copy));
  const done = finished(stream);
  // Whoever writes next hears of it.
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
