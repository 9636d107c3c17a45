import { randomInt, randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import fc from 'fast-check';
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
import type { CallError } from '../../platform/http/http-errors.ts';
import { CreditCourier } from './carry-credit.ts';
import { compareBooks, readBooks } from './compare-books.ts';
import { findLastReceived, findSent, type SentCredit } from './messages.ts';
import { receiveCredit } from './receive-credit.ts';

// Cells call each other in the process, so calls and databases can fail at every step.

/** Played in random order. A short run plays some. */
const ACTS = [
  'give',
  'give',
  'give',
  'takeBack',
  'spend',
  'deliver',
  'end',
  'lose',
  'restore',
  'restore',
  'move',
] as const;
const ROUNDS = perTier(1, 12);
const PLAYS = perTier(5, ACTS.length);
/** A short run kills at a few statements. */
const STEP = perTier(30, 1);
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

/** All credit of the network. */
async function creditIn({ admin }: Network): Promise<number> {
  const cell = await openCell(cells, admin);
  const [row] = await cell.db.query<{ credit: string }>(
    `select (-balance)::text as credit from wallets where owner_id = $1 and kind = $2
       and network_id = (select id from networks where admin_id = $1)`,
    [admin._id, WALLET_KINDS.boundary],
  );
  return Number(row!.credit) / 100;
}

const waiting = () => findSent(cells[0].app.services.db, sql`settled_at is null`);
const groupBooks = async () =>
  compareBooks(await Promise.all(cells.map(({ app, directory }) => readBooks(app.services.db, directory.cell))));

it('applies each message once, whichever statement of either cell fails', async () => {
  const [net] = networks as [Network];
  for (const kind of ['give', 'takeBack'] as const)
    for (const dying of [0, 1])
      for (let [statement, isDone] = [randomInt(STEP), false]; !isDone; statement += STEP) {
        const before = [await own(), await creditIn(net)] as const;
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
        expect([await own(), await creditIn(net)], `${kind} ${dying} ${statement}`).toEqual([
          before[0] - sign,
          before[1] + sign,
        ]);
        await advanceAll([cells[0]], 1_000);
      }
}, 600_000);

/** Returns false if the cell of the network has the message. */
const end = (courier: CreditCourier, { id }: SentCredit): Promise<boolean> =>
  courier.end({ command: 'npm run group -- end', osUser: undefined }, id).then(
    () => true,
    (error: unknown) => {
      if ((error as CallError).code !== 'RULE_REFUSED') throw error;
      return false;
    },
  );

const PLAYED = fc.shuffledSubarray([...ACTS], { minLength: PLAYS, maxLength: PLAYS });

/** With folders of all cells that had the network. */
type Backups = Map<CellApp, string[]>;

async function backUp({ admin }: Network, backups: Backups): Promise<string> {
  const cell = await openCell(cells, admin);
  const { folder } = await cell.ok(exportBackup, {}, await cell.signIn(admin.username));
  backups.set(cell, [...(backups.get(cell) ?? []), folder]);
  return folder;
}

async function restore({ admin }: Network, folder: string): Promise<{ status: number; body: { message?: string } }> {
  const cell = await openCell(cells, admin);
  return cell.call(importBackup, { query: { folder } }, await cell.signIn(admin.username));
}

async function spend({ admin, superdistributor }: Network, amount: number): Promise<void> {
  const cell = await openCell(cells, admin);
  const given = { toUserId: superdistributor._id, password: PASSWORD, transferAmount: amount };
  await cell.call(accountRoutes.superdistributor.creditTransfer, { body: given }, await cell.signIn(admin.username));
}

/** As if the sender had been restored to the moment before this gift. */
async function lose({ admin }: Network, amount: number): Promise<void> {
  const { app } = await openCell(cells, admin);
  const from = cells[0].directory.cell;
  const last = (await findLastReceived(app.services.db, from)).find(({ adminId }) => adminId === admin._id);
  const gift = {
    id: randomUUID(),
    adminId: admin._id,
    number: (last?.number ?? 0) + 1,
    kind: 'give',
    note: '',
  } as const;
  await receiveCredit(app.services, { ...gift, amount: BigInt(amount) * 100n, from });
}

/** A first comparison may enter lost messages, and the next ones deliver those that made room. */
async function compareFully(): Promise<void> {
  while ((await waiting()).length > 0) {
    await courierOf().deliverAll();
    await advanceAll(cells, 1_000);
  }
  for (let times = 0; times < 10; times++) await courierOf().compareAll();
}

it('moves credit at random between cells while networks move, both sides are restored, messages end, and calls are lost', async () => {
  const backups = new Map(networks.map((net): [Network, Backups] => [net, new Map()]));
  for (const net of networks) await backUp(net, backups.get(net)!);
  const total = async (): Promise<number> =>
    (await Promise.all([own(), ...networks.map(creditIn)])).reduce((sum, each) => sum + each);
  const start = await total();
  const lossy = courierOf({ loses: () => randomInt(4) === 0 });
  // After the next act, both cells compare, and find a message that was ended or lost.
  let isSure = true;
  for (const acts of fc.sample(PLAYED, ROUNDS))
    for (const act of acts) {
      const net = networks[randomInt(networks.length)]!;
      if (act === 'move') {
        const from = await openCell(cells, net.admin);
        await moveBetween(from, from === cells[0] ? cells[1] : cells[0], net.admin);
        await backUp(net, backups.get(net)!);
      } else if (act === 'restore') {
        const before = await creditIn(net);
        const folders = backups.get(net)!.get(await openCell(cells, net.admin))!;
        const { status, body } = await restore(net, folders[randomInt(folders.length)]!);
        if (status !== 200) expect(body.message).toMatch(/the superadmin took back/);
        expect(await creditIn(net)).toBe(before);
      } else if (act === 'lose') {
        await lose(net, randomInt(1, 200));
        isSure = false;
      } else if (act === 'spend') await spend(net, randomInt(1, 200));
      else if (act === 'deliver') await lossy.deliverAll();
      else if (act === 'end') {
        const sent = await waiting();
        if (sent.length > 0 && (await end(lossy, sent[randomInt(sent.length)]!))) isSure = false;
      } else await move(act, net, randomInt(1, 200));
      await advanceAll(cells, 1_000);
      if (!isSure && act !== 'lose' && act !== 'end') {
        await compareFully();
        isSure = true;
      }
      const { problems, inTransit } = await groupBooks();
      expect(isSure ? problems : problems.filter((one) => !/^message |which no cell has sent$/.test(one))).toEqual([]);
      expect((await total()) + Number(inTransit) / 100).toBeCloseTo(start, 2);
    }
  await compareFully();
  expect(await groupBooks()).toMatchObject({ problems: [], inTransit: 0n });
  expect(await total()).toBeCloseTo(start, 2);
}, 900_000);
