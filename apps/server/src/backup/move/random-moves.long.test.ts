import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeKey, uniqueIdOf } from '../../../test/clients/program-keys.ts';
import { setManualClaims } from '../../../test/tampering/claimed-wins.ts';
import type { Network } from '../../../test/harness.ts';
import {
  advanceAll,
  Bettor,
  moveBetween,
  openCell,
  repeatClaim,
  repeatGift,
  type CellApp,
  type Repeater,
} from '../../../test/worlds/cell-moves.ts';
import { TestGroup } from '../../../test/worlds/cells.ts';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import { CallError } from '../../platform/http/http-errors.ts';

const MOVES = 20;
const GAME = 'funtargetbingo';
const EVERY_NUMBER = Array.from({ length: 10 }, (_, number) => String(number));
const STEP_MS = 10_000;
const PAUSE_MS = 500;
const CONNECTIONS = 20;
const PATIENT = { everyMs: 1_000, silentMs: 120_000, say: () => {} };

let group: TestGroup;
let cells: readonly CellApp[];

beforeAll(async () => {
  group = await TestGroup.start();
  const started = { poolSize: CONNECTIONS };
  const first = await group.add('cell-1', started);
  cells = [first, await group.add('cell-2', started)];
  await group.connectCells();
  const { superadmin } = await first.network();
  await setManualClaims(first, superadmin, { gameId: GAME, manualClaims: 'yes' });
  await advanceAll(cells, STEP_MS);
});
afterAll(() => group.close());

interface Mover {
  readonly net: Network;
  readonly bets: Bettor;
  readonly gifts: Repeater;
  readonly claims: Repeater;
}

async function startMover(home: CellApp): Promise<Mover> {
  const net = await home.network({ credit: 1_000_000, reserve: 10_000_000 });
  const chain = [net.admin, net.superdistributor, net.distributor, net.retailer] as const;
  for (const [nth, to] of chain.slice(1).entries()) await home.give(chain[nth]!, to, 100_000);
  const { key } = await makeKey(home, net.admin);
  const player = await uniqueIdOf(home, net.user);
  return {
    net,
    bets: new Bettor(cells, { key, player, gameId: GAME, numbers: EVERY_NUMBER, everyMs: 300 }),
    gifts: repeatGift(cells, net),
    claims: repeatClaim(cells, net),
  };
}

/** A database may be slow under load. A later tick or move finishes the work. */
function requireBusy(error: unknown): void {
  if (error instanceof DatabaseUnavailable) return;
  if (!(error instanceof CallError && error.code === 'NOT_READY')) throw error;
}

async function runTime(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await advanceAll(cells, STEP_MS).catch(requireBusy);
    await new Promise<void>((resume) => void setTimeout(resume, PAUSE_MS));
  }
}

async function moveTwo(movers: readonly Mover[]): Promise<number> {
  const resting = randomInt(movers.length);
  const moving = movers
    .filter((_, nth) => nth !== resting)
    .map(async ({ net: { admin } }) => {
      const from = await openCell(cells, admin);
      return [from, cells.find((cell) => cell !== from)!, admin] as const;
    });
  const pairs = await Promise.all(moving);
  const moves = await Promise.allSettled(pairs.map((pair) => moveBetween(...pair, { watch: PATIENT })));
  const refused = moves.filter((move) => move.status === 'rejected');
  for (const { reason } of refused) requireBusy(reason);
  return moves.length - refused.length;
}

async function countsIn(cell: CellApp, { networkId, user, retailer }: Network): Promise<Record<string, number>> {
  const [counts] = await cell.db.query<Record<string, number>>(
    `select (select count(*)::int from tickets where network_id = $1) as bets,
       (select count(*)::int from ticket_claims where network_id = $1) as claims,
       (select count(*)::int from draws where network_id = $1 and status = 'settled') as draws,
       (select count(*)::int from transfers t join wallets w on w.network_id = t.network_id and w.id = t.to_wallet
          where t.network_id = $1 and w.owner_id = $2 and t.actor_id = $3 and t.amount = 100) as gifts`,
    [networkId, user._id, retailer._id],
  );
  return counts!;
}

it('keeps every acknowledged bet, transfer and claim once', async () => {
  const movers = [await startMover(cells[0]!), await startMover(cells[1]!), await startMover(cells[0]!)];
  const time = new AbortController();
  const running = runTime(time.signal);
  try {
    for (let moves = 0; moves < MOVES;) moves += await moveTwo(movers);
  } finally {
    time.abort();
    await Promise.all([
      running,
      ...movers.flatMap(({ bets, gifts, claims }) => [bets.end(), gifts.end(), claims.end()]),
    ]);
  }
  for (const { net, bets, gifts, claims } of movers) {
    const cell = await openCell(cells, net.admin);
    const { draws, ...counts } = await countsIn(cell, net);
    expect(counts).toEqual({ bets: bets.taken.length, gifts: gifts.taken, claims: claims.taken });
    expect(Math.min(draws!, ...Object.values(counts))).toBeGreaterThan(0);
    const tickets = await cell.db.query<{ id: string }>('select id from tickets where network_id = $1', [
      net.networkId,
    ]);
    expect(tickets.map(({ id }) => id).toSorted()).toEqual(bets.taken.toSorted());
  }
  for (const cell of cells) await cell.expectBooksToBalanceNow();
});
