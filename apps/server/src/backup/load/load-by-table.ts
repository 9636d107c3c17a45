import type { DedicatedConnection } from '../../platform/db/connection/dedicated-connections.ts';
import { DatabaseUnavailable, explained, isRefusal } from '../../platform/db/connection/unavailable.ts';
import { BackupDamaged } from '../take/manifest.ts';
import { loadFile } from './load-rows.ts';
import type { Loading } from './load-rows.ts';
import type { ManifestFile } from '../take/manifest.ts';
import { ROOT_LOG_EXTRACT } from '../restore/root-log-extract.ts';

export async function withLoaded(
  client: DedicatedConnection,
  file: ManifestFile,
  loading: Loading,
  act: () => Promise<unknown>,
): Promise<void> {
  const like = file.table === ROOT_LOG_EXTRACT.table ? 'moved_activity' : file.table;
  await client.query(`create temp table loaded as select ${file.columns.join(', ')} from public.${like} with no data`);
  try {
    await loadFile(client, 'pg_temp.loaded', file, loading);
    await act().catch((error: unknown) => {
      if (!isRefusal(error) || explained(error) instanceof DatabaseUnavailable) throw error;
      throw new BackupDamaged(`rows of ${file.table} are not valid: ${(error as Error).message}`);
    });
  } finally {
    await client.query('drop table loaded').catch(() => {});
  }
}

/** `instead` maps columns to replacement expressions. */
export async function loadByTable(
  client: DedicatedConnection,
  file: ManifestFile,
  loading: Loading,
  instead: Readonly<Record<string, string>> = {},
  check?: () => Promise<void>,
): Promise<void> {
  const { table, columns } = file;
  const values = columns.map((name) => instead[name] ?? name);
  await withLoaded(client, file, loading, async () => {
    await check?.();
    await client.query(
      `insert into public.${table} (${columns.join(', ')}) select ${values.join(', ')} from loaded on conflict do nothing`,
    );
  });
}
