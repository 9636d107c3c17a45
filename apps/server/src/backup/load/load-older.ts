import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { copierOn } from '../../platform/db/sql/copy-rows.ts';
import {
  shareOut,
  withDedicatedConnections,
  type DedicatedConnection,
} from '../../platform/db/connection/dedicated-connections.ts';
import { DatabaseUnavailable, explained } from '../../platform/db/connection/unavailable.ts';
import { BackupDamaged, requireWallets, type Manifest } from '../take/archive/manifest.ts';
import { columnsByTable, copiedNames, ROOT_LOG_EXTRACT } from '../backup-tables.ts';
import { compareFile, loadFile, type Loading } from './load-rows.ts';
import { DAMAGE } from '../backup-texts.ts';

const CONNECTIONS = 2;
const [ACCOUNTS, NETWORKS, SETTINGS] = ['accounts', 'networks', 'pinned_settings'] as const;
/** About the database itself, so backups lack them. */
const OF_DATABASE: ReadonlySet<string> = new Set([NETWORKS, SETTINGS, 'migrations']);

/**
 * Needs an empty database of the backup's schema. Returns the network number. Assumes only network rows, the time zone
 * setting, account columns (id, parent, role, chain, network), wallet kinds and balances.
 */
export async function loadOlder(url: string, loading: Loading): Promise<number> {
  const { signal } = loading;
  const [extracts, files] = partition(loading.manifest.files, ({ table }) => table === ROOT_LOG_EXTRACT.table);
  const manifest = { ...loading.manifest, files };
  for (const file of extracts) await compareFile(file, loading);
  return withDedicatedConnections(url, CONNECTIONS, signal, async (clients) => {
    const [mainClient] = clients as [DedicatedConnection, ...DedicatedConnection[]];
    const tables = await columnsByTable(copierOn(mainClient));
    requireOfSchema(manifest, tables);
    const references = await dropReferences(mainClient);
    const number = await openNetwork(mainClient, manifest);
    const bySize = manifest.files.toSorted((a, b) => b.bytes - a.bytes);
    await shareOut(clients, bySize, (client, file) => loadFile(client, `public.${file.table}`, file, loading));
    await requireWallets(copierOn(mainClient), number, manifest);
    await addSuperadmin(mainClient, manifest, tables.get(ACCOUNTS)!);
    await addReferences(mainClient, references, signal);
    // The next step reads everything and needs statistics.
    await mainClient.query('analyze');
    return number;
  });
}

/** Requires today's tables as far as the schema has them. Later migrations may have replaced others. */
function requireOfSchema({ files }: Manifest, tables: ReadonlyMap<string, readonly string[]>): void {
  const named = new Set<string>();
  for (const { table, columns } of files) {
    if (named.has(table) || OF_DATABASE.has(table) || tables.get(table)?.join() !== columns.join())
      throw new BackupDamaged(DAMAGE.noFileInVersion(table));
    named.add(table);
  }
  if (copiedNames().some((table) => tables.has(table) && !named.has(table)))
    throw new BackupDamaged(DAMAGE.manifestIncomplete);
}

interface Reference {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Rows arrive in any order. Returns the dropped keys. */
async function dropReferences(client: DedicatedConnection): Promise<readonly Reference[]> {
  const { rows } = await client.query<Reference>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows;
}

async function addReferences(
  client: DedicatedConnection,
  references: readonly Reference[],
  signal: AbortSignal,
): Promise<void> {
  try {
    for (const { table, name, definition } of references)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  } catch (error) {
    signal.throwIfAborted();
    if (explained(error) instanceof DatabaseUnavailable) throw error;
    throw new BackupDamaged(DAMAGE.inconsistent((error as Error).message), { cause: error });
  }
}

/** Loaded rows default to this network. Deletes rows inserted by migrations; the backup has its own. */
async function openNetwork(client: DedicatedConnection, { admin, timeZone, files }: Manifest): Promise<number> {
  await addRow(client, SETTINGS, { name: 'time-zone', value: timeZone });
  await addRow(client, NETWORKS, { admin_id: admin.id });
  const { rows } = await client.query<{ id: number }>(`select id from ${NETWORKS} where admin_id = $1`, [admin.id]);
  const number = rows[0]!.id;
  await client.query(`truncate ${files.map(({ table }) => `public.${table}`).join(', ')}`);
  await client.query(
    `do $$ declare t text; begin
       for t in select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'network_id'
         and not a.attisdropped
         where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       loop
         execute format('alter table public.%I alter column network_id set default ${number}', t);
       end loop;
     end $$`,
  );
  return number;
}

async function addRow(
  client: DedicatedConnection,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  await client.query(
    `insert into public.${table} (${names.join(', ')}) values (${places.join(', ')})`,
    Object.values(row),
  );
}

/** Backups exclude superadmins, so the admin needs a placeholder parent. */
async function addSuperadmin(
  client: DedicatedConnection,
  { admin }: Manifest,
  columns: readonly string[],
): Promise<void> {
  const list = columns.join(', ');
  await client.query(`create temp table above as select ${list} from public.${ACCOUNTS} where id = '${admin.id}'`);
  const { rows: unique } = await client.query<{ name: string }>(
    `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.atttypid = 'text'::regtype
     where i.indrelid = 'public.${ACCOUNTS}'::regclass and i.indisunique and (a.attnum = any (i.indkey) or exists (
       select from pg_depend d where d.objid = i.indexrelid and d.refobjid = i.indrelid and d.refobjsubid = a.attnum))`,
  );
  const { rowCount } = await client.query(
    `update above set id = parent_id, parent_id = null, role = 'superadmin', chain = array[parent_id]
       ${unique.map(({ name }) => `, ${name} = parent_id::text`).join('')} where role = 'admin' and parent_id is not null`,
  );
  if (rowCount !== 1) throw new BackupDamaged(DAMAGE.noAdminAccount);
  await client.query(`insert into public.${ACCOUNTS} (network_id, ${list}) select ${ROOT_NETWORK}, ${list} from above`);
}

export function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
