import { EventEmitter } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pointsText } from '@drawhouse/contract/core/primitives';
import { createAskCell, PATIENT_MS } from '../cells/call-cell.ts';
import {
  ensureOwnDirectory,
  joinGroup,
  type JoiningCell,
  type OwnDatabase,
  reachDirectory,
} from '../cells/join-group.ts';
import { compareNames, directoryName, enterOwnNames, isUniqueId, releaseNames } from '../cells/own-names.ts';
import type { OpenDirectory } from '../cells/directory.ts';
import { CreditCourier } from '../credit/across/carry-credit.ts';
import { findSent, isWaiting } from '../credit/across/messages.ts';
import { compareRepeatedly, readGroupBooks } from '../credit/across/compare-books.ts';
import { environment, readConfig, type Config } from '../config/config.ts';
import { connect, type Database } from '../platform/db/database.ts';
import { COMMAND_TIMEOUTS } from '../platform/db/connection/timeouts.ts';
import { holdNetworks, openHeld } from '../backup/move/settle-fences.ts';
import { createUuid7 } from '../platform/db/sql/uuids.ts';
import type { Events } from '../platform/services.ts';
import { systemClock } from '../platform/time/clock.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { OWN_FILE } from '../platform/db/embedded/durable-file.ts';
import { pinnedTimeZone } from '../platform/settings/pinned-settings.ts';
import { compareMovedLogs } from './compare-moved-logs.ts';
import { callerFile, osUser, runCommandLine, withExistingDatabase } from './command-line.ts';

const USAGE = `Usage: npm run group -- list
       npm run group -- where NAME
       npm run group -- add CELL
       npm run group -- doctor
       npm run group -- end MESSAGE
       npm run group -- audit
       npm run group -- rebuild
       npm run group -- hold | open

  Shows and repairs the directory of a group of cells: where each network and each name is. Run it with the settings of
  a cell. A cell joins when its server first starts with CELL_NAME.

  list     lists all cells with the numbers of their networks and names
  where    says which cell has an account, by its username or unique id
  add      writes CELL.env, the settings of a further cell
  doctor   compares the names of this cell with the directory, and lists credit that other cells have not answered
  end      ends a message that its cell does not have, by its id in doctor. A gift returns to the superadmin; a take-back
           that a restored cell has lost returns to the admin. If that cell does not answer now and has applied a message
           all the same, its answer counts once it comes
  audit    compares the credit of all cells: what was issued is in a cell or on its way to one; and whether the seals of
           cells that networks have left still have their rows. Their servers must run
  rebuild  enters what the directory lacks about this cell, and releases names of accounts that were never created. After
           the loss of the directory, start each cell with a new one, or run this in each cell
  hold     closes the networks of this cell until all other cells have listed theirs. For a cell restored from a copy of
           its files: before its server starts
  open     opens them although a cell does not answer. First make sure that none of them is there

Exit codes: 0 success, 1 failure or differences, 2 wrong usage.`;

const COMPARE = { verb: 'compare', noun: 'Compare' };
const SHOWN = 10;

const NAMING = ['where', 'add', 'end'] as const;
const WISHES = ['list', 'doctor', 'audit', 'rebuild', 'hold', 'open'] as const;

interface GroupWish {
  readonly what: (typeof WISHES)[number] | (typeof NAMING)[number];
  /** Name of an account or cell, or id of a message. */
  readonly subject: string;
}

export function readGroupWish(args: readonly string[]): GroupWish {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
  const [what, subject = '', ...more] = positionals;
  const naming = NAMING.find((one) => one === what);
  if (naming && subject !== '' && more.length === 0) return { what: naming, subject };
  const wish = WISHES.find((one) => one === what);
  if (subject !== '' || wish === undefined)
    throw new Error('Choose list, where NAME, add CELL, doctor, end MESSAGE, audit, rebuild, hold or open.');
  return { what: wish, subject };
}

export async function listCells({ db, cell }: OpenDirectory): Promise<readonly string[]> {
  const cells = await db.query<{ name: string; networks: bigint; accounts: bigint }>(
    sql`select c.name, count(p.network) filter (where p.network <> c.installation) as networks,
       coalesce(sum((select count(*) from names n where n.network = p.network and ${isUniqueId(sql`n.value`)})), 0)::bigint as accounts
     from cells c left join places p on p.cell = c.name group by c.name order by min(c.first_network)`,
  );
  const width = Math.max(...cells.map(({ name }) => name.length));
  return cells.map(({ name, networks, accounts }) => {
    const own = name === cell ? ', this cell' : '';
    return `${name.padEnd(width)}  ${networks} networks, ${accounts} accounts${own}`;
  });
}

async function list(directory: OpenDirectory): Promise<number> {
  for (const line of await listCells(directory)) console.log(line);
  return 0;
}

async function where({ db }: OpenDirectory, _db: Database, { subject: name }: GroupWish): Promise<number> {
  const [found] = await db.query<{ cell: string; moves: boolean }>(
    sql`select p.cell, p.move_id is not null as moves from names n join places p on p.network = n.network
      where n.value in (${directoryName(name)}, ${name.toUpperCase()})`,
  );
  console.log(found ? `${name} is in ${found.cell}${found.moves ? ', and moving' : ''}.` : `No cell has ${name}.`);
  return found ? 0 : 1;
}

const PORTS_APART = 10;

interface NewCell {
  readonly name: string;
  readonly file: string;
  readonly timeZone: string;
  /** Settings of this cell. */
  readonly env: Env;
}

type Env = ReturnType<typeof environment>;

/** The cell itself joins at its first start, when its time zone and names are checked. */
export async function addCell(
  { db }: Pick<OpenDirectory, 'db'>,
  config: Pick<Config, 'dataDir' | 'directoryUrl' | 'databaseUrl' | 'port'>,
  { name, file, timeZone, env }: NewCell,
): Promise<string> {
  if ((await db.query(sql`select from cells where name = ${name}`)).length > 0)
    throw new Error(`The group already has a cell ${name}. Choose another name.`);
  const { dataDir, directoryUrl = dataDir, databaseUrl, port } = config;
  const settings = {
    CELL_NAME: name,
    DIRECTORY_URL: directoryUrl,
    DATA_DIR: path.join(path.dirname(dataDir), name),
    PORT: String(port + PORTS_APART),
    TIME_ZONE: timeZone,
  };
  readConfig(settings);
  const lines = Object.entries({ ...settings, ...alikeIn(name, env) }).map(
    ([setting, value]) => `${setting}=${quoted(value)}`,
  );
  if (databaseUrl !== undefined)
    lines.push('# DATABASE_URL=postgresql://… of its own PostgreSQL; without it: embedded');
  await writeFile(file, `${lines.join('\n')}\n`, { flag: 'wx', mode: OWN_FILE }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw new Error(`${file} exists already.`);
      if (error.code !== 'EACCES' && error.code !== 'EROFS') throw error;
      throw new Error(`${file} can't be written. Run this in a folder where its user can write, such as ${dataDir}.`);
    },
  );
  // Exported settings of this cell would win over those of the file.
  return (
    `Wrote ${file}. ${name} joins the group at its first start:\n` +
    `  env -i PATH="$PATH" node --env-file=${path.basename(file)} tools/setup.mjs start\n` +
    'On another machine, set DATA_DIR, CELL_URL and a DIRECTORY_URL that it reaches.'
  );
}

const EQUAL = ['TRUST_PROXY', 'BACKUP_SCHEDULE', 'LOG_LEVEL'] as const;
const KEY_FILES = ['SEED_KEY_FILE', 'SEAL_KEY_FILE'] as const;

/** Settings copied from this cell. Each cell has keys of its own, in files beside those of this one. */
function alikeIn(name: string, env: Env): Record<string, string> {
  const found: Record<string, string> = {};
  for (const setting of EQUAL) if (env[setting]) found[setting] = env[setting];
  for (const setting of KEY_FILES)
    if (env[setting]) found[setting] = path.join(path.dirname(env[setting]), `${name}-${path.basename(env[setting])}`);
  if (env['SEAL_NAME']) found['SEAL_NAME'] = `${name}.${env['SEAL_NAME']}`;
  return found;
}

/** In settings files, # begins a comment. */
const quoted = (value: string): string => (/[\s#"]/.test(value) ? `'${value}'` : value);

const timeZoneOf = (db: Database, { timeZone }: Config): Promise<string> =>
  pinnedTimeZone(db, timeZone, Intl.DateTimeFormat().resolvedOptions().timeZone);

async function add(
  directory: OpenDirectory,
  db: Database,
  { subject: name }: GroupWish,
  config: Config,
): Promise<number> {
  const timeZone = await timeZoneOf(db, config);
  console.log(
    await addCell(directory, config, {
      name,
      file: callerFile(`${name}.env`),
      timeZone,
      env: environment(),
    }),
  );
  return 0;
}

async function doctor(directory: OpenDirectory, db: Database): Promise<number> {
  const { missing, unused } = await compareNames(directory.db, db, directory.own);
  const waiting = await findSent(db, isWaiting(systemClock.now()));
  for (const { id, kind, amount, username, cell, at, failure } of waiting)
    console.log(
      `${pointsText(amount)} points ${kind === 'give' ? 'to' : 'from'} ${username} in ${cell} wait since ${at.toISOString()} ` +
        `(message ${id})${failure === null ? '.' : `: ${failure}`}`,
    );
  if (waiting.length > 0)
    console.log(
      'The server repeats them in this order. Start cells that do not answer. If an admin or the superadmin has too ' +
        'little left, give that account credit in its cell. To end a message that its cell does not have: npm run group -- end MESSAGE.',
    );
  if (missing.length + unused.length === 0) {
    console.log(`The directory knows all names of ${directory.cell}.`);
    return waiting.length > 0 ? 1 : 0;
  }
  if (missing.length > 0) console.log(`The directory lacks ${someOf(missing)}.`);
  if (unused.length > 0) console.log(`The directory reserves ${someOf(unused)}, and no account has them.`);
  console.log('Run npm run group -- rebuild.');
  return 1;
}

async function end(
  directory: OpenDirectory,
  db: Database,
  { subject: id }: GroupWish,
  config: Config,
): Promise<number> {
  const services = {
    db,
    clock: systemClock,
    newId: createUuid7(systemClock),
    events: new EventEmitter<Events>(),
    timeZone: await timeZoneOf(db, config),
    directory,
  };
  const courier = new CreditCourier({ services, askCell: createAskCell(services), logger: { warn: () => {} } });
  console.log(`${await courier.end({ command: 'npm run group -- end', osUser: osUser() }, id)}.`);
  return 0;
}

export async function audit(directory: OpenDirectory, db: Database, _wish: GroupWish, config: Config): Promise<number> {
  const askCell = createAskCell({ clock: systemClock, directory });
  const found = await compareRepeatedly(() => readGroupBooks({ directory, db }, askCell));
  console.log(`Issued: ${pointsText(found.issued)} points. Brought by networks: ${pointsText(found.brought)}.`);
  console.log(`In all cells: ${pointsText(found.held)}. In transit: ${pointsText(found.inTransit)}.`);
  for (const problem of found.problems) console.log(`Problem: ${problem}`);
  const askPatiently = createAskCell({ clock: systemClock, directory }, PATIENT_MS);
  const logs = await compareMovedLogs({ directory, db }, config, askPatiently);
  for (const cell of logs.absent) console.log(`Not compared: the seals of ${cell}, which is not in the group.`);
  for (const problem of logs.problems) console.log(`Problem: ${problem}`);
  const agree = found.problems.length + logs.problems.length === 0;
  if (agree) console.log('The books of all cells agree.');
  return agree ? 0 : 1;
}

/** Enters the cell itself too, if a new directory lacks it. */
export async function rebuildDirectory(directory: OpenDirectory, joining: JoiningCell) {
  const { own } = directory;
  const { missing } = await directory.change((on) => compareNames(on, joining.db, own));
  await joinGroup(directory, joining);
  return directory.change(async (on) => {
    const { unused } = await compareNames(on, joining.db, own);
    await releaseNames(on, unused, own);
    const taken = missing.length > 0 ? await enterOwnNames(on, joining.db, own) : [];
    return { entered: missing.length - taken.length, released: unused.length, taken };
  });
}

async function rebuild(
  directory: OpenDirectory,
  db: Database,
  _wish: GroupWish,
  config: Config,
  database: OwnDatabase,
): Promise<number> {
  await ensureOwnDirectory(config, database);
  const joining = { db, timeZone: await timeZoneOf(db, config), ownerUrl: database.ownerUrl };
  const { entered, released, taken } = await rebuildDirectory(directory, joining);
  console.log(`Entered ${entered} names and unique ids, released ${released}.`);
  if (taken.length === 0) return 0;
  console.log(`Other cells use ${someOf(taken)}. Those accounts can only sign in at ${directory.cell} itself.`);
  return 1;
}

async function hold(directory: OpenDirectory, db: Database): Promise<number> {
  await holdNetworks({ db, clock: systemClock, newId: createUuid7(systemClock), directory });
  console.log(`The networks of ${directory.cell} are closed until all other cells have listed theirs.`);
  return 0;
}

async function open(directory: OpenDirectory, db: Database): Promise<number> {
  const silent = await openHeld({ db, clock: systemClock, directory });
  console.log(
    silent.length === 0
      ? `The networks of ${directory.cell} are open.`
      : `The networks of ${directory.cell} are open. Not asked: ${silent.join(', ')}.`,
  );
  return 0;
}

function someOf(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return names.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function run(wish: GroupWish): Promise<number> {
  const config = readConfig();
  return withExistingDatabase(config, COMPARE, async (serverUrl, ownerUrl) => {
    const db = connect(serverUrl, { onError: () => {}, poolSize: 1, patience: COMMAND_TIMEOUTS });
    try {
      const directory = await reachDirectory(config, db, { serverUrl, ownerUrl });
      if (!directory) throw new Error('This installation is not a cell of a group: CELL_NAME is not set.');
      try {
        return await { list, where, add, doctor, end, audit, rebuild, hold, open }[wish.what](
          directory,
          db,
          wish,
          config,
          { serverUrl, ownerUrl },
        );
      } finally {
        await directory.close();
      }
    } finally {
      await db.close();
    }
  });
}

if (import.meta.main) await runCommandLine({ usage: USAGE, read: readGroupWish, run });
