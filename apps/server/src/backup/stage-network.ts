import { WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import { withOwnConnections } from '../db/own-connections.ts';
import type { OwnConnection } from '../db/own-connections.ts';
import type { Work } from '../network-work/network-work.ts';
import type { Services } from '../services.ts';
import type { TableOwner } from '../table-owner.ts';
import { TABLE_OWNERS } from '../table-owners.ts';
import type { WholeBackup } from './backup-folders.ts';
import { copiedTables } from './backup-tables.ts';
import { dropBeside, openBeside } from './beside.ts';
import { requireOpener } from './encryption.ts';
import { BackupDamaged } from './backup-damaged.ts';
import { loadFile } from './load-rows.ts';
import type { Loading } from './load-rows.ts';
import type { Manifest, ManifestFile } from './manifest.ts';

/** Tables that are loaded side by side. */
const CONNECTIONS = 2;

/** What loading a backup needs. */
export interface StageOrder {
  readonly services: Services;
  readonly connectionString: string;
  /** `BACKUP_KEY`. */
  readonly key: string | undefined;
  readonly backup: WholeBackup;
  /** The admin whose network it is to be. */
  readonly adminId: string;
  readonly work: Work;
}

/**
 * Loads a backup beside the networks, in transactions of bounded size, and gives the number that its rows have there. Throws
 * {@link BackupDamaged} where it is not what its manifest says, or not a network of this admin; then nothing of it is left, and neither
 * where the signal ends it.
 */
export async function stageNetwork(order: StageOrder): Promise<number> {
  const { services, backup, adminId, work } = order;
  const { manifest } = backup;
  await requireFits(order);
  const open = await requireOpener(manifest, order.key);
  const number = await openBeside(services, { adminId, rootLog: BigInt(manifest.rootLog.seq) });
  try {
    const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    const read = (bytes: number): void => work.progress('Loading', (done += bytes), total);
    const loading = { folder: backup.folder, manifest, open, signal: work.signal, read };
    await withOwnConnections(order.connectionString, CONNECTIONS, work.signal, (clients) =>
      loadAll(clients, number, loading),
    );
    await requireAsTold(services, number, manifest);
    return number;
  } catch (error) {
    await dropBeside(services.db, number).catch(() => {});
    throw error;
  }
}

/**
 * Throws {@link BackupDamaged} where a backup does not fit by its manifest: it has to be of this admin, of this schema, of days of the same time zone,
 * and to have the files that a backup has.
 */
export async function requireFits({
  services,
  backup: { manifest },
  adminId,
}: Pick<StageOrder, 'services' | 'backup' | 'adminId'>): Promise<void> {
  if (manifest.admin.id !== adminId) throw new BackupDamaged('it is of another network');
  const [row] = await services.db.query<{ schema: string }>('select max(name) as schema from migrations');
  const { schema } = row!;
  if (manifest.schema !== schema)
    throw new BackupDamaged(
      manifest.schema > schema
        ? `it is of a later version of Drawhouse (${manifest.schema}) than this server`
        : `it is of an earlier version of Drawhouse (${manifest.schema}), from before the first release, which this one can't read`,
    );
  if (manifest.timeZone !== services.timeZone)
    throw new BackupDamaged(
      `its days are those of ${manifest.timeZone}, and here they are those of ${services.timeZone}`,
    );
  const expected = await copiedTables(services.db);
  const problem = manifest.files.length !== expected.length ? 'is not complete' : undefined;
  for (const [index, { table, columns }] of expected.entries()) {
    const file = manifest.files[index];
    if (problem || file?.table !== table || file.columns.join() !== columns.join())
      throw new BackupDamaged(
        `its manifest ${problem ?? `names no file of the table ${table} as this version has it`}`,
      );
  }
}

async function loadAll(clients: readonly OwnConnection[], number: number, loading: Loading): Promise<void> {
  for (const client of clients)
    await client.query(`select set_config('drawhouse.network', $1, false)`, [String(number)]);
  const [shared, ofNetwork] = partedBy(loading.manifest.files, ({ table }) => !isKeyed(TABLE_OWNERS[table]!));
  for (const file of shared) await loadShared(clients[0]!, file, loading);
  const guarded = await guardedTables(clients[0]!);
  const waiting = ofNetwork.toSorted((a, b) => b.bytes - a.bytes);
  const loadWhatWaits = async (client: OwnConnection): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      if (guarded.has(next.table)) await loadByTable(client, next, loading, `${number}::int as network_id, `);
      else await loadFile(client, `public.${next.table}`, next, loading);
  };
  const ended = await Promise.allSettled(clients.map(loadWhatWaits));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

function isKeyed({ backup }: TableOwner): boolean {
  return backup === 'of the network';
}

/** Accounts wait beside; of what all networks share is added what is missing. */
async function loadShared(client: OwnConnection, file: ManifestFile, loading: Loading): Promise<void> {
  if (file.table === 'accounts') return loadFile(client, 'public.staged_accounts', file, loading);
  return loadByTable(client, file, loading);
}

/** The tables into which PostgreSQL lets those that serve add rows of what stands beside alone, which a COPY can't. */
async function guardedTables(client: OwnConnection): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Loads a file into a table of the connection's own, and from there what is missing; `first` are columns before those of the file. */
async function loadByTable(client: OwnConnection, file: ManifestFile, loading: Loading, first = ''): Promise<void> {
  const { table, columns } = file;
  const list = columns.join(', ');
  await client.query(`create temp table loaded (like public.${table})`);
  try {
    if (first !== '') await client.query('alter table loaded drop column network_id');
    await loadFile(client, 'pg_temp.loaded', file, loading);
    const into = first === '' ? list : `network_id, ${list}`;
    await client.query(
      `insert into public.${table} (${into}) select ${first}${list} from loaded on conflict do nothing`,
    );
  } finally {
    await client.query('drop table loaded').catch(() => {});
  }
}

function partedBy<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/** What was loaded holds what the manifest says, its accounts are those of one network below its admin, and it has the games that it plays. */
async function requireAsTold({ db }: Services, number: number, manifest: Manifest): Promise<void> {
  const wallets = await db.patient.query<{ kind: number; wallets: number; balance: string }>(
    `select kind, count(*)::int as wallets, sum(balance)::text as balance from wallets where network_id = $1 group by kind`,
    [number],
  );
  const sumOf = (kind: string, count: number, balance: string): string => `${kind}: ${count} with ${balance}`;
  const kinds = Object.entries(WALLET_KINDS);
  const has = wallets.map((row) =>
    sumOf(kinds.find(([, kind]) => kind === row.kind)?.[0] ?? '', row.wallets, row.balance),
  );
  const told = manifest.wallets.map((row) => sumOf(row.kind, row.wallets, row.balance));
  if (has.toSorted().join() !== told.toSorted().join())
    throw new BackupDamaged('its wallets do not hold what its manifest says');
  const [wrong] = await db.patient.query<{ accounts: bigint; games: string | null }>(
    `select (select count(*) from staged_accounts a left join staged_accounts up on up.network_id = $1 and up.id = a.parent_id
             where a.network_id = $1 and (a.chain[2] is distinct from $2 or a.role = 'superadmin' or (a.role = 'admin') <> (a.id = $2)
               or (a.id <> $2 and up.id is null))) as accounts,
            (select string_agg(owner_id::text, ', ') from wallets where network_id = $1 and kind = ${WALLET_KINDS.table}
               and owner_id not in (select id from games)) as games`,
    [number, manifest.admin.id],
  );
  if (wrong!.accounts > 0n) throw new BackupDamaged(`${wrong!.accounts} of its accounts are not below its admin`);
  if (wrong!.games !== null)
    throw new BackupDamaged(`games of it are others here that have the same key: ${wrong!.games}`);
  await db.query(
    'update networks_beside set wallets = (select count(*) from wallets where network_id = $1) where id = $1',
    [number],
  );
}
