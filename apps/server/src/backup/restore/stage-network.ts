import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import {
  shareOut,
  withDedicatedConnections,
  type DedicatedConnection,
} from '../../platform/db/connection/dedicated-connections.ts';
import { lowerConnectionPriority } from '../../platform/db/connection/backend-process.ts';
import type { Work, NetworkWork } from '../../activity/network-work/network-work.ts';
import { isFenced } from '../../activity/network-work/fences.ts';
import type { Services } from '../../platform/services.ts';
import { TABLE_OWNERS } from '../../config/tables/table-owners.ts';
import {
  isCatalogueTable,
  loadRootLogExtract,
  rebaseRootColumns,
  readCatalogue,
  requireSelfContained,
  requireOwnDraws,
  requireTerms,
  readForeignSuperadmin,
  type ForeignStaging,
} from '../move/stage-foreign-network.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { BackupDamaged, bytesOf, requireWallets, type Manifest, type ManifestFile } from '../take/archive/manifest.ts';
import type { CompleteBackup } from '../keep/backup-folders.ts';
import { requireOpener } from '../take/archive/encryption.ts';
import { loadByTable, compareFile, loadFile, type Loading } from '../load/load-rows.ts';
import { requireRestorable } from './require-restorable.ts';
import { partition, ROOT_LOG_EXTRACT } from '../backup-tables.ts';
import { withBusyWatch } from '../take/watch-busy.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { leastIdAt } from '../../platform/db/sql/uuids.ts';
import { BACKUP_TEXTS, DAMAGE } from '../backup-texts.ts';

const CONNECTIONS = 2;

/**
 * Database bytes per file byte, with indexes: 4.2 for 200,000 tickets. Pure accounts take 30, caught during loading.
 */
const ROWS_TO_FILES = 4;

export interface StageOrder {
  readonly services: Services;
  readonly connectionString: string;
  readonly key: string | undefined;
  readonly backup: CompleteBackup;
  readonly adminId: string;
  readonly work: Work;
  readonly moving?: ForeignStaging | undefined;
  readonly isForeign: boolean;
  readonly room: (bytes: number) => Promise<void>;
}

/** Loads in bounded transactions and returns the network number. Failures leave nothing. */
export async function stageNetwork(order: StageOrder): Promise<number> {
  const { services, backup, adminId, work } = order;
  const { manifest } = backup;
  await requireRestorable(order);
  const open = await requireOpener(manifest, order.key);
  const total = bytesOf(manifest);
  await order.room(ROWS_TO_FILES * total);
  const rootLog = BigInt(manifest.rootLog.seq);
  const number = order.moving?.replicated?.number ?? (await reserveStagedNetwork(services, { adminId, rootLog }));
  try {
    let done = 0;
    const read = (bytes: number): void => work.progress('Loading', (done += bytes), total);
    const room = (): Promise<void> => order.room(0);
    const loading = { folder: backup.folder, manifest, open, signal: work.signal, read, room };
    await withBusyWatch((isBusy) =>
      withDedicatedConnections(order.connectionString, CONNECTIONS, work.signal, (clients) =>
        loadAll(clients, number, { ...loading, isBusy: () => !order.moving?.replicated && isBusy() }, order.moving),
      ),
    );
    await requireCompleteness(services, number, manifest);
    if (order.isForeign) await requireOwnDraws(services, number, adminId);
    if (order.moving) await requireSelfContained(services, number, adminId);
    return number;
  } catch (error) {
    await dropStagedNetwork(services.db, number).catch(() => {});
    throw error;
  }
}

async function loadAll(
  clients: readonly DedicatedConnection[],
  number: number,
  loading: Loading,
  moving: ForeignStaging | undefined,
): Promise<void> {
  for (const client of clients) {
    // The network of a move is closed meanwhile.
    if (!moving?.replicated) lowerConnectionPriority(client);
    // A crash drops staged rows anyway, and the exchange's commit flushes them.
    await client.query(
      sql`select set_config('drawhouse.network', ${String(number)}, false), set_config('synchronous_commit', 'off', false)`,
    );
  }
  const [shared, ofNetwork] = partition(loading.manifest.files, ({ table }) => !isKeyed(table));
  await loadShared(clients[0]!, shared, loading, moving);
  const guarded = await guardedTables(clients[0]!);
  const superadmin = moving && { from: await readForeignSuperadmin(clients[0]!, number), to: moving.superadmin };
  const waiting = ofNetwork.toSorted((a, b) => b.bytes - a.bytes);
  await shareOut(clients, waiting, async (client, file) => {
    const { table } = file;
    if (file.rows === 0 || (moving && table === 'undone_activity')) await compareFile(file, loading);
    else if (guarded.has(table) || (moving && TABLE_OWNERS[table]!.ofRoot))
      await loadByTable(client, file, loading, superadmin && rebaseRootColumns(table, loading.manifest, superadmin));
    else await loadFile(client, `public.${table}`, file, loading);
  });
}

function isKeyed(table: string): boolean {
  const use = TABLE_OWNERS[table];
  return use !== undefined && use.backup === undefined;
}

/** Verifies shared tables without changing them. A move adds missing rows and the root's log rows. */
async function loadShared(
  client: DedicatedConnection,
  files: readonly ManifestFile[],
  loading: Loading,
  moving: ForeignStaging | undefined,
): Promise<void> {
  const isTried = ({ sha256 }: ManifestFile): boolean => moving?.replicated?.tried.has(sha256) === true;
  const catalogue = files.filter(({ table }) => isCatalogueTable(table));
  if (moving && !catalogue.every(isTried)) await moving.addGames(await readCatalogue(client, files, loading));
  for (const file of files) {
    const { table } = file;
    if (table === 'accounts') await loadFile(client, 'public.staged_accounts', file, loading);
    else if (!moving || file.rows === 0) await compareFile(file, loading);
    else if (table === ROOT_LOG_EXTRACT.table) await loadRootLogExtract(client, file, loading, moving.id);
    else if (!isCatalogueTable(table) && !isTried(file))
      await loadByTable(client, file, loading, {}, () => requireTerms(client));
  }
}

/** COPY cannot insert into tables with row security. */
async function guardedTables(client: DedicatedConnection): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Totals match the manifest, accounts form one network, and its games exist. */
async function requireCompleteness({ db }: Services, number: number, manifest: Manifest): Promise<void> {
  await requireWallets(db.patient, number, manifest);
  const [wrong] = await db.patient.query<{ accounts: bigint; names: bigint; games: string | null }>(
    sql`select (select count(*) from staged_accounts a left join staged_accounts up on up.network_id = ${number} and up.id = a.parent_id
             where a.network_id = ${number} and (a.chain[2] is distinct
               from ${manifest.admin.id} or a.role = 'superadmin' or (a.role = 'admin') <> (a.id = ${manifest.admin.id})
               or (a.id <> ${manifest.admin.id} and up.id is null)
               or exists (select from accounts other where other.id = a.id and other.network_id is distinct from
                 (select network_id from accounts where id = ${manifest.admin.id})))) as accounts,
            (select count(*) - least(count(distinct lower(username)), count(distinct unique_id)) from staged_accounts
              where network_id = ${number}) as names,
            (select string_agg(owner_id::text, ', ') from wallets where network_id = ${number} and kind = ${sql.lit(WALLET_KINDS.table)}
               and owner_id not in (select id from games)) as games`,
  );
  if (wrong!.accounts > 0n) throw new BackupDamaged(DAMAGE.foreignAccounts(wrong!.accounts));
  if (wrong!.names > 0n) throw new BackupDamaged(DAMAGE.sameNames);
  if (wrong!.games !== null) throw new BackupDamaged(DAMAGE.gamesMissing(wrong!.games));
  await db.query(
    sql`update staged_networks set wallets = (select count(*) from wallets where network_id = ${number}) where id = ${number}`,
  );
}

/** A restore can be undone this long. */
export const STAGED_LIFETIME_MS = 24 * 3_600_000;
const PIECE_ROWS = 10_000;

interface StagedNetwork {
  readonly id: number;
  readonly adminId: string;
  readonly state: 'staged' | 'replaced';
  readonly since: Date;
  readonly rootLog: bigint;
}

const COLUMNS = 'id, of_admin as "adminId", state, since, root_log as "rootLog"';

/** A replicated network keeps its number. */
export async function reserveStagedNetwork(
  { db, clock }: Services,
  { adminId, rootLog, number }: { readonly adminId: string; readonly rootLog: bigint; readonly number?: number },
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    sql`insert into staged_networks (id, of_admin, since, root_log, wallets, state)
     select coalesce(${number ?? null}::int, next_network()), ${adminId}, ${clock.now()}, ${rootLog}, 0, 'staged'
     where not exists (select from networks where id = ${number ?? null}) returning id`,
  );
  // Dropping the staged network would delete the live one's rows.
  if (!row) throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.numberTaken(number!) });
  return row.id;
}

export async function dropStagedNetwork(on: Queryable, id: number): Promise<void> {
  for (;;) {
    const [row] = await on.query<{ gone: bigint }>(sql`select delete_beside(${id}, ${PIECE_ROWS}) as gone`);
    if (row!.gone === 0n) return;
  }
}

export async function lastReplaced(on: Queryable, adminId: string, now: Date): Promise<StagedNetwork | undefined> {
  const [row] = await on.query<StagedNetwork>(
    sql`select ${sql.raw(COLUMNS)} from staged_networks
      where of_admin = ${adminId} and state = 'replaced' and since > ${new Date(now.getTime() - STAGED_LIFETIME_MS)}
      order by since desc, id desc limit 1`,
  );
  return row;
}

/** True if an undo exchanged the live network then, false if a restore did. */
export async function isFromUndo(on: Queryable, live: number, exchangedAt: Date): Promise<boolean> {
  const rows = await on.query(
    sql`select from activity where network_id = ${live} and chain <> '{}' and id >= ${leastIdAt(exchangedAt)}
          and detail ? 'undoneRestoreOf' limit 1`,
  );
  return rows.length > 0;
}

/** Deletes replaced networks once expired or superseded, and leftovers of killed restores. */
export async function sweepStagedNetworks({ db, clock }: Services, work: NetworkWork): Promise<void> {
  const all = await db.query<StagedNetwork>(
    sql`select ${sql.raw(COLUMNS)} from staged_networks order by since desc, id desc`,
  );
  for (const copy of all) {
    const { id, adminId, since } = copy;
    const isLast = all.find((other) => other.adminId === adminId && other.state === 'replaced') === copy;
    const isRetained = isLast && since.getTime() > clock.now().getTime() - STAGED_LIFETIME_MS;
    // Running work, or a fence, may be the undo that needs it.
    if (isRetained || (await isFenced(db, id))) continue;
    if ((await work.latest(adminId))?.finishedAt !== null) await dropStagedNetwork(db, id);
  }
}
