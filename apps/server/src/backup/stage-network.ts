import { ROOT_NETWORK, WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import type { DrawTerms } from '@drawhouse/rules/terms';
import { shareOut, withOwnConnections } from '../db/own-connections.ts';
import { DatabaseUnavailable, explained, isRefusal } from '../db/unavailable.ts';
import type { OwnConnection } from '../db/own-connections.ts';
import { areTermsOf, TERMS } from '../draws/draw-terms.ts';
import type { Work } from '../network-work/network-work.ts';
import type { Services } from '../services.ts';
import { CATALOGUE_TABLES } from '../games/add-moved-games.ts';
import type { CatalogueElsewhere } from '../games/add-moved-games.ts';
import { TABLE_OWNERS } from '../table-owners.ts';
import type { WholeBackup } from './backup-folders.ts';
import { copiedTables } from './backup-tables.ts';
import { dropBeside, openBeside } from './beside.ts';
import { requireOpener } from './encryption.ts';
import { BackupDamaged } from './backup-damaged.ts';
import { compareFile, loadFile } from './load-rows.ts';
import type { Loading } from './load-rows.ts';
import type { Manifest, ManifestFile } from './manifest.ts';
import { partedBy } from './parted-by.ts';
import { ROOT_TOLD } from './root-told.ts';
import { requireWallets } from './wallet-sums.ts';

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
  /** Where the network comes from another installation. */
  readonly moving?: Arrival | undefined;
}

/** What staging does otherwise where a network comes from another installation. */
export interface Arrival {
  /** The id of the move, which what the root there told is kept under. */
  readonly id: string;
  /** The superadmin whom it comes below. */
  readonly superadmin: string;
  /** Adds what is missing here of the catalogue there, before anything else. */
  readonly addGames: (elsewhere: CatalogueElsewhere) => Promise<void>;
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
      loadAll(clients, number, loading, order.moving),
    );
    await requireAsTold(services, number, manifest);
    if (order.moving) await requireOfItself(services, number, adminId);
    return number;
  } catch (error) {
    await dropBeside(services.db, number).catch(() => {});
    throw error;
  }
}

/** What tells whether a backup fits. */
type Fitting = Pick<StageOrder, 'services' | 'backup' | 'adminId' | 'moving'>;

/**
 * Throws {@link BackupDamaged} unless a backup is of here, as {@link requireOfHere} says, of this schema, and has the files that a backup has.
 */
export async function requireFits(fitting: Fitting): Promise<void> {
  await requireOfHere(fitting);
  const { services, backup } = fitting;
  const { manifest } = backup;
  const [row] = await services.db.query<{ schema: string }>('select max(name) as schema from migrations');
  const { schema } = row!;
  // It was brought up to what this program has: the database is of another one.
  if (manifest.schema !== schema)
    throw new BackupDamaged(`it is of another version of Drawhouse (${manifest.schema}) than the database (${schema})`);
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

/**
 * Throws {@link BackupDamaged} unless a backup is of this admin and of days of the same time zone, and where it is none that moves, was made in this installation,
 * beside the log that its root has.
 */
export async function requireOfHere({ services, backup: { manifest }, adminId, moving }: Fitting): Promise<void> {
  if (manifest.admin.id !== adminId) throw new BackupDamaged('it is of another network');
  requireSameDays(services, manifest);
  if (moving) return;
  const [row] = await services.db.query<{ installation: string; knowsRoot: boolean }>(
    `select (select value from pinned_settings where name = 'installation') as installation,
            $1::bigint = 0 or exists (
              select from activity where network_id = ${ROOT_NETWORK} and seq = $1 and encode(hash, 'hex') = $2) as "knowsRoot"`,
    [manifest.rootLog.seq, manifest.rootLog.hash],
  );
  const { installation, knowsRoot } = row!;
  if (manifest.installation !== installation)
    throw new BackupDamaged('it was taken on another installation, from which npm run network moves networks here');
  if (!knowsRoot) throw new BackupDamaged('what the superadmins did before it is not what the log here says');
}

/** Throws {@link BackupDamaged} where a backup is of days of another time zone. */
export function requireSameDays({ timeZone }: Pick<Services, 'timeZone'>, manifest: Manifest): void {
  if (manifest.timeZone !== timeZone)
    throw new BackupDamaged(`its days are those of ${manifest.timeZone}, and here they are those of ${timeZone}`);
}

async function loadAll(
  clients: readonly OwnConnection[],
  number: number,
  loading: Loading,
  moving: Arrival | undefined,
): Promise<void> {
  for (const client of clients)
    await client.query(`select set_config('drawhouse.network', $1, false)`, [String(number)]);
  const [shared, ofNetwork] = partedBy(loading.manifest.files, ({ table }) => !isKeyed(table));
  await loadShared(clients[0]!, shared, loading, moving);
  const guarded = await guardedTables(clients[0]!);
  const superadmin = moving && { from: await superadminOf(clients[0]!, number), to: moving.superadmin };
  const waiting = ofNetwork.toSorted((a, b) => b.bytes - a.bytes);
  await shareOut(clients, waiting, async (client, file) => {
    const { table } = file;
    // What a restore elsewhere has undone did not come with it.
    if (moving && table === 'undone_activity') await compareFile(file, loading);
    else if (guarded.has(table) || (moving && TABLE_OWNERS[table]!.ofRoot))
      await loadByTable(client, file, loading, superadmin && ofRootHere(table, loading.manifest, superadmin));
    else await loadFile(client, `public.${table}`, file, loading);
  });
}

function isKeyed(table: string): boolean {
  return TABLE_OWNERS[table]?.backup === 'of the network';
}

/**
 * What is not keyed by network: accounts wait beside. What all networks share is there where the backup was made, and stays as the superadmins have it by
 * now: it is only read, to know that it is whole, whatever becomes of the restore. Of what moves is added what is missing, with what the root told.
 */
async function loadShared(
  client: OwnConnection,
  files: readonly ManifestFile[],
  loading: Loading,
  moving: Arrival | undefined,
): Promise<void> {
  if (moving) await moving.addGames(await readCatalogue(client, files, loading));
  for (const file of files) {
    const { table } = file;
    if (table === 'accounts') await loadFile(client, 'public.staged_accounts', file, loading);
    else if (!moving) await compareFile(file, loading);
    else if (table === ROOT_TOLD.table) await loadTold(client, file, loading, moving.id);
    // What nobody may change later is looked at before.
    else if (!isOfCatalogue(table)) await loadByTable(client, file, loading, {}, () => requireTerms(client));
  }
}

function isOfCatalogue(table: string): table is keyof CatalogueElsewhere {
  return (CATALOGUE_TABLES as readonly string[]).includes(table);
}

/** The rows of the catalogue that a backup has. */
async function readCatalogue(
  client: OwnConnection,
  files: readonly ManifestFile[],
  loading: Loading,
): Promise<CatalogueElsewhere> {
  const read: Partial<Record<keyof CatalogueElsewhere, string>> = {};
  for (const file of files)
    if (isOfCatalogue(file.table))
      await withLoaded(client, file, loading, async () => {
        const { rows } = await client.query<{ rows: string }>(
          `select coalesce(jsonb_agg(to_jsonb(l)), '[]')::text as rows from loaded l`,
        );
        read[file.table as keyof CatalogueElsewhere] = rows[0]!.rows;
      });
  return read as CatalogueElsewhere;
}

/** The tables into which PostgreSQL lets those that serve add rows of what stands beside alone, which a COPY can't. */
async function guardedTables(client: OwnConnection): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Loads a file into `loaded`, a table of the connection's own, for `act`. */
async function withLoaded(
  client: OwnConnection,
  file: ManifestFile,
  loading: Loading,
  act: () => Promise<unknown>,
): Promise<void> {
  const like = file.table === ROOT_TOLD.table ? 'moved_activity' : file.table;
  await client.query(`create temp table loaded as select ${file.columns.join(', ')} from public.${like} with no data`);
  try {
    await loadFile(client, 'pg_temp.loaded', file, loading);
    await act().catch((error: unknown) => {
      if (!isRefusal(error) || explained(error) instanceof DatabaseUnavailable) throw error;
      throw new BackupDamaged(`rows of ${file.table} are none that this server writes: ${(error as Error).message}`);
    });
  } finally {
    await client.query('drop table loaded').catch(() => {});
  }
}

/** Loads what is missing of a file into its table, by a table of the connection's own; `instead` are expressions by the columns that they stand for. */
async function loadByTable(
  client: OwnConnection,
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

/** Loads what the root elsewhere told of a network, of which its log here has nothing. */
function loadTold(client: OwnConnection, file: ManifestFile, loading: Loading, moveId: string): Promise<void> {
  const columns = file.columns.join(', ');
  return withLoaded(client, file, loading, () =>
    client.query(`insert into public.moved_activity (move_id, ${columns}) select $1, ${columns} from loaded`, [moveId]),
  );
}

/**
 * What stands here for the columns of a table that mean something of the root elsewhere. What counts its log or its border is 0 at their end, as nothing was
 * done here yet. Of what the superadmin there did in the network, nobody here is found by.
 */
function ofRootHere(
  table: string,
  { rootLog, borderVersion }: Manifest,
  { from, to }: { readonly from: string; readonly to: string },
): Record<string, string> {
  const [there, here] = [`'${from}'::uuid`, `'${to}'::uuid`];
  const instead = {
    log: (name: string) => `${name} - ${rootLog.seq}`,
    border: (name: string) => `${name} - ${borderVersion}`,
    superadmin: (name: string) => `case ${name} when ${there} then ${here} else ${name} end`,
    chain: (name: string) =>
      `case when ${name} = array[${there}] then '{}' when ${name}[1] = ${there} then ${here} || ${name}[2:] else ${name} end`,
  };
  const columns = Object.entries(TABLE_OWNERS[table]!.ofRoot ?? {});
  return Object.fromEntries(columns.map(([name, means]) => [name, instead[means](name)]));
}

/** The superadmin above what stands beside, as it was where that comes from. */
async function superadminOf(client: OwnConnection, number: number): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `select chain[1] as id from staged_accounts where network_id = $1 and role = 'admin'`,
    [number],
  );
  if (!rows[0]) throw new BackupDamaged('it has no admin');
  return rows[0].id;
}

/** Under an id that is not theirs, terms would be those of draws of other networks. */
async function requireTerms(client: OwnConnection): Promise<void> {
  type Row = Omit<DrawTerms, 'unit_price'> & { readonly id: string; readonly unit_price: string };
  const { rows } = await client.query<Row>(`select ${TERMS} from loaded`);
  for (const { id, unit_price, ...terms } of rows)
    if (!areTermsOf(id, { ...terms, unit_price: BigInt(unit_price) }))
      throw new BackupDamaged(`its terms of draws ${id} are not what their id says`);
}

/** What was loaded holds what the manifest says, its accounts are those of one network below its admin, and it has the games that it plays. */
async function requireAsTold({ db }: Services, number: number, manifest: Manifest): Promise<void> {
  await requireWallets(db.patient, number, manifest);
  const [wrong] = await db.patient.query<{ accounts: bigint; names: bigint; games: string | null }>(
    `select (select count(*) from staged_accounts a left join staged_accounts up on up.network_id = $1 and up.id = a.parent_id
             where a.network_id = $1 and (a.chain[2] is distinct from $2 or a.role = 'superadmin' or (a.role = 'admin') <> (a.id = $2)
               or (a.id <> $2 and up.id is null)
               or exists (select from accounts other where other.id = a.id and other.network_id is distinct from
                 (select network_id from accounts where id = $2)))) as accounts,
            (select count(*) - least(count(distinct lower(username)), count(distinct unique_id)) from staged_accounts where network_id = $1) as names,
            (select string_agg(owner_id::text, ', ') from wallets where network_id = $1 and kind = ${WALLET_KINDS.table}
               and owner_id not in (select id from games)) as games`,
    [number, manifest.admin.id],
  );
  if (wrong!.accounts > 0n) throw new BackupDamaged(`${wrong!.accounts} of its accounts are not below its admin`);
  if (wrong!.names > 0n) throw new BackupDamaged('two of its accounts have the same name or the same unique id');
  if (wrong!.games !== null) throw new BackupDamaged(`games of it are not in the catalogue here: ${wrong!.games}`);
  await db.query(
    'update networks_beside set wallets = (select count(*) from wallets where network_id = $1) where id = $1',
    [number],
  );
}

/**
 * What came from elsewhere is of its network alone: what was told there tells of no accounts but its own, and it has not come here already, nor later than now.
 */
async function requireOfItself({ db, clock }: Services, number: number, adminId: string): Promise<void> {
  const [found] = await db.patient.query<{ told: bigint; moves: bigint }>(
    `with own as (select id::text from staged_accounts where network_id = $1)
     select (select count(*) from moved_activity l where l.network_id = $1 and (
               (l.detail ? 'accountId' and l.detail ->> 'accountId' not in (select id from own))
               or (l.detail ? 'limits' and l.detail ->> 'adminId' is distinct from $2::uuid::text)
               or exists (select from jsonb_path_query(l.detail, '$.percentages[*]') as told where told ->> 'adminId' is distinct from $2::uuid::text))) as told,
            (select count(*) from moves m where m.network_id = $1 and (m.at > $3 or m.border_version > (
               select version from wallets where network_id = $1 and owner_id = $2::uuid and kind = ${WALLET_KINDS.boundary}))) as moves`,
    [number, adminId, clock.now()],
  );
  const { told, moves } = found!;
  if (told > 0n) throw new BackupDamaged(`${told} rows of what was told of it elsewhere tell of other networks`);
  if (moves > 0n) throw new BackupDamaged(`${moves} moves of it are later than it is`);
}
