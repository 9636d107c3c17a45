import { randomInt } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Network, SignedIn } from '../../../test/harness.ts';
import { dyingAnywhere } from '../../../test/processes/dying-database.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { perTier } from '../../../test/test-tier.ts';
import { advanceAll, moveBetween, openCell, type CellApp } from '../../../test/worlds/cell-moves.ts';
import { TestGroup } from '../../../test/worlds/cells.ts';
import type { AskCell } from '../../cells/call-cell.ts';
import type { Database } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { CreditCourier } from './carry-credit.ts';
import { compareBooks, readBooks } from './compare-books.ts';
import { findSent } from './messages.ts';

// Cells call each other in the process, so calls and databases can fail at every step.

const ROUNDS = perTier(8, 100);
/** A short run kills at a few statements. */
const STEP = perTier(11, 1);
const { creditTransfer, creditAdjust } = accountRoutes.admin;

let group: TestGroup;
let cells: readonly [CellApp, CellApp];
let superadmin: SignedIn;
let networks: readonly Network[];

beforeAll(async () => {
  group = await TestGroup.start();
  const first = await group.add('cell-1');
  const second = await group.add('cell-2');
  cells = [first, second];
  ({ superadmin } = await first.network());
  const issue = { toUserId: superadmin._id, password: PASSWORD, adjustAmount: 100_000 } as const;
  await first.ok(accountRoutes.superadmin.creditAdjust, { body: issue }, superadmin);
  networks = [await second.network({ credit: 100 }), await second.network({ credit: 100 })];
  for (const cell of cells) await cell.directory.announce(cell.served, 'http://127.0.0.1:1');
});
afterAll(() => group.close());
afterEach(async () => {
  for (const cell of cells) await cell.expectBooksToBalanceNow();
});

interface Failing {
  readonly through?: readonly [(db: Database) => Database, (db: Database) => Database];
  readonly loses?: () => boolean;
}

/** The first cell's. */
function courierOf({ through, loses = () => false }: Failing = {}): CreditCourier {
  const couriers: CreditCourier[] = cells.map(({ app, directory }, nth) => {
    const askCell: AskCell = async ({ cell }, read) => {
      if (loses()) throw new Error('the call is lost');
      const asked = cells.findIndex((other) => other.directory.cell === cell);
      const answer = await couriers[asked]!.answerCell(read, directory.cell);
      if (loses()) throw new Error('the answer is lost');
      return JSON.parse(JSON.stringify(answer)) as object;
    };
    const services = { ...app.services, db: through?.[nth]?.(app.services.db) ?? app.services.db };
    return new CreditCourier({ services, askCell, logger: { warn: () => {} } });
  });
  return couriers[0]!;
}

const move = (kind: 'give' | 'takeBack', { admin }: Network, amount: number) =>
  kind === 'give'
    ? cells[0].call(
        creditTransfer,
        { body: { toUserId: admin._id, password: PASSWORD, transferAmount: amount } },
        superadmin,
      )
    : cells[0].call(
        creditAdjust,
        { body: { toUserId: admin._id, password: PASSWORD, adjustAmount: amount, transactionType: 'debit' } },
        superadmin,
      );

const own = async (): Promise<number> => (await cells[0].ok(loadCredit, {}, superadmin)).data[0]!.walletBalance;

async function balanceOf({ admin }: Network): Promise<number> {
  const cell = await openCell(cells, admin);
  const [row] = await cell.db.query<{ balance: string }>(
    'select balance::text from wallets where owner_id = $1 and kind = 1 and network_id <> 0',
    [admin._id],
  );
  return Number(row!.balance) / 100;
}

const waiting = () => findSent(cells[0].app.services.db, sql`settled_at is null`);
const groupBooks = async () =>
  compareBooks(await Promise.all(cells.map(({ app, directory }) => readBooks(app.services.db, directory.cell))));

it('applies each message once, whichever statement of either cell fails', async () => {
  const [net] = networks as [Network];
  for (const kind of ['give', 'takeBack'] as const)
    for (const dying of [0, 1])
      for (let [statement, isDone] = [randomInt(STEP), false]; !isDone; statement += STEP) {
        const before = [await own(), await balanceOf(net)] as const;
        expect(await move(kind, net, 1)).toMatchObject({ status: 200, body: { inTransit: true } });
        let count = 0;
        const dies = (db: Database): Database => dyingAnywhere(db, () => ++count > statement);
        const healthy = (db: Database): Database => db;
        await courierOf({ through: dying === 0 ? [dies, healthy] : [healthy, dies] })
          .deliverAll()
          .catch(() => {});
        isDone = count <= statement;
        const { problems, inTransit } = await groupBooks();
        expect([problems, inTransit >= 0n && inTransit <= 100n], `${kind} ${dying} ${statement}`).toEqual([[], true]);
        await courierOf().deliverAll();
        const sign = kind === 'give' ? 1 : -1;
        expect([await own(), await balanceOf(net)], `${kind} ${dying} ${statement}`).toEqual([
          before[0] - sign,
          before[1] + sign,
        ]);
        await advanceAll([cells[0]], 1_000);
      }
}, 600_000);

const backups = new Map<Network, { readonly cell: CellApp; readonly folder: string }>();

/** A restore may refuse: the admin can have too little for what was taken back since. */
async function backUpOrRestore(net: Network): Promise<void> {
  const cell = await openCell(cells, net.admin);
  const admin = await cell.signIn(net.admin.username);
  const last = backups.get(net);
  if (last?.cell !== cell) {
    const { folder } = await cell.ok(exportBackup, {}, admin);
    backups.set(net, { cell, folder });
    return;
  }
  backups.delete(net);
  const { status } = await cell.call(importBackup, { query: { folder: last.folder } }, admin);
  expect([200, 422]).toContain(status);
}

it('moves credit at random between cells while networks move or are restored, and calls are lost', async () => {
  const expected = new Map([...networks.entries()].map(([nth]) => [nth, 0]));
  for (const [nth, net] of networks.entries()) expected.set(nth, await balanceOf(net));
  const start = await own();
  const lossy = courierOf({ loses: () => randomInt(4) === 0 });
  for (let round = 0; round < ROUNDS; round++) {
    const nth = randomInt(networks.length);
    const net = networks[nth]!;
    const chance = randomInt(10);
    // At least once.
    if (chance === 0 || round === 4) {
      const from = await openCell(cells, net.admin);
      await moveBetween(from, from === cells[0] ? cells[1] : cells[0], net.admin);
    } else if (chance < 6) await move('give', net, randomInt(1, 200));
    else if (chance < 8) await move('takeBack', net, randomInt(1, 200));
    else if (chance === 8 || round === 6) await backUpOrRestore(net);
    else await lossy.deliverAll();
    await advanceAll(cells, 1_000);
    expect((await groupBooks()).problems).toEqual([]);
  }
  while ((await waiting()).length > 0) {
    await courierOf().deliverAll();
    await advanceAll(cells, 1_000);
  }
  expect(await groupBooks()).toMatchObject({ problems: [], inTransit: 0n });
  let given = 0;
  for (const [nth, net] of networks.entries()) given += (await balanceOf(net)) - expected.get(nth)!;
  expect(await own()).toBeCloseTo(start - given, 2);
}, 900_000);
