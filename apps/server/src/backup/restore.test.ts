import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { changePassword, login } from '@drawhouse/contract/auth/auth';
import {
  backupLosses,
  drillBackup,
  exportBackup,
  importBackup,
  listBackups,
  undoRestore,
} from '@drawhouse/contract/backup/backups';
import { playNetwork } from '../../test/audit-world.ts';
import { PASSWORD, TestApp } from '../../test/harness.ts';
import type { Network, SignedIn } from '../../test/harness.ts';
import { untilWaiting } from '../../test/until-waiting.ts';
import { digestsOf, rowCounts } from '../../test/table-rows.ts';

let t: TestApp;
let net: Network;
let bystander: Network;
let other: SignedIn;

beforeEach(async () => {
  t = await TestApp.start();
  ({ net, other } = await playNetwork(t, { confirmed: false }));
  bystander = await t.network({ credit: 70 });
  await t.bet(bystander.user, { 3: 4 });
});
afterEach(() => t.close());

const STAFF = ['superadmin', 'admin', 'superdistributor', 'distributor', 'retailer', 'user'] as const;

const backUp = async (): Promise<string> => (await t.ok(exportBackup, {}, net.admin)).folder;
const restore = (folder: string) => t.ok(importBackup, { query: { folder } }, net.admin);

async function signInAgain(): Promise<void> {
  for (const role of STAFF) Object.assign(net[role], await t.signIn(net[role].username));
  Object.assign(other, await t.signIn(other.username));
}

async function credits(): Promise<Record<string, number>> {
  const all: [string, number][] = [];
  for (const account of [...STAFF.map((role) => net[role]), other])
    all.push([account.username, await t.credit(account)]);
  return Object.fromEntries(all);
}

/** What happens after the backup: on every side of it. */
async function goOn(): Promise<SignedIn> {
  t.clock.advance(1_000);
  await t.bet(net.user, { 5: 3 });
  await t.finishDraw();
  await t.bet(other, { 5: 3 });
  const added = await t.create(net.retailer);
  await t.give(net.retailer, added, 2);
  await t.give(net.superadmin, net.admin, 40);
  const back = { toUserId: net.admin._id, adjustAmount: 15, password: PASSWORD };
  await t.ok(accountRoutes.admin.creditAdjust, { body: back }, net.superadmin);
  await t.give(net.superadmin, other, 7);
  return added;
}

describe('a drill', () => {
  it('proves a backup and leaves nothing of it', async () => {
    const folder = await backUp();
    const before = await rowCounts(t.db);
    const { problems } = await t.ok(drillBackup, { body: { folder } }, net.admin);
    expect(problems).toEqual([]);
    const after = await rowCounts(t.db);
    expect({ ...after, activity: 0 }).toEqual({ ...before, activity: 0 });
    const { backups } = await t.ok(listBackups, {}, net.admin);
    expect(backups[0]).toMatchObject({ name: folder, drilledAt: t.clock.now().toISOString() });
    await t.expectBooksToBalance();
  });
});

describe('a restore', () => {
  it('puts a network back to its backup, and nothing else; undone, it is what it was', async () => {
    const then = await credits();
    const folder = await backUp();
    const added = await goOn();
    const now = await credits();
    const elsewhere = await digestsOf(t.db, bystander.networkId);

    const losses = await t.ok(backupLosses, { query: { folder } }, net.admin);
    expect(losses).toMatchObject({
      lost: { tickets: 2, accounts: 1, transfers: 4 },
      openDraws: 1,
      namesTaken: [],
    });
    const { notes } = await restore(folder);
    expect(notes[0]).toBe('1 draw was under way in the backup: void, and the stakes given back.');
    expect((await t.call(listBackups, {}, net.admin)).status).toBe(401);
    await signInAgain();
    // The stake of the open draw is back, and the admin has what the superadmin gave since, to whomever of its network.
    expect(await credits()).toEqual({
      ...then,
      [net.superadmin.username]: now[net.superadmin.username]!,
      [net.user.username]: then[net.user.username]! + 10,
      [net.admin.username]: then[net.admin.username]! + 40 + 15 + 7,
    });
    expect((await t.call(login, { body: { username: added.username, password: PASSWORD } })).status).toBe(401);
    await t.expectBooksToBalance();
    expect(await digestsOf(t.db, bystander.networkId)).toEqual(elsewhere);

    await t.app.tick();
    expect((await t.bet(net.user, { 1: 1 })).status).toBe(201);
    await t.finishDraw();
    await t.give(net.superadmin, net.admin, 3);
    await t.expectBooksToBalance();

    const { undoUntil } = await t.ok(listBackups, {}, net.admin);
    expect(undoUntil).not.toBeNull();
    await t.ok(undoRestore, { body: {} }, net.admin);
    await signInAgain();
    await t.signIn(added.username);
    expect(await credits()).toEqual({
      ...now,
      [net.superadmin.username]: now[net.superadmin.username]! - 3,
      [net.admin.username]: now[net.admin.username]! + 3,
      [other.username]: now[other.username]! + 3,
    });
    await t.expectBooksToBalance();
    await t.app.tick();
    await t.bet(other, { 1: 1 });
    await t.finishDraw();
    await t.expectBooksToBalance();
  });
});

describe('whoever meanwhile', () => {
  /** Restores while a statement waits for this table, which it comes to after it has read whose network it is. */
  async function restoreMeanwhile<T>(table: string, begin: () => Promise<T>): Promise<T> {
    const folder = await backUp();
    let begun: Promise<T>;
    await t.db.transaction(async (tx) => {
      await tx.query(`lock table ${table} in access exclusive mode`);
      begun = begin();
      begun.catch(() => {});
      await untilWaiting(t);
      await restore(folder);
    });
    return begun!;
  }

  it('signs in is signed in to the network that there is then, and logged there', async () => {
    await restoreMeanwhile('attempts', () => t.signIn(net.user.username));
    const [row] = await t.db.query<{ logged: number; is: number }>(
      `select a.network_id as is, (select network_id from activity where account_id = a.id and subject = 'Signed in' order by at desc, network_id desc limit 1) as logged
       from accounts a where id = $1`,
      [net.user._id],
    );
    expect(row!.logged).toBe(row!.is);
    await t.expectBooksToBalance();
  });

  it('moves credit is told that the session has ended, and moves none', async () => {
    const body = { toUserId: net.user._id, transferAmount: 1, password: PASSWORD };
    const { status, body: answer } = await restoreMeanwhile('attempts', () =>
      t.call(accountRoutes.user.creditTransfer, { body }, net.retailer),
    );
    expect([status, answer.code]).toEqual([401, 'SESSION_ENDED']);
    await t.expectBooksToBalance();
  });

  it('changes a password is told that the session has ended', async () => {
    const body = { userId: net.user._id, opass: PASSWORD, npass: `${PASSWORD}2`, cpass: `${PASSWORD}2` };
    const { status, body: answer } = await restoreMeanwhile('attempts', () =>
      t.call(changePassword, { body }, net.user),
    );
    expect([status, answer.code]).toEqual([401, 'SESSION_ENDED']);
    expect((await t.signIn(net.user.username)).username).toBe(net.user.username);
    await t.expectBooksToBalance();
  });
});

describe('names', () => {
  it('that others have taken meanwhile are said, and solved by the new ones that the admin gives', async () => {
    const made = await t.create(net.retailer, { username: 'anita' });
    const folder = await backUp();
    // As if an earlier restore had taken it away.
    await t.db.query(`update accounts set username = 'anita-' where id = $1`, [made._id]);
    await t.create(bystander.retailer, { username: 'Anita' });
    expect(await t.ok(backupLosses, { query: { folder } }, net.admin)).toMatchObject({
      namesTaken: [{ username: 'anita', role: 'user' }],
    });
    const taken = await t.call(importBackup, { query: { folder } }, net.admin);
    expect(taken).toMatchObject({
      status: 409,
      body: { code: 'USERNAME_TAKEN', fields: { renames: expect.any(String) as string } },
    });
    const again = { folder, renames: JSON.stringify({ anita: bystander.user.username }) };
    expect((await t.call(importBackup, { query: again }, net.admin)).status).toBe(409);
    await t.ok(importBackup, { query: { folder, renames: JSON.stringify({ anita: 'anita-two' }) } }, net.admin);
    expect((await t.signIn('anita-two'))._id).toBe(made._id);
    await t.expectBooksToBalance();
  });
});
