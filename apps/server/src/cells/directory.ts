import { createHmac } from 'node:crypto';
import { connect, type Database, type Queryable } from '../platform/db/database.ts';
import { COMMAND_TIMEOUTS, type Timeouts } from '../platform/db/connection/timeouts.ts';
import { DatabaseUnavailable } from '../platform/db/connection/unavailable.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Directory, Peer, Place } from '../platform/services.ts';
import { enterOwnNames, directoryName, ownNetworks, reserveFor, type OwnCell } from './own-names.ts';

// Says where each name and network of a group lives. Each cell remains the judge of its own networks, and
// corrects an outdated directory.

const DIRECTORY_TIMEOUTS: Timeouts = { connectMs: 2_000, lockMs: 2_000, statementMs: 2_000, answerMs: 2_500 };
const POOL = 3;

const NO_DIRECTORY =
  'The directory of all cells does not answer, so no account can be created or found in another cell now. ' +
  'Please try again in a few minutes.';

const NOT_ENTERED =
  'The directory of all cells is new and does not list this cell yet, so no account can be created now. ' +
  'Please ask the operator to restart this cell.';

/**
 * Idempotent. `places` also has a row for the superadmins of each cell, under its installation's id.
 */
const TABLES = sql`
create table if not exists cells (
  address text, -- where other cells reach it
  added_at timestamptz not null default now(),
  installation uuid not null unique,
  secret uuid not null default gen_random_uuid(),
  first_network integer not null unique, -- its networks have this number or one of the next
  name text primary key,
  time_zone text not null
);
create table if not exists places (
  move_id uuid, -- a running move
  network uuid primary key, -- id of the admin
  generation integer not null default 1, -- counts the cells of the network
  admin text, -- username; empty if deleted
  cell text not null references cells (name)
);
create table if not exists names (
  reserved_at timestamptz not null default now(),
  network uuid not null references places (network),
  value text primary key -- usernames in lower case, unique ids in upper case
);
create index if not exists names_network on names (network);
create table if not exists questions (
  asked_at timestamptz not null default now(),
  id uuid primary key,
  cell text not null references cells (name) -- asks all others for their generations
);
create table if not exists answers (
  question uuid not null references questions (id) on delete cascade,
  cell text not null references cells (name),
  primary key (question, cell)
);`;

/** A new network has no admin's name yet, but its username is reserved. */
const ADMIN_NAME = sql`coalesce(p.admin, (select value from names where network = p.network and value = lower(value)
  order by reserved_at, value limit 1))`;

const JOIN_LOCK = sql`select pg_advisory_xact_lock(3407521)`;

export interface OpenDirectory extends Directory {
  readonly own: OwnCell;
  readonly db: Database;
  /** Creates missing tables, then runs `act` while no other cell joins or is compared. */
  change<T>(act: (on: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function openDirectory(
  address: string | (() => string),
  cell: OwnCell,
  onError: (error: Error) => void,
  patience = DIRECTORY_TIMEOUTS,
): OpenDirectory {
  const db = connect(address, { onError, poolSize: POOL, patience });
  const keyOf = (network: string | null): string => network ?? cell.installation;
  const placeOf = async (network: string): Promise<Place | undefined> => {
    const [place] = await db
      .query<Place & Record<string, unknown>>(
        sql`select cell, generation, move_id as "moveId", ${ADMIN_NAME} as admin from places p where network = ${network}`,
      )
      .catch(unanswered);
    return place;
  };
  const valuesOf = async (find: () => Promise<{ value: string }[]>): Promise<ReadonlySet<string>> =>
    new Set((await find().catch(unanswered)).map(({ value }) => value));
  const change: OpenDirectory['change'] = (act) =>
    db.transaction(async (tx) => {
      await tx.query(JOIN_LOCK);
      await tx.query(TABLES);
      return act(tx);
    }, COMMAND_TIMEOUTS);
  return {
    cell: cell.name,
    own: cell,
    db,
    reserve: (network, values) =>
      valuesOf(() => db.transaction((tx) => reserveFor(tx, cell.name, keyOf(network), values))),
    couldReserve: (values) =>
      valuesOf(() =>
        db.query(sql`select wanted as value from unnest(${[...values]}::text[]) as wanted
          where not exists (select from names n join places p on p.network = n.network
            where n.value = wanted and p.cell <> ${cell.name})`),
      ),
    cellOf: async (network) => (await placeOf(network))?.cell,
    placeOf,
    elsewhere: (networks) =>
      db
        .query<{ network: string; cell: string; generation: number }>(
          sql`select network, cell, generation from places where network = any(${[...networks]}::uuid[]) and cell <> ${cell.name}`,
        )
        .catch(unanswered),
    async cancelMove(network, moveId) {
      const ended = await db
        .query(
          sql`update places set move_id = null where network = ${network} and cell = ${cell.name} and move_id = ${moveId}
            returning network`,
        )
        .catch(unanswered);
      return ended.length > 0;
    },
    async cellOfName(username) {
      const name = directoryName(username);
      const [found] = await db
        .query<{ cell: string | null; cells: string[]; secret: string }>(
          sql`select (select p.cell from names n join places p on p.network = n.network where n.value = ${name}) as cell,
            array_agg(name order by first_network) as cells, (array_agg(secret order by first_network))[1] as secret from cells`,
        )
        .catch(unanswered);
      const { cell: known, cells, secret } = found!;
      return known ?? cells[createHmac('sha256', secret).update(name).digest().readUInt32BE() % cells.length]!;
    },
    async nextCell() {
      const [next] = await db
        .query<{ name: string }>(sql`select name from cells order by name > ${cell.name} desc, name limit 1`)
        .catch(unanswered);
      return next!.name;
    },
    ...questionsOf(db, cell, change),
    ...peersOf(db, cell),
    change,
    close: () => db.close(),
  };
}

/** Cells ask each other through the directory, so they need no address of each other. */
function questionsOf(
  db: Database,
  cell: OwnCell,
  change: OpenDirectory['change'],
): Pick<Directory, 'silentCells' | 'answer' | 'enter'> {
  return {
    enter: (on) => change(async (tx) => void (await enterOwnNames(tx, on, cell))).catch(unanswered),
    async silentCells(question) {
      const silent = sql`select name from cells c where name <> ${cell.name}
        and not exists (select from answers a where a.question = ${question} and a.cell = c.name) order by name`;
      await db
        .query(sql`insert into questions (id, cell) values (${question}, ${cell.name}) on conflict do nothing`)
        .catch(unanswered);
      return (await db.query<{ name: string }>(silent).catch(unanswered)).map(({ name }) => name);
    },
    async answer(on) {
      const asked = await db
        .query<{ id: string }>(
          sql`select id from questions q where cell <> ${cell.name}
            and not exists (select from answers a where a.question = q.id and a.cell = ${cell.name})`,
        )
        .catch(unanswered);
      if (asked.length === 0) return;
      await change(async (tx) => {
        await enterOwnNames(tx, on, cell);
        await tx.query(
          sql`insert into answers (question, cell) select id, ${cell.name} from questions
            where id = any(${asked.map(({ id }) => id)}::uuid[]) on conflict do nothing`,
        );
      }).catch(unanswered);
    },
  };
}

function peersOf(db: Database, cell: OwnCell): Pick<Directory, 'announce' | 'peers' | 'ownSecret'> {
  let lastKnown: readonly Peer[] | undefined;
  return {
    async announce(on, address) {
      const networks = await ownNetworks(on);
      await db
        .query(
          sql`update places p set admin = own.admin
            from unnest(${networks.map(({ id }) => id)}::uuid[], ${networks.map(({ admin }) => admin)}::text[]) as own (network, admin)
            where p.network = own.network and p.cell = ${cell.name} and p.admin is distinct from own.admin`,
        )
        .catch(unanswered);
      if (address === undefined) return;
      await db
        .query(
          sql`update cells set address = ${address} where name = ${cell.name} and address is distinct from ${address}`,
        )
        .catch(unanswered);
    },
    async peers() {
      try {
        lastKnown = await db
          .query<Peer & Record<string, unknown>>(
            sql`select c.name as cell, c.address, c.secret, c.first_network as "firstNetwork", coalesce(lived.networks, '{}') as networks
              from cells c left join lateral (
                select array_agg(n.admin order by n.admin) as networks from (
                  select ${ADMIN_NAME} as admin
                  from places p where p.cell = c.name and p.network <> c.installation) n where n.admin <> ''
              ) as lived on true
              where c.name <> ${cell.name} order by c.first_network`,
          )
          .catch(unanswered);
      } catch (error) {
        if (!lastKnown || !(error instanceof CallError)) throw error;
      }
      return lastKnown;
    },
    async ownSecret() {
      try {
        const [own] = await db.query<{ secret: string }>(sql`select secret from cells where name = ${cell.name}`);
        return own?.secret;
      } catch {
        return undefined;
      }
    },
  };
}

/** Missing table: the directory was lost, and no cell has joined the new one. */
const NO_TABLE = '42P01';
/** Missing row in `cells`: another cell has joined the new one. */
const NO_CELL = '23503';

function unanswered(error: unknown): never {
  const { code } = error as { code?: string };
  if (code === NO_CELL) throw new CallError('NOT_READY', { message: NOT_ENTERED });
  const isEmpty = code === NO_TABLE;
  throw isEmpty || error instanceof DatabaseUnavailable ? new CallError('NOT_READY', { message: NO_DIRECTORY }) : error;
}
