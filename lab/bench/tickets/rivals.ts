import { randomUUID } from 'node:crypto';
import type { Database } from '../../../apps/server/src/platform/db/database.ts';

/** A typical hand-written schema. It stores less than the product: no draw sums, digests or wallet versions. */
const SCHEMA = `
  create schema rival;
  create table rival.draws (id integer primary key, status text not null, closes_at timestamptz not null);
  create table rival.wallets (id integer primary key, balance bigint not null check (balance >= 0)) with (fillfactor = 50);
  create table rival.tickets (id bigint generated always as identity primary key, draw_id integer not null, player integer not null,
    stake bigint not null, win bigint, placed_at timestamptz not null, request uuid not null unique, lines text not null);
  create index tickets_draw on rival.tickets (draw_id, id);
  create index tickets_player on rival.tickets (player, id desc);
  create table rival.transfers (id bigint generated always as identity primary key, wallet integer not null, other integer not null,
    amount bigint not null, balance bigint not null, ticket bigint not null, kind smallint not null, at timestamptz not null);
  create index transfers_wallet on rival.transfers (wallet, id desc);`;
const HOUSE = 0;
const STAKE = 100;
const CONNECTIONS = [1, 4, 8, 16, 32];
const TRY_SECONDS = 1;

export type Rival = (db: Database) => Promise<void>;

export async function makeRivals(db: Database, players: number): Promise<void> {
  for (const statement of SCHEMA.split(';')) if (statement.trim()) await db.query(statement);
  await db.query(`insert into rival.draws values (1, 'open', now() + interval '1 day')`);
  await db.query(`insert into rival.wallets select n, 1000000000000 from generate_series(0, $1::int) as n`, [players]);
  await db.query('vacuum analyze rival.wallets');
}

const PAY = 'update rival.wallets set balance = balance - $2 where id = $1 and balance >= $2 returning balance';
const RECEIVE = 'update rival.wallets set balance = balance + $2 where id = $1';
const TICKET = `insert into rival.tickets (draw_id, player, stake, placed_at, request, lines)
  select id, $2, $3, now(), $4, $5 from rival.draws where id = $1 and status = 'open' and closes_at > now() returning id`;
const TRANSFER = `insert into rival.transfers (wallet, other, amount, balance, ticket, kind, at) values ($1, $2, $3, $4, $5, $6, now())`;

/** The house row is credited last. */
export function oneBet(players: number, withHouse: boolean): Rival {
  return (db) =>
    db.transaction(async (tx) => {
      const player = 1 + Math.floor(Math.random() * players);
      const [wallet] = await tx.query<{ balance: bigint }>(PAY, [player, STAKE], 'rival-pay');
      const line = `${Math.floor(Math.random() * 10)}*1`;
      const [ticket] = await tx.query<{ id: bigint }>(TICKET, [1, player, STAKE, randomUUID(), line], 'rival-ticket');
      if (!wallet || !ticket) throw new Error('The rival was refused a bet.');
      await tx.query(TRANSFER, [player, HOUSE, STAKE, wallet.balance, ticket.id, 1], 'rival-transfer');
      if (withHouse) await tx.query(RECEIVE, [HOUSE, STAKE], 'rival-receive');
    });
}

export function oneStatementBet(players: number, withHouse: boolean): Rival {
  const text = `with paid as (
      update rival.wallets set balance = balance - $2 where id = $1 and balance >= $2 returning balance
    ), placed as (
      insert into rival.tickets (draw_id, player, stake, placed_at, request, lines)
      select d.id, $1, $2, now(), $3, $4 from rival.draws d, paid where d.id = 1 and d.status = 'open' and d.closes_at > now() returning id
    ), moved as (
      insert into rival.transfers (wallet, other, amount, balance, ticket, kind, at)
      select $1, ${HOUSE}, $2, paid.balance, placed.id, 1, now() from paid, placed
    ) ${
      withHouse
        ? `update rival.wallets set balance = balance + $2 where id = ${HOUSE} and exists (select from placed)`
        : 'select from placed'
    }`;
  const name = withHouse ? 'rival-bet-house' : 'rival-bet';
  return async (db) => {
    const player = 1 + Math.floor(Math.random() * players);
    await db.query(text, [player, STAKE, randomUUID(), `${Math.floor(Math.random() * 10)}*1`], name);
  };
}

export function onePayment(next: () => { id: bigint; player: number }): Rival {
  return (db) =>
    db.transaction(async (tx) => {
      const { id, player } = next();
      await tx.query('update rival.tickets set win = $2 where id = $1 and win is null', [id, STAKE], 'rival-win');
      const [wallet] = await tx.query<{ balance: bigint }>(
        `${RECEIVE} returning balance`,
        [player, STAKE],
        'rival-won',
      );
      await tx.query(TRANSFER, [player, HOUSE, STAKE, wallet!.balance, id, 2], 'rival-transfer');
      await tx.query(PAY, [HOUSE, STAKE], 'rival-pay');
    });
}

export async function rivalRate(db: Database, rival: Rival, connections: number, seconds: number): Promise<number> {
  const from = performance.now();
  let done = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - from < seconds * 1000) {
      await rival(db);
      done++;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return (done * 1000) / (performance.now() - from);
}

export async function bestConnections(db: Database, rival: Rival): Promise<number> {
  let best = { connections: 0, rate: 0 };
  for (const connections of CONNECTIONS) {
    const rate = await rivalRate(db, rival, connections, TRY_SECONDS);
    if (rate > best.rate) best = { connections, rate };
  }
  return best.connections;
}

export const RIVAL_POOL: number = Math.max(...CONNECTIONS);
