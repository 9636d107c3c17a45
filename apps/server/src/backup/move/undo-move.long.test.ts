import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import { statement } from '@drawhouse/contract/credit/statement';
import { placeBets } from '@drawhouse/contract/tickets/bulk-bets';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeKey, uniqueIdOf } from '../../../test/clients/program-keys.ts';
import type { Network, SignedIn } from '../../../test/harness.ts';
import { advanceAll, moveBetween, openCell, undoBetween, type CellApp } from '../../../test/worlds/cell-moves.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { toolsOf } from '../../../test/backups/move-tools.ts';
import { TEST_EPOCH } from '../../../test/test-databases.ts';
import { TestGroup } from '../../../test/worlds/cells.ts';
import { TestSeals } from '../../../test/worlds/sealed-world.ts';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import type { Database } from '../../platform/db/database.ts';
import { holdNetworks, settleFences } from './settle-fences.ts';

let group: TestGroup;
let first: CellApp;
let second: CellApp;
let seals: TestSeals;
let net: Network;
let key: string;
let player: string;
/** Backup from before all moves. */
let old: { readonly folder: string; readonly credit: number };

beforeAll(async () => {
  group = await TestGroup.start();
  first = await group.add('cell-1');
  second = await group.add('cell-2');
  net = await first.network({ credit: 100_000 });
  ({ key } = await makeKey(first, net.admin));
  player = await uniqueIdOf(first, net.user);
  seals = await TestSeals.make(first.database);
  await first.bet(net.user, { 1: 5 });
  await seals.seal();
  const { folder } = await first.ok(exportBackup, {}, net.admin);
  old = { folder, credit: await first.credit(net.admin) };
});
afterAll(async () => {
  await group.close();
  await seals.remove();
});

const move = async (from: CellApp, to: CellApp): Promise<void> => {
  await advanceAll([first, second], 1);
  await moveBetween(from, to, net.admin);
};
const undo = async (from: CellApp, to: CellApp): Promise<boolean> => {
  await advanceAll([first, second], 1);
  return undoBetween(from, to, net.admin);
};
const expectSound = async (): Promise<void> => {
  await seals.seal();
  expect(await seals.problems()).toEqual([]);
  for (const cell of [first, second]) await cell.expectBooksToBalanceNow();
};

it('undoes a move while the new cell has committed nothing for the network', async () => {
  await move(first, second);
  await seals.seal();
  expect(await undo(second, first)).toBe(true);
  expect(await openCell([first, second], net.admin)).toBe(first);
  await expectSound();
  net.user = await first.signIn(net.user.username);
  expect((await first.bet(net.user, { 2: 7 })).status).toBe(201);
  await expectSound();
});

it('refuses to undo a move after a bet', async () => {
  await move(first, second);
  const bets = [{ player, gameId: 'funtargetbingo', requestId: 'one', lines: [{ drawno: '7', qty: 1 }] }];
  expect((await second.call(placeBets, { body: { bets } }, { token: key })).body.answers).toMatchObject([
    { success: true },
  ]);
  await expect(undo(second, first)).rejects.toMatchObject({
    code: 'RULE_REFUSED',
    message: expect.stringContaining('is in use since its move') as string,
  });
  expect(await openCell([first, second], net.admin)).toBe(second);
  net.user = await second.signIn(net.user.username);
  expect((await second.bet(net.user, { 3: 1 })).status).toBe(201);
  const root = await second.signIn('superadmin-cell-2');
  const others = await second.network();
  const body = { toUserId: others.admin._id, password: PASSWORD, adjustAmount: 500, transactionType: 'debit' } as const;
  await second.ok(accountRoutes.admin.creditAdjust, { body }, root);
  await second.give(root, net.admin, 300);
});

it('refuses a backup of another cell, and says how to restore it', async () => {
  const folderIn = ({ backupDir }: CellApp): string => path.join(backupDir, net.admin._id, old.folder);
  await cp(folderIn(first), folderIn(second), { recursive: true });
  net.admin = await second.signIn(net.admin.username);
  expect(await second.call(importBackup, { query: { folder: old.folder } }, net.admin)).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('Move the network back there') as string },
  });
});

it('accepts in its seals that a network moved back, and finds what is missing then', async () => {
  await move(second, first);
  await expectSound();
  const tampered = async (change: string): Promise<readonly string[]> => (await seals.foundAfter(change)).sealed;
  const ofNetwork = `where network_id = (select id from networks where admin_id = '${net.admin._id}')`;
  expect(await tampered(`delete from tickets ${ofNetwork}`)).toContainEqual(
    expect.stringMatching(/^tickets .* removed after it was sealed/),
  );
  expect(await tampered(`update transfers set amount = amount + 1 ${ofNetwork}`)).not.toEqual([]);
});

it('restores a network that came back with other credit', async () => {
  const root = await first.signIn('superadmin-cell-1');
  net.admin = await first.signIn(net.admin.username);
  await first.give(root, root, 100);
  const { folder } = await first.ok(exportBackup, {}, net.admin);
  const before = await first.credit(net.admin);
  await advanceAll([first, second], 1_000);
  await first.give(root, net.admin, 30);
  await first.ok(importBackup, { query: { folder } }, net.admin);
  net.admin = await first.signIn(net.admin.username);
  expect(await first.credit(net.admin), 'what was given since is given again').toBe(before + 30);
  await first.give(root, net.admin, 5);
  await first.expectBooksToBalanceNow();
});

it('restores a backup from before it left, once it is back', async () => {
  await advanceAll([first, second], 1_000);
  net.admin = await first.signIn(net.admin.username);
  await first.ok(importBackup, { query: { folder: old.folder } }, net.admin);
  net.admin = await first.signIn(net.admin.username);
  expect(await first.credit(net.admin), 'what both superadmins gave since is given again').toBe(old.credit + 335);
  // The draw of the backup is void: bets wait for the next one.
  await advanceAll([first, second], 120_000);
  net.user = await first.signIn(net.user.username);
  expect((await first.bet(net.user, { 4: 1 })).status).toBe(201);
  await expectSound();
});

it('moves again after that restore', async () => {
  const before = await first.credit(net.admin);
  await move(first, second);
  await expectSound();
  net.admin = await second.signIn(net.admin.username);
  expect(await second.credit(net.admin)).toBe(before);
});

it('restores a backup from before it left and came back, and still knows how often it moved', async () => {
  const other = await first.network({ credit: 0, reserve: 100 });
  const { admin, superdistributor } = other;
  const takeBack = async (cell: CellApp, from: SignedIn, by: string): Promise<void> => {
    const { creditAdjust } = accountRoutes[from === admin ? 'admin' : 'superdistributor'];
    const body = { toUserId: from._id, password: PASSWORD, adjustAmount: 90, transactionType: 'debit' } as const;
    await cell.ok(creditAdjust, { body }, await cell.signIn(by));
    await advanceAll([first, second], 1_000);
  };
  await first.give(admin, superdistributor, 90);
  const { folder } = await first.ok(exportBackup, {}, admin);
  await takeBack(first, superdistributor, admin.username);
  await moveBetween(first, second, admin);
  await takeBack(second, admin, 'superadmin-cell-2');
  await moveBetween(second, first, admin);
  const root = await first.signIn('superadmin-cell-1');
  await first.give(root, root, 90);
  await first.give(root, admin, 90);
  const dates = { startDate: TEST_EPOCH.toISOString(), endDate: first.clock.now().toISOString() };
  const { data } = await first.ok(statement.route, { query: dates }, root);
  const given = data.filter(({ debit }) => [90, 100].includes(debit));
  expect(given.map(({ counterpart }) => counterpart)).toEqual([admin.username, admin.username]);
  // The arrival alone would take more than the admin had.
  await first.ok(importBackup, { query: { folder } }, await first.signIn(admin.username));
  expect(await first.credit(await first.signIn(admin.username))).toBe(10);
  await expectSound();
  // The directory is put back to the network's stay in the other cell.
  const { db } = first.directory;
  await db.query(`update places set cell = 'cell-2', generation = 2 where network = $1`, [admin._id]);
  await second.directory.silentCells(randomUUID());
  await first.directory.answer(first.db);
  expect(await first.directory.placeOf(admin._id)).toMatchObject({ cell: 'cell-1', generation: 3 });
});

/** The command of a move dies once the new cell has opened the network, and the directory is away. */
function dyingOnceOpen(db: Database): Database {
  if (db !== second.app.services.db) return db;
  return {
    ...db,
    transaction: async (act, patience) => {
      let opens = false;
      const watched: typeof act = (tx) =>
        act({
          ...tx,
          query: (text, ...values) => {
            opens ||= /delete from fences/.test(String(text));
            return tx.query(text, ...values);
          },
        });
      const result = await db.transaction(watched, patience);
      if (!opens) return result;
      await group.setAway(true);
      throw new DatabaseUnavailable(new Error('Connection terminated'));
    },
  };
}

it('restores a backup from before it left by a hold and came back', async () => {
  const { admin } = await first.network({ credit: 100 });
  const { folder } = await first.ok(exportBackup, {}, admin);
  await advanceAll([first, second], 1_000);
  const { services, work } = toolsOf(first);
  await expect(moveBetween(first, second, admin, { through: dyingOnceOpen })).rejects.toThrow('Connection terminated');
  await group.setAway(false);
  // As a restore of the cell to a moment before the move.
  await first.db.query('delete from fences where admin_id = $1', [admin._id]);
  await holdNetworks({ ...services, directory: first.directory });
  await settleFences(services, work);
  await second.directory.answer(second.db);
  await settleFences(services, work);
  expect(await openCell([first, second], admin)).toBe(second);
  await advanceAll([first, second], 1_000);
  await moveBetween(second, first, admin);
  await advanceAll([first, second], 1_000);
  await first.ok(importBackup, { query: { folder } }, await first.signIn(admin.username));
  await expectSound();
});
