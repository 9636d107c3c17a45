import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { systemClock } from '../../apps/server/src/clock.ts';
import type { Database, Tx } from '../../apps/server/src/db/database.ts';
import { createUuid7 } from '../../apps/server/src/db/uuid7.ts';
import { post } from '../../apps/server/src/ledger/post.ts';
import type { Posting } from '../../apps/server/src/ledger/post.ts';
import { TRANSFER_KINDS } from '@drawhouse/rules/ledger-kinds';
import { openNetwork, openWallets } from '../../apps/server/src/ledger/wallets.ts';
import type { WalletName } from '../../apps/server/src/ledger/wallets.ts';
import type { Events } from '../../apps/server/src/services.ts';
import { machine, median, withBenchDatabase } from './bench-database.ts';
import { pgbenchOn, tpcb } from './pgbench.ts';

/** Connections of every contestant. */
const CONNECTIONS = 8;
/** Every contestant runs for so long in each round; the rounds are interleaved, so that a slow moment touches all alike. */
const ROUND_MS = 5_000;
const ROUNDS = 5;
const WALLETS = 10_000;
/** Transfers of a batch: as many as a lane of bets takes at once. */
const BATCH = 500;
/** pgbench's accounts are this many times 100,000. */
const PGBENCH_SCALE = 10;
/** The figures that must hold: ratios of medians of one run, and bytes a transfer in its table and all its indexes. */
const LIMITS = { batchToTpcb: 4, batchToPlain: 10, bytes: 230 };

/** The number of the network, the first of its database. */
const NETWORK = 1;
/** Of a kind that may be below zero, so that no contestant is refused. The wallet at index n has the number n + 1. */
const walletsOf = Array.from({ length: WALLETS }, (): WalletName => `boundary:${randomUUID()}`);
/** The one wallet that is in every transfer, as the escrow of a draw is. */
const HOT = 0;
/** Every transfer has an actor and is about something, as a bet is. */
const ACTOR = randomUUID();

type Contestant = 'pgbench' | 'plainHot' | 'plainSpread' | 'singleHot' | 'singleSpread' | 'batchHot' | 'batchSpread';

const SAYS: Record<Contestant, string> = {
  pgbench: 'pgbench, TPC-B-like',
  plainHot: 'plain transaction with row locks, one wallet in every transfer',
  plainSpread: 'plain transaction with row locks, wallets at random',
  singleHot: 'the ledger, one transfer a transaction, one wallet in every transfer',
  singleSpread: 'the ledger, one transfer a transaction, wallets at random',
  batchHot: `the ledger, ${BATCH} transfers a transaction, one wallet in every transfer`,
  batchSpread: `the ledger, ${BATCH} transfers a transaction, wallets at random`,
};

/**
 * Measures the ledger's posting of single transfers and of batches beside pgbench's TPC-B-like transaction and beside the plain
 * way to do it, on one PostgreSQL in interleaved rounds, and prints the medians side by side.
 */
export async function benchLedger(): Promise<void> {
  await withBenchDatabase(CONNECTIONS, async (db, url) => {
    await fill(db);
    const pgbench = pgbenchOn(url);
    await pgbench(['-i', '-q', '-s', String(PGBENCH_SCALE)]);
    const contest: Record<Contestant, () => Promise<number>> = {
      pgbench: () => tpcb(pgbench, CONNECTIONS, ROUND_MS / 1000),
      plainHot: () => rateOf(db, 1, (tx) => plainTransfer(tx, HOT, randomWallet(1))),
      plainSpread: () => rateOf(db, 1, (tx) => plainTransfer(tx, ...randomPair())),
      singleHot: () => rateOf(db, 1, (tx) => ledgerTransfers(tx, 1, () => [HOT, randomWallet(1)])),
      singleSpread: () => rateOf(db, 1, (tx) => ledgerTransfers(tx, 1, randomPair)),
      batchHot: () => rateOf(db, BATCH, (tx) => ledgerTransfers(tx, BATCH, () => [HOT, randomWallet(1)])),
      batchSpread: () => rateOf(db, BATCH, (tx) => ledgerTransfers(tx, BATCH, randomPair)),
    };
    const names = Object.keys(contest) as Contestant[];
    const rates = new Map<Contestant, number[]>(names.map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round++) for (const name of names) rates.get(name)!.push(await contest[name]());
    report(new Map(names.map((name) => [name, median(rates.get(name)!)])), rates, await sizeOf(db));
  });
}

function report(
  medians: ReadonlyMap<Contestant, number>,
  rates: ReadonlyMap<Contestant, readonly number[]>,
  size: { transfers: number; row: number; indexes: number },
): void {
  const of = (name: Contestant): number => medians.get(name)!;
  console.log(`${CONNECTIONS} connections, ${ROUNDS} interleaved rounds of ${ROUND_MS / 1000} s; ${machine()}\n`);
  console.log('| transfers a second | median | least to most | × pgbench | × plain |\n|---|--:|--:|--:|--:|');
  for (const [name, rate] of medians) {
    const plain = of(name.endsWith('Spread') ? 'plainSpread' : 'plainHot');
    const cells = [
      rate.toFixed(0),
      `${Math.min(...rates.get(name)!).toFixed(0)} to ${Math.max(...rates.get(name)!).toFixed(0)}`,
      (rate / of('pgbench')).toFixed(2),
      name === 'pgbench' ? '' : (rate / plain).toFixed(2),
    ];
    console.log(`| ${SAYS[name]} | ${cells.join(' | ')} |`);
  }
  const toTpcb = Math.min(of('batchHot'), of('batchSpread')) / of('pgbench');
  const toPlain = of('batchHot') / of('plainHot');
  const bytes = size.row + size.indexes;
  console.log(
    `\n${size.transfers.toLocaleString('en')} transfers take ${bytes.toFixed(0)} bytes each (to hold: ${LIMITS.bytes}): ` +
      `${size.row.toFixed(0)} for the row, ${size.indexes.toFixed(0)} in the indexes.`,
  );
  const isMissed = toTpcb < LIMITS.batchToTpcb || toPlain < LIMITS.batchToPlain || bytes > LIMITS.bytes;
  console.log(
    `\nBatches reach ${toTpcb.toFixed(1)} × pgbench (to hold: ${LIMITS.batchToTpcb}) and, with one wallet in every transfer, ` +
      `${toPlain.toFixed(1)} × the plain way (to hold: ${LIMITS.batchToPlain}): ${isMissed ? 'MISSED' : 'held'}.`,
  );
  if (isMissed) process.exitCode = 1;
}

/** How many transfers a second all connections do together, each transaction making `each` of them. */
async function rateOf(db: Database, each: number, act: (tx: Tx) => Promise<void>): Promise<number> {
  const from = performance.now();
  let done = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - from < ROUND_MS) {
      await db.transaction(act);
      done += each;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return (done * 1000) / (performance.now() - from);
}

const newId = createUuid7(systemClock);
const events = new EventEmitter<Events>();

async function ledgerTransfers(tx: Tx, count: number, pick: () => [number, number]): Promise<void> {
  const postings: Posting[] = [];
  for (let n = 0; n < count; n++) {
    const [from, to] = pick();
    postings.push({
      from: walletsOf[from]!,
      to: walletsOf[to]!,
      amount: 1n,
      kind: 'stake',
      actorId: ACTOR,
      reference: newId(),
    });
  }
  await post(tx, NETWORK, { clock: systemClock, newId, events }, postings);
}

/** What most would write: lock both rows in one order, check, change both, write the transfer. On the same tables. */
async function plainTransfer(tx: Tx, from: number, to: number): Promise<void> {
  const wallets = await tx.query<{ id: number; balance: bigint; version: bigint }>(
    'select id, balance, version from wallets where network_id = $1 and id in ($2, $3) order by id for update',
    [NETWORK, from + 1, to + 1],
    'plain-lock',
  );
  const source = wallets.find((wallet) => wallet.id === from + 1)!;
  const target = wallets.find((wallet) => wallet.id === to + 1)!;
  const change = 'update wallets set balance = balance + $3, version = version + 1 where network_id = $1 and id = $2';
  await tx.query(change, [NETWORK, source.id, -1n], 'plain-change');
  await tx.query(change, [NETWORK, target.id, 1n], 'plain-change');
  await tx.query(
    `insert into transfers (network_id, id, from_wallet, to_wallet, amount, from_balance, to_balance, from_version, to_version, kind,
                            actor_id, reference, note, at)
     values ($1, $2, $3, $4, 1, $5, $6, $7, $8, ${TRANSFER_KINDS.stake}, $9, $10, '', now())`,
    [
      NETWORK,
      newId(),
      source.id,
      target.id,
      source.balance - 1n,
      target.balance + 1n,
      source.version + 1n,
      target.version + 1n,
      ACTOR,
      newId(),
    ],
    'plain-insert',
  );
}

/** The network and its wallets; their history is empty. */
async function fill(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    const network = await openNetwork(tx, randomUUID());
    if (network !== NETWORK) throw new Error(`The first network of a database has the number ${network}.`);
    await openWallets(tx, network, walletsOf);
  });
  await db.query('vacuum analyze wallets');
}

/** How many transfers there are, and the bytes that one takes in its table and in the indexes. */
async function sizeOf(db: Database): Promise<{ transfers: number; row: number; indexes: number }> {
  const [size] = await db.query<{ transfers: bigint; rows: bigint; indexes: bigint }>(
    `select count(*) as transfers, pg_table_size('transfers') as rows, pg_indexes_size('transfers') as indexes from transfers`,
  );
  const transfers = Number(size!.transfers);
  return { transfers, row: Number(size!.rows) / transfers, indexes: Number(size!.indexes) / transfers };
}

/** The index of a wallet, `from` or above. */
function randomWallet(from: number): number {
  return from + Math.floor(Math.random() * (WALLETS - from));
}

function randomPair(): [number, number] {
  const source = randomWallet(0);
  for (;;) {
    const target = randomWallet(0);
    if (target !== source) return [source, target];
  }
}
