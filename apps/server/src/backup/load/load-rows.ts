import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { copyInPieces } from '../../platform/db/sql/copy-rows.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { DedicatedConnection } from '../../platform/db/connection/dedicated-connections.ts';
import { DatabaseUnavailable, explained, isRefusal } from '../../platform/db/connection/unavailable.ts';
import { BackupDamaged, fileNameOf, type Manifest, type ManifestFile } from '../take/archive/manifest.ts';
import { BackupRefused } from '../keep/disk-space.ts';
import { createMeasure, differenceOf, unreadable } from '../take/measure-stream.ts';
import { streamOf } from '../take/archive/plain-file.ts';
import { excessRowsText, problemOf } from '../keep/verify-backup.ts';
import { Transform, type Duplex } from 'node:stream';
import { ROOT_LOG_EXTRACT } from '../backup-tables.ts';
import { DAMAGE } from '../backup-texts.ts';

export interface Loading {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly open: () => Duplex;
  readonly signal: AbortSignal;
  readonly read: (bytes: number) => void;
  /** Throws BackupRefused if the database disk is full. */
  readonly room: () => Promise<void>;
  readonly isBusy: () => boolean;
}

/**
 * Loads in bounded transactions. Throws {@link BackupDamaged} if the file differs or PostgreSQL rejects a row,
 * BackupRefused if space runs out. Rows loaded so far remain.
 */
export async function loadFile(
  client: DedicatedConnection,
  into: string,
  file: ManifestFile,
  { folder, manifest, open, signal, read, room, isBusy }: Loading,
): Promise<void> {
  const name = fileNameOf(file.table, manifest);
  const copy = sql`copy ${sql.ref(into)} (${sql.raw(file.columns.join(', '))}) from stdin`;
  let seen = 0;
  const measure = createMeasure();
  let rows = 0;
  try {
    await pipeline(
      streamOf(path.join(folder, name)),
      measure.step,
      open(),
      createZstdDecompress(),
      createRowReader(() => {}, isBusy),
      async (content: AsyncIterable<Buffer>) => {
        rows = await copyInPieces(client, copy, content, async (sofar) => {
          read(measure.bytes() - seen);
          seen = measure.bytes();
          // Guards against decompression bombs.
          if (sofar > file.rows) throw new Error(excessRowsText(file));
          await room();
        });
      },
      { signal },
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BackupRefused) throw error;
    if (explained(error) instanceof DatabaseUnavailable) throw explained(error);
    throw new BackupDamaged(DAMAGE.ofFile(name, unreadable(error as Error)), { cause: error });
  }
  const difference = differenceOf(measure, file);
  if (difference !== undefined) throw new BackupDamaged(`${name} ${difference}`);
  if (rows !== file.rows) throw new BackupDamaged(DAMAGE.rowsMissing(name, rows, file.rows));
}

export async function compareFile(
  file: ManifestFile,
  { folder, manifest, open, signal, read }: Loading,
): Promise<void> {
  const name = fileNameOf(file.table, manifest);
  const problem = await problemOf(path.join(folder, name), file, { open, signal });
  signal.throwIfAborted();
  if (problem !== undefined) throw new BackupDamaged(`${name} ${problem}`);
  read(file.bytes);
}

/** While others need the CPU, pauses after each piece for `PAUSES` times its duration, up to a limit. */
const PIECE_BYTES = 1e6;
const PAUSES = 5;
const MAX_PAUSE_MS = 200;

export function createRowReader(passed: (bytes: number) => void, isBusy: () => boolean = () => false): Transform {
  let [pieceBytes, sinceMs] = [0, performance.now()];
  const begin = (): void => void ([pieceBytes, sinceMs] = [0, performance.now()]);
  return new Transform({
    transform(chunk: Uint8Array, _encoding, pass) {
      passed(chunk.length);
      pieceBytes += chunk.length;
      if (pieceBytes < PIECE_BYTES) return pass(null, chunk);
      const pauseMs = isBusy() ? Math.min(MAX_PAUSE_MS, (performance.now() - sinceMs) * PAUSES) : 0;
      const goOn = (): void => {
        begin();
        pass(null, chunk);
      };
      if (pauseMs > 0) setTimeout(goOn, pauseMs);
      else goOn();
    },
    flush(end) {
      passed(Infinity);
      end();
    },
  });
}

export async function withLoaded(
  client: DedicatedConnection,
  file: ManifestFile,
  loading: Loading,
  act: () => Promise<unknown>,
): Promise<void> {
  const columns = sql.raw(file.columns.join(', '));
  const like = sql.ref(file.table === ROOT_LOG_EXTRACT.table ? 'moved_activity' : file.table);
  await client.query(sql`create temp table loaded as select ${columns} from public.${like} with no data`);
  try {
    await loadFile(client, 'pg_temp.loaded', file, loading);
    await act().catch((error: unknown) => {
      if (!isRefusal(error) || explained(error) instanceof DatabaseUnavailable) throw error;
      throw new BackupDamaged(DAMAGE.rowsInvalid(file.table, (error as Error).message));
    });
  } finally {
    await client.query(sql`drop table loaded`).catch(() => {});
  }
}

export async function loadByTable(
  client: DedicatedConnection,
  file: ManifestFile,
  loading: Loading,
  instead: Readonly<Record<string, Sql>> = {},
  check?: () => Promise<void>,
): Promise<void> {
  const { table, columns } = file;
  const values = columns.map((name) => instead[name] ?? sql.ref(name));
  await withLoaded(client, file, loading, async () => {
    await check?.();
    await client.query(
      sql`insert into public.${sql.ref(table)} (${sql.raw(columns.join(', '))}) select ${sql.join(values)} from loaded
        on conflict do nothing`,
    );
  });
}
