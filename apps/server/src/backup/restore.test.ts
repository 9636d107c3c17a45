import { createHash } from 'node:crypto';
import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { login } from '@drawhouse/contract/auth/auth';
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
import { MANIFEST } from './manifest.ts';
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

describe('a restore is refused, and nothing is changed,', () => {
  let folder: string;
  let at: string;
  let before: Awaited<ReturnType<typeof rowCounts>>;
  const file = (name: string): string => path.join(at, name);
  const manifest = async (): Promise<Record<string, unknown>> =>
    JSON.parse(await readFile(file(MANIFEST), 'utf8')) as Record<string, unknown>;
  const rewrite = async (change: (of: Record<string, unknown>) => Record<string, unknown>): Promise<void> =>
    writeFile(file(MANIFEST), JSON.stringify(change(await manifest())));

  beforeEach(async () => {
    folder = await backUp();
    at = path.join(t.backupDir, net.admin._id, folder);
    before = await rowCounts(t.db);
  });

  async function refused(saying: string): Promise<void> {
    const { status, body } = await t.call(importBackup, { query: { folder } }, net.admin);
    expect(body.message).toContain(saying);
    expect(status).toBe(422);
    expect({ ...(await rowCounts(t.db)), network_work: 0 }).toEqual({ ...before, network_work: 0 });
    expect(await t.call(listBackups, {}, net.admin), 'the session lives on').toMatchObject({ status: 200 });
    await t.expectBooksToBalance();
  }

  it('of what was changed in a file', async () => {
    const bytes = await readFile(file('transfers.zst'));
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(file('transfers.zst'), bytes);
    await refused('transfers.zst');
  });
  it('of what was cut short', async () => {
    await truncate(file('tickets.zst'), 20);
    await refused('tickets.zst');
  });
  it('of what lacks a file', async () => {
    await rm(file('wallets.zst'));
    await refused('wallets.zst is missing');
  });
  it('of rows in another order, for which the manifest was written anew', async () => {
    const rows = zstdDecompressSync(await readFile(file('activity.zst')))
      .toString()
      .split('\n');
    const swapped = zstdCompressSync([rows[1], rows[0], ...rows.slice(2)].join('\n').replace('Created', 'Deleted'));
    await writeFile(file('activity.zst'), swapped);
    await rewrite((of) => ({
      ...of,
      files: (of['files'] as { table: string }[]).map((one) =>
        one.table === 'activity'
          ? { ...one, bytes: swapped.length, sha256: createHash('sha256').update(swapped).digest('hex') }
          : one,
      ),
    }));
    await refused('what it holds is not right: activity of network');
  });
  it('of files that stand in another order', async () => {
    await rewrite((of) => ({ ...of, files: (of['files'] as unknown[]).toReversed() }));
    await refused('its manifest names no file of the table');
  });
  it('of another network', async () => {
    const { folder: foreign } = await t.ok(exportBackup, {}, bystander.admin);
    await rm(at, { recursive: true });
    await cp(path.join(t.backupDir, bystander.admin._id, foreign), at, { recursive: true });
    before = await rowCounts(t.db);
    await refused('it is of another network');
  });
  it('of a later version', async () => {
    await rewrite((of) => ({ ...of, schema: '9999-later' }));
    await refused('it is of a later version of Drawhouse (9999-later)');
  });
  it('of days of another time zone', async () => {
    await rewrite((of) => ({ ...of, timeZone: 'Europe/Berlin' }));
    await refused('its days are those of Europe/Berlin');
  });
  it('of what was never finished', async () => {
    await rm(file(MANIFEST));
    const { status, body } = await t.call(importBackup, { query: { folder } }, net.admin);
    expect([status, body.message]).toEqual([422, expect.stringContaining('never finished')]);
  });
  it('of an account that stands above its admin', async () => {
    const rows = zstdDecompressSync(await readFile(file('accounts.zst')))
      .toString()
      .replace('\tretailer\t', '\tsuperadmin\t');
    const changed = zstdCompressSync(rows);
    await writeFile(file('accounts.zst'), changed);
    await rewrite((of) => ({
      ...of,
      files: (of['files'] as { table: string }[]).map((one) =>
        one.table === 'accounts'
          ? { ...one, bytes: changed.length, sha256: createHash('sha256').update(changed).digest('hex') }
          : one,
      ),
    }));
    await refused('are not below its admin');
  });
  it('where the superadmin has taken back since what the admin had not', async () => {
    await t.give(net.admin, net.retailer, await t.credit(net.admin));
    const { folder: empty } = await t.ok(exportBackup, {}, net.admin);
    const back = { toUserId: net.retailer._id, adjustAmount: 1, transactionType: 'debit' as const, password: PASSWORD };
    await t.ok(accountRoutes.retailer.creditAdjust, { body: back }, net.superadmin);
    before = await rowCounts(t.db);
    const { status, body } = await t.call(importBackup, { query: { folder: empty } }, net.admin);
    expect([status, body.message]).toEqual([422, expect.stringContaining('taken back 1.00 points more than it gave')]);
    expect(await rowCounts(t.db)).toEqual(before);
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
