import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { withClient } from '../platform/db/connection/dedicated-connections.ts';
import { COMMAND_TIMEOUTS } from '../platform/db/connection/timeouts.ts';
import { DatabaseUnavailable, reasonIn } from '../platform/db/connection/unavailable.ts';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { installationId, pinCell, pinnedCell, type PinnedCell } from '../platform/settings/pinned-settings.ts';
import { openDirectory, type OpenDirectory } from './directory.ts';
import { type OwnCell, enterOwnNames } from './own-names.ts';
import { roleOf } from '../platform/db/connection/granted-rights.ts';
import { pathsOf, urlOf } from '../platform/db/embedded/embedded-cluster.ts';
import { atDatabase } from '../platform/db/scratch-database.ts';

/** Cells never share network numbers, so a network keeps its own when it moves. */
export const NUMBERS_PER_CELL = 10_000_000;

export interface JoiningCell {
  readonly db: Queryable;
  readonly timeZone: string;
  readonly ownerUrl: string;
}

interface CellAtStart extends Omit<JoiningCell, 'ownerUrl'> {
  readonly database: OwnDatabase;
  readonly config: Config;
  readonly logger: Logger;
}

export interface OwnDatabase {
  readonly ownerUrl: string;
  readonly serverUrl: string;
}

export async function reachDirectory(
  config: Config,
  db: Queryable,
  own: OwnDatabase,
  onError: (error: Error) => void = () => {},
): Promise<OpenDirectory | undefined> {
  const pinned = await pinnedCell(db);
  const name = config.cellName;
  if (pinned && pinned.name !== name)
    throw new Error(`This installation is ${pinned.name} of a group of cells. Set CELL_NAME=${pinned.name}.`);
  if (name === undefined) return undefined;
  const cell = { name, installation: await installationId(db) };
  return openDirectory(directoryAddress(config, own), cell, onError);
}

/**
 * Joins the group at the first start. Undefined without CELL_NAME. Once joined, a cell starts without the directory.
 */
export async function openOwnDirectory(start: CellAtStart): Promise<OpenDirectory | undefined> {
  const { config, db, timeZone, database, logger } = start;
  const directory = await reachDirectory(config, db, database, (error) =>
    logger.warn({ error }, 'a connection to the directory broke'),
  );
  if (!directory) return undefined;
  try {
    await ensureOwnDirectory(config, database);
    const taken = await joinGroup(directory, { db, timeZone, ownerUrl: database.ownerUrl });
    if (taken.length > 0) logger.error(`other cells use usernames of ${directory.cell}: ${taken.join(', ')}`);
  } catch (error) {
    if ((await pinnedCell(db)) && error instanceof DatabaseUnavailable) {
      logger.warn({ error }, 'the directory does not answer; new accounts wait for it');
      return directory;
    }
    await directory.close();
    throw error instanceof DatabaseUnavailable
      ? new Error(`The directory of DIRECTORY_URL does not answer: ${reasonIn(error)}`, { cause: error })
      : error;
  }
  return directory;
}

/** Returns names that other cells took after the loss of a directory. A new cell with such names is refused. */
export async function joinGroup(directory: OpenDirectory, joining: JoiningCell): Promise<readonly string[]> {
  const { db } = joining;
  const { own: cell } = directory;
  const pinned = await pinnedCell(db);
  const { joined, clashes } = await directory.change(async (on) => {
    const known = await findCell(on, cell);
    if (known) return { joined: known, clashes: [] };
    const added = { name: cell.name, firstNetwork: pinned?.firstNetwork ?? (await nextNumbers(on)) };
    await requireFitting(on, joining, added);
    await on.query(
      sql`insert into cells (name, installation, time_zone, first_network)
        values (${cell.name}, ${cell.installation}, ${joining.timeZone}, ${added.firstNetwork})`,
    );
    const taken = await enterOwnNames(on, db, cell);
    if (taken.length > 0 && !pinned) throw new Error(takenWords(cell.name, taken));
    return { joined: added, clashes: taken };
  });
  await limitNumbers(joining.ownerUrl, joined.firstNetwork);
  await pinCell(db, joined);
  return clashes;
}

async function findCell(on: Queryable, { name, installation }: OwnCell): Promise<PinnedCell | undefined> {
  const [known] = await on.query<PinnedCell & { installation: string }>(
    sql`select name, installation, first_network as "firstNetwork" from cells
      where name = ${name} or installation = ${installation} order by installation = ${installation} desc limit 1`,
  );
  if (known && known.installation !== installation)
    throw new Error(`The directory has another cell with the name ${name}. Choose another CELL_NAME.`);
  if (known && known.name !== name)
    throw new Error(`The directory knows this installation as ${known.name}. Set CELL_NAME=${known.name}.`);
  return known;
}

async function nextNumbers(on: Queryable): Promise<number> {
  const [last] = await on.query<{ first: number }>(
    sql`select coalesce(max(first_network) + ${sql.lit(NUMBERS_PER_CELL)}, 1) as first from cells`,
  );
  return last!.first;
}

async function requireFitting(
  on: Queryable,
  { db, timeZone }: JoiningCell,
  { name, firstNetwork }: PinnedCell,
): Promise<void> {
  const [other] = await on.query<{ name: string; time_zone: string }>(
    sql`select name, time_zone from cells where time_zone <> ${timeZone} limit 1`,
  );
  if (other)
    throw new Error(
      `All cells of a group count the same days: ${other.name} has the time zone ${other.time_zone}, this one ${timeZone}.`,
    );
  const [found] = await db.query<{ networks: bigint }>(
    sql`select count(*) as networks from networks
      where id > 0 and id not between ${firstNetwork} and ${firstNetwork + NUMBERS_PER_CELL - 1}`,
  );
  if (found!.networks > 0n)
    throw new Error(
      `${name} can’t join: it has networks, and only the first cell of a group may bring some. Start ${name} with an ` +
        'empty DATA_DIR or database, then bring the networks by npm run network -- export and import.',
    );
}

function takenWords(cell: string, names: readonly string[]): string {
  const some = names.slice(0, 5).join(', ');
  return `${cell} can’t join: other cells use some of its usernames or unique ids, such as ${some}.`;
}

/** Only the owner can alter a sequence. */
async function limitNumbers(ownerUrl: string, first: number): Promise<void> {
  await withClient(ownerUrl, COMMAND_TIMEOUTS, async (client) => {
    const { rows } = await client.query<{ last: string }>(sql`select last_value as last from networks_id_seq`);
    const restart = Number(rows[0]!.last) < first ? sql`restart with ${sql.lit(first)}` : sql``;
    const last = sql.lit(first + NUMBERS_PER_CELL - 1);
    await client.query(sql`alter sequence networks_id_seq maxvalue ${last} ${restart}`);
  });
}

const DATABASE = 'drawhouse_directory';

/** For a stopped cell: connections fail. */
const NO_ADDRESS = 'postgresql://127.0.0.1:1/none';

/** Another PostgreSQL, or the embedded one of a cell on this machine. */
function directoryAddress(config: Config, own: OwnDatabase): () => string {
  const { directoryUrl } = config;
  if (directoryUrl === undefined) return () => atDatabase(own.serverUrl, DATABASE);
  return /^postgres(ql)?:\/\//.test(directoryUrl) ? () => directoryUrl : () => addressInFolder(directoryUrl);
}

/** Read for each connection, because both change when that cell restarts. */
function addressInFolder(dataDir: string): string {
  const { cluster, password, serverPassword } = pathsOf(dataDir);
  try {
    const port = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3]);
    const passwords = { owner: readFileSync(password, 'utf8'), server: readFileSync(serverPassword, 'utf8') };
    return urlOf(port, passwords, 'server', DATABASE);
  } catch {
    return NO_ADDRESS;
  }
}

/** Does nothing if the settings name another directory. The server's role owns its tables. */
export async function ensureOwnDirectory(
  { directoryUrl }: Config,
  { ownerUrl, serverUrl }: OwnDatabase,
): Promise<void> {
  if (directoryUrl !== undefined) return;
  const [database, role] = [sql.ref(DATABASE), sql.ref(roleOf(serverUrl))];
  await withClient(ownerUrl, COMMAND_TIMEOUTS, async (client) => {
    const { rowCount } = await client.query(sql`select from pg_database where datname = ${DATABASE}`);
    if (rowCount === 0) await client.query(sql`create database ${database}`);
    await client.query(
      sql`revoke all on database ${database} from public; grant connect on database ${database} to ${role}`,
    );
  });
  await withClient(atDatabase(ownerUrl, DATABASE), COMMAND_TIMEOUTS, (client) =>
    client.query(sql`grant usage, create on schema public to ${role}`),
  );
}
