import type { Database } from '../../../apps/server/src/db/database.ts';
import type { BenchNetwork } from '../bench-network.ts';
import { engineRate } from './ticket-field.ts';

/** Bets a second, and bytes that each wrote to the log of the database. */
export interface Logged {
  readonly rate: number;
  readonly bytes: number;
}

/** The tables that a bet writes into. */
const OF_A_BET = ['tickets', 'transfers', 'exposures'];

/** Runs the engine for so long, and weighs what the log of the whole PostgreSQL grew by meanwhile: nobody else may write to it. */
export async function loggedRate(db: Database, network: BenchNetwork, seconds: number): Promise<Logged> {
  const [from] = await readLog(db);
  const before = await countTickets(db);
  const rate = await engineRate(network.services, network.players, seconds);
  const [until] = await readLog(db);
  return { rate, bytes: Number(until! - from!) / ((await countTickets(db)) - before) };
}

async function readLog(db: Database): Promise<bigint[]> {
  const [row] = await db.query<{ bytes: bigint }>(`select (pg_current_wal_insert_lsn() - '0/0')::bigint as bytes`);
  return [row!.bytes];
}

/** How many bets the wallets of the escrows have taken in: as many tickets were laid, and nobody counts millions. */
async function countTickets(db: Database): Promise<number> {
  const [row] = await db.query<{ count: bigint }>(`select sum(version)::bigint as count from wallets where kind = 5`);
  return Number(row!.count);
}

/** Bytes of a ticket in each table and index that a bet writes into, the largest first. */
export async function sizeOfTicket(db: Database, tickets: number): Promise<{ name: string; bytes: number }[]> {
  const rows = await db.query<{ name: string; bytes: bigint }>(
    `select c.relname::text as name, pg_relation_size(c.oid) as bytes from pg_class c
     where c.oid = any($1::regclass[]) or c.oid in (select indexrelid from pg_index where indrelid = any($1::regclass[])) order by 2 desc`,
    [OF_A_BET],
  );
  return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) / tickets }));
}
