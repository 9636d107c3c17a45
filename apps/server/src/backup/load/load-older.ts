import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { copierOn } from '../../platform/db/sql/copy-rows.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import {
  shareOut,
  withDedicatedConnections,
  type DedicatedConnection,
} from '../../platform/db/connection/dedicated-connections.ts';
import { DatabaseUnavailable, explained } from '../../platform/db/connection/unavailable.ts';
import { BackupDamaged, requireWallets, type Manifest } from '../take/archive/manifest.ts';
import { columnsByTable, copiedNames, partition, ROOT_LOG_EXTRACT } from '../backup-tables.ts';
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
    await mainClient.query(sql`analyze`);
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
  readonly drop: string;
  readonly add: string;
}

/** Rows arrive in any order. Returns the dropped keys. */
async function dropReferences(client: DedicatedConnection): Promise<readonly Reference[]> {
  const { rows } = await client.query<Reference>(
    sql`select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  for (const { drop } of rows) await client.query(sql.raw(drop));
  return rows;
}

async function addReferences(
  client: DedicatedConnection,
  references: readonly Reference[],
  signal: AbortSignal,
): Promise<void> {
  try {
    for (const { add } of references) await client.query(sql.raw(add));
  } catch (error) {
    signal.throwIfAborted();
    if (explained(error) instanceof DatabaseUnavailable) throw error;
    throw new BackupDamaged(DAMAGE.inconsistent((error as Error).message), { cause: error });
  }
}

/** Loaded rows default to this network. Deletes rows inserted by migrations; the backup has its own. */
async function openNetwork(client: DedicatedConnection, { admin, timeZone, files }: Manifest): Promise<number> {
  await client.query(sql`insert into public.${sql.ref(SETTINGS)} (name, value) values ('time-zone', ${timeZone})`);
  const { rows } = await client.query<{ id: number }>(
    sql`insert into public.${sql.ref(NETWORKS)} (admin_id) values (${admin.id}) returning id`,
  );
  const number = rows[0]!.id;
  await client.query(sql`truncate ${sql.join(files.map(({ table }) => sql.ref(`public.${table}`)))}`);
  await client.query(
    sql`do $$ declare t text; begin
       for t in select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'network_id'
         and not a.attisdropped
         where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       loop
         execute format('alter table public.%I alter column network_id set default ${sql.lit(number)}', t);
       end loop;
     end $$`,
  );
  return number;
}

/** Backups exclude superadmins, so the admin needs a placeholder parent. */
async function addSuperadmin(
  client: DedicatedConnection,
  { admin }: Manifest,
  columns: readonly string[],
): Promise<void> {
  const [accounts, list] = [sql.ref(`public.${ACCOUNTS}`), sql.raw(columns.join(', '))];
  await client.query(sql`create temp table above as select ${list} from ${accounts} where id = ${admin.id}`);
  const { rows } = await client.query<{ unique: string }>(
    sql`select coalesce(string_agg(format(', %I = parent_id::text', a.attname), ''), '') as unique
     from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.atttypid = 'text'::regtype
     where i.indrelid = '${accounts}'::regclass and i.indisunique and (a.attnum = any (i.indkey) or exists (
       select from pg_depend d where d.objid = i.indexrelid and d.refobjid = i.indrelid and d.refobjsubid = a.attnum))`,
  );
  const { rowCount } = await client.query(
    sql`update above set id = parent_id, parent_id = null, role = 'superadmin', chain = array[parent_id]
       ${sql.raw(rows[0]!.unique)} where role = 'admin' and parent_id is not null`,
  );
  if (rowCount !== 1) throw new BackupDamaged(DAMAGE.noAdminAccount);
  await client.query(
    sql`insert into ${accounts} (network_id, ${list}) select ${sql.lit(ROOT_NETWORK)}, ${list} from above`,
  );
}
