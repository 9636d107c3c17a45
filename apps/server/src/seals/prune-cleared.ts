import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CLEARED_DRAWS, CLEARED_PERIODS, Clearings } from '@drawhouse/rules/cleared-records';
import type { ClearedPeriod } from '@drawhouse/rules/cleared-records';
import { formsOf, SEALED_TABLES, TEXT_SETTINGS } from '@drawhouse/rules/sealed-records';
import { parseBundle } from '@drawhouse/tlog/entry-bundles';
import { readRecord, unescaped, valueOf } from '@drawhouse/tlog/on-node-records';
import type { ReadRecord } from '@drawhouse/tlog/on-node-records';
import { TILE_WIDTH, tilePath } from '@drawhouse/tlog/tile-paths';
import { overNetworks } from '../over-networks.ts';
import type { Queryable, Reader } from '../db/database.ts';
import { readTile, syncFolder } from './seal-files.ts';
import { logsIn } from './seal-log.ts';
import { readState } from './seal-state.ts';

/** The types of the columns that keys have; all others are ids. */
const KEY_TYPES: Readonly<Record<string, string>> = {
  network_id: 'integer',
  from_wallet: 'integer',
  wallet_id: 'integer',
  nth: 'integer',
  number: 'integer',
  place: 'smallint',
  from_version: 'bigint',
  first_version: 'bigint',
  first_seq: 'bigint',
  seq: 'bigint',
  paid_at: 'timestamptz',
  token_hash: 'bytea',
  keeper: 'bytea',
  key: 'text',
  model: 'text',
  about: 'text',
  day: 'date',
};

/**
 * Removes the bundles of the seals of whose records none has a row any more, as the clearing of history took it, and what is forgotten by itself. Their hashes stay, so that
 * every proof goes on, and the audit says how many there are. A bundle that is not full stays. Gives how many records went.
 */
export async function pruneCleared(dir: string, db: Reader): Promise<number> {
  const clearings = await db.snapshot(async (on) => {
    await on.query(TEXT_SETTINGS.replaceAll('set ', 'set local '));
    const periods = await on.query<{ [name in keyof ClearedPeriod]: ClearedPeriod[name] }>(
      `${CLEARED_PERIODS} ${overNetworks('seals')}`,
    );
    return new Clearings(periods, await on.query<{ draw: string }>(`${CLEARED_DRAWS} ${overNetworks('seals')}`));
  });
  if (clearings.periods.size === 0) return 0;
  let pruned = 0;
  for (const nth of await logsIn(dir)) pruned += await pruneLog(db, join(dir, String(nth)), clearings);
  return pruned;
}

async function pruneLog(on: Queryable, folder: string, clearings: Clearings): Promise<number> {
  const state = await readState(folder);
  const folders = new Set<string>();
  let pruned = 0;
  for (let index = 0; (index + 1) * TILE_WIDTH <= (state?.size ?? 0); index++) {
    const tile = { level: 'entries', index, width: TILE_WIDTH } as const;
    const bytes = await readTile(folder, tile).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    const records = bytes && takenRecords(parseBundle(bytes), clearings);
    if (!records || (await hasRows(on, records))) continue;
    const file = join(folder, tilePath(tile));
    await rm(file, { force: true });
    folders.add(dirname(file));
    pruned += TILE_WIDTH;
  }
  for (const one of folders) await syncFolder(one);
  return pruned;
}

/** The records of a bundle, if all of them are such as clearing may have taken, or as go by themselves. */
function takenRecords(entries: readonly Uint8Array[], clearings: Clearings): ReadRecord[] | undefined {
  const records: ReadRecord[] = [];
  for (const entry of entries) {
    const record = readRecord(entry);
    const { table, version, fields, isHashed } = record;
    const sealed = SEALED_TABLES[table];
    if (!sealed || !formsOf(table).some((form) => form.version === version)) return undefined;
    const value = isHashed ? undefined : (column: string): string | null => valueOf(record, column);
    const isTaken =
      sealed.row === 'forgotten' ||
      (sealed.key[0] === 'network_id' && clearings.mayHaveTaken(fields[0]!, table, value) !== false);
    if (!isTaken) return undefined;
    records.push(record);
  }
  return records;
}

/** Whether any of these records has a row. */
async function hasRows(on: Queryable, records: readonly ReadRecord[]): Promise<boolean> {
  for (const [table, some] of Map.groupBy(records, (record) => record.table)) {
    const { key } = SEALED_TABLES[table]!;
    const columns = key.map((_column, at) => some.map(({ fields }) => unescaped(fields[at]!)));
    const arrays = key.map((column, at) => `$${at + 1}::text[]::${KEY_TYPES[column] ?? 'uuid'}[]`);
    const [row] = await on.query<{ is_there: boolean }>(
      `select ${overNetworks('seals')} exists (select from ${table} where (${key.join(', ')}) in (select * from unnest(${arrays.join(', ')}))) as is_there`,
      columns,
    );
    if (row!.is_there) return true;
  }
  return false;
}
