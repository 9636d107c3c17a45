import path from 'node:path';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { BackupDamaged } from './backup-damaged.ts';
import type { WholeBackup } from './backup-folders.ts';
import { fileNameOf } from './manifest.ts';
import { unreadable } from './measure.ts';
import { streamOf } from './plain-file.ts';

/** No row of the tables that are read so is nearly as long. */
const MAX_ROW_CHARS = 1e6;

/** How the rows of a backup are read. */
export interface RowReading {
  /** Decrypts. */
  readonly open: () => Duplex;
  /** Ends it with its reason. */
  readonly signal: AbortSignal;
}

/**
 * Reads some columns of the rows of a table in a backup, none of which has a backslash in it as PostgreSQL writes them, and gives them to `take`, some
 * rows at a time. Throws {@link BackupDamaged} where they can't be read, and what `take` throws.
 */
export async function readRows<Name extends string>(
  { folder, manifest }: WholeBackup,
  { table, names }: { readonly table: string; readonly names: readonly Name[] },
  { open, signal }: RowReading,
  take: (rows: readonly Readonly<Record<Name, string>>[]) => Promise<void>,
): Promise<void> {
  const name = fileNameOf(table, manifest);
  const columns = manifest.files.find((file) => file.table === table)!.columns;
  const at = names.map((column) => columns.indexOf(column));
  const toRow = (line: string): Record<Name, string> => {
    const values = line.split('\t');
    if (values.length !== columns.length || line.includes('\0')) throw new Error('it has a row that is none');
    return Object.fromEntries(names.map((column, index) => [column, values[at[index]!]!])) as Record<Name, string>;
  };
  let failure: { readonly error: unknown } | undefined;
  try {
    await pipeline(
      streamOf(path.join(folder, name)),
      open(),
      createZstdDecompress(),
      async (content: AsyncIterable<Buffer>) => {
        const decoder = new TextDecoder('utf-8', { fatal: true });
        let rest = '';
        for await (const chunk of content) {
          const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
          rest = lines.pop()!;
          if (rest.length > MAX_ROW_CHARS) throw new Error('it has a row without an end');
          if (lines.length === 0) continue;
          const rows = lines.map(toRow);
          await take(rows).catch((error: unknown) => {
            failure = { error };
            throw error;
          });
        }
      },
      { signal },
    );
  } catch (error) {
    signal.throwIfAborted();
    if (failure) throw failure.error;
    throw new BackupDamaged(`${name} ${unreadable(error as Error)}`, { cause: error });
  }
}
