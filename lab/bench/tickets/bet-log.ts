import { WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import type { Database } from '../../../apps/server/src/db/database.ts';
import type { BenchNetwork } from '../bench-network.ts';
import { engineRate } from './ticket-field.ts';

/** Bets a second, and what each wrote to the log of the database: bytes in all, and pages that went to it whole. */
export interface Logged {
  readonly rate: number;
  readonly bytes: number;
  readonly pages: number;
}

/** The connections of a bench of the engine. */
export const BENCH_POOL = 4;

/** Runs the engine for so long, and weighs what the log of the whole PostgreSQL grew by meanwhile: nobody else may write to it. */
export async function loggedRate(db: Database, network: BenchNetwork, seconds: number): Promise<Logged> {
  const before = await readLog(db);
  const rate = await engineRate(network.services, network.players, seconds);
  const after = await readLog(db);
  const per = (name: keyof Log): number => (after[name] - before[name]) / (after.bets - before.bets);
  return { rate, bytes: per('bytes'), pages: per('pages') };
}

interface Log {
  readonly bytes: number;
  readonly pages: number;
  /** The movements of the escrows: a bet is one each, and nobody counts millions of tickets. */
  readonly bets: number;
}

async function readLog(db: Database): Promise<Log> {
  // Each connection tells its pages when it next has a moment, and so many at once are all of them.
  await Promise.all(Array.from({ length: BENCH_POOL }, () => db.query('select pg_stat_force_next_flush()')));
  const [row] = await db.query<{ bytes: bigint; pages: bigint; bets: bigint }>(
    `select (pg_current_wal_insert_lsn() - '0/0')::bigint as bytes, (select wal_fpi from pg_stat_wal) as pages,
            (select sum(version)::bigint from wallets where kind = ${WALLET_KINDS.escrow}) as bets`,
  );
  return { bytes: Number(row!.bytes), pages: Number(row!.pages), bets: Number(row!.bets) };
}
