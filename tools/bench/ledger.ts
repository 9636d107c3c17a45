import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { systemClock } from '../../apps/server/src/clock.ts';
import type { Database, Tx } from '../../apps/server/src/db/database.ts';
import { uuid7From } from '../../apps/server/src/db/uuid7.ts';
import { post } from '../../apps/server/src/ledger/post.ts';
import type { Posting } from '../../apps/server/src/ledger/post.ts';
import { walletId } from '../../apps/server/src/ledger/wallets.ts';
import { machine, median, withBenchDatabase } from './bench-database.ts';

const run = promisify(execFile);

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
/** The figures that must hold, as ratios of medians of one run. */
const LIMITS = { batchToTpcb: 4, batchToPlain: 10 };

const NETWORK = randomUUID();
const walletsOf = Array.from({ length: WALLETS }, () => walletId({ ownerId: randomUUID(), kind: 'boundary' }));
/** The one wallet that is in every transfer, as the escrow of a draw is. */
const HOT = walletsOf[0]!;

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
      async pgbench() {
        const args = ['-n', '-M', 'prepared', '-c', String(CONNECTIONS), '-j', '2', '-T', String(ROUND_MS / 1000)];
        const tps = /tps = ([\d.]+)/.exec(await pgbench(args));
        return Number(tps![1]);
      },
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
    report(new Map(names.map((name) => [name, median(rates.get(name)!)])), rates);
  });
}

function report(medians: ReadonlyMap<Contestant, number>, rates: ReadonlyMap<Contestant, readonly number[]>): void {
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
  const isMissed = toTpcb < LIMITS.batchToTpcb || toPlain < LIMITS.batchToPlain;
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

const newId = uuid7From(systemClock);

async function ledgerTransfers(tx: Tx, count: number, pick: () => [string, string]): Promise<void> {
  const postings: Posting[] = [];
  for (let n = 0; n < count; n++) {
    const [debit, credit] = pick();
    postings.push({ debit, credit, amount: 1n, kind: 'credit', actorId: null, reference: null });
  }
  await post(tx, NETWORK, { clock: systemClock, newId }, postings);
}

/** What most would write: lock both rows in one order, check, change both, write the transfer. On the same tables. */
async function plainTransfer(tx: Tx, debit: string, credit: string): Promise<void> {
  const wallets = await tx.query<{ id: string; balance: bigint }>(
    'select id, balance from wallets where network_id = $1 and id in ($2, $3) order by id for update',
    [NETWORK, debit, credit],
    'plain-lock',
  );
  const balanceOf = (id: string): bigint => wallets.find((wallet) => wallet.id === id)!.balance;
  const id = newId();
  const change = 'update wallets set balance = $3, last_transfer = $4 where network_id = $1 and id = $2';
  await tx.query(change, [NETWORK, debit, balanceOf(debit) - 1n, id], 'plain-change');
  await tx.query(change, [NETWORK, credit, balanceOf(credit) + 1n, id], 'plain-change');
  await tx.query(
    `insert into transfers (network_id, id, debit_wallet, credit_wallet, amount, debit_balance, credit_balance, kind, at)
     values ($1, $2, $3, $4, 1, $5, $6, 'credit', now())`,
    [NETWORK, id, debit, credit, balanceOf(debit) - 1n, balanceOf(credit) + 1n],
    'plain-insert',
  );
}

/** Wallets of the kind that may be below zero, so that no contestant is refused; their history is empty. */
async function fill(db: Database): Promise<void> {
  await db.query(
    `insert into wallets (network_id, id, owner_id, kind) select $1, id, id, 'boundary' from unnest($2::uuid[]) as id`,
    [NETWORK, walletsOf],
  );
  await db.query('vacuum analyze wallets');
}

function randomWallet(from: number): string {
  return walletsOf[from + Math.floor(Math.random() * (WALLETS - from))]!;
}

function randomPair(): [string, string] {
  const debit = randomWallet(0);
  for (;;) {
    const credit = randomWallet(0);
    if (credit !== debit) return [debit, credit];
  }
}

/** Runs pgbench, which comes with PostgreSQL's own packages, on a database. */
function pgbenchOn(url: string): (args: string[]) => Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const env = { ...process.env, PGPASSWORD: password };
  const target = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)];
  return async (args) => {
    try {
      return (await run('pgbench', [...args, ...target], { env })).stdout;
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT')
        throw new Error('pgbench is not installed; it comes with the packages of PostgreSQL (postgresql-contrib).', {
          cause: error,
        });
      throw error;
    }
  };
}
