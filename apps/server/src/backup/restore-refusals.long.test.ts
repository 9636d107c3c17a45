import { randomUUID } from 'node:crypto';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { backupLosses, drillBackup, exportBackup, importBackup, listBackups } from '@drawhouse/contract/backup/backups';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { playNetwork } from '../../test/worlds/audit-world.ts';
import { expectRestoreRefused } from '../../test/backups/expect-restore-refused.ts';
import { ForgedBackup } from '../../test/tampering/forge-backup.ts';
import { DATABASE_DIR, TestApp, type Network } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { REAL_DISK } from './keep/disk-space.ts';
import { MANIFEST } from './take/archive/manifest.ts';
import { rowCounts } from '../../test/tampering/table-rows.ts';

let t: TestApp;
let net: Network;

let freeBytes: () => number;

beforeAll(async () => {
  const free = async (folder: string) => (folder === DATABASE_DIR ? freeBytes() : 1e12);
  t = await TestApp.start({ backupParts: { disk: { ...REAL_DISK, free } } });
  ({ net } = await playNetwork(t, { confirmed: false }));
});
afterAll(() => t.close());

beforeEach(() => {
  freeBytes = () => 1e12;
});

const backUp = async (): Promise<string> => (await t.ok(exportBackup, {}, net.admin)).folder;

it('the loss preview of an unreadable backup is refused in words', async () => {
  const folder = await backUp();
  const at = path.join(t.backupDir, net.admin._id, folder);
  const refused = async (change: () => Promise<void>, saying: string): Promise<void> => {
    await change();
    const { status, body } = await t.call(backupLosses, { query: { folder } }, net.admin);
    expect([status, body.message]).toEqual([422, `This backup can’t be restored: ${saying}. Nothing was changed.`]);
  };
  await refused(() => rm(path.join(at, 'accounts.zst')), 'accounts.zst is missing');
  await refused(() => writeFile(path.join(at, 'draws.zst'), 'no'), "draws.zst can't be read: Unknown frame descriptor");
  const manifest = await readFile(path.join(at, MANIFEST), 'utf8');
  const later = manifest.replace(/"schema": *"[^"]*"/, '"schema":"9999-later"');
  await refused(
    () => writeFile(path.join(at, MANIFEST), later),
    'it was taken by another version of Drawhouse (9999-later): restore it with that version',
  );
});

it('a backup encrypted for another key cannot be tested and is not called damaged', async () => {
  const folder = await backUp();
  const file = path.join(t.backupDir, net.admin._id, folder, MANIFEST);
  const recipient = await identityToRecipient(await generateX25519Identity());
  await writeFile(file, JSON.stringify({ ...(JSON.parse(await readFile(file, 'utf8')) as object), recipient }));
  const { status, body } = await t.call(drillBackup, { body: { folder } }, net.admin);
  expect([status, body.message]).toEqual([
    422,
    expect.stringContaining("this server's BACKUP_KEY is not the identity"),
  ]);
  const { backups } = await t.ok(listBackups, {}, net.admin);
  expect(backups.find(({ name }) => name === folder)).toMatchObject({ state: 'whole', problems: [], drilledAt: null });
});

describe('a restore is refused without changes', () => {
  let folder: string;
  let at: string;
  let forged: ForgedBackup;
  beforeEach(async () => {
    folder = await backUp();
    at = path.join(t.backupDir, net.admin._id, folder);
    forged = new ForgedBackup(at);
  });

  const refused = (saying: string): Promise<void> => expectRestoreRefused(t, net.admin, folder, saying);

  it('if a file is truncated', async () => {
    await truncate(forged.file('tickets.zst'), 20);
    await refused('tickets.zst');
  });
  it('if a shared file is truncated', async () => {
    await truncate(forged.file('times.zst'), 20);
    await refused('times.zst');
  });
  it('if a file is missing', async () => {
    await rm(forged.file('wallets.zst'));
    await refused('wallets.zst is missing');
  });
  it('if rows were reordered and the manifest rewritten', async () => {
    await forged.text('activity', (text) => {
      const rows = text.split('\n');
      return [rows[1], rows[0], ...rows.slice(2)].join('\n').replace('Created', 'Deleted');
    });
    await refused('its contents failed the audit: activity of network');
  });
  it('if files are in another order', async () => {
    await forged.rewrite((of) => ({ ...of, files: of.files.toReversed() }));
    await refused('its manifest names no file of the table');
  });
  it('for a later version', async () => {
    await forged.rewrite((of) => ({ ...of, schema: '9999-later' }));
    await refused('it was taken by another version of Drawhouse (9999-later)');
  });
  it('if days are in another time zone', async () => {
    await forged.rewrite((of) => ({ ...of, timeZone: 'Europe/Berlin' }));
    await refused('its days are in Europe/Berlin');
  });
  it('if the database has no space, before or during loading', async () => {
    const saying = (free: string) => `Not enough space on the database's disk for a staged copy: ${free} are free`;
    freeBytes = () => 1_000_010_000;
    await refused(saying('1 GB'));
    let looked = 0;
    freeBytes = () => (looked++ < 2 ? 1e12 : 900_000_000);
    await refused(saying('900 MB'));
    expect(looked).toBeGreaterThan(2);
  });

  it('if unfinished', async () => {
    await rm(forged.file(MANIFEST));
    const { status, body } = await t.call(importBackup, { query: { folder } }, net.admin);
    expect([status, body.message]).toEqual([422, expect.stringContaining('never finished')]);
  });
  it('if an account is above its admin', async () => {
    await forged.text('accounts', (text) => text.replace('\tretailer\t', '\tsuperadmin\t'));
    await refused('are not below its admin');
  });
  it('if a game is not in the catalogue', async () => {
    const id = randomUUID();
    await forged.rows('games', (rows) => [...rows, { ...rows[0]!, id, game_key: 'forged', name: 'Forged' }]);
    await forged.rows('wallets', (rows) => {
      const table = rows.find(({ kind }) => kind === String(WALLET_KINDS.table))!;
      return [...rows, { ...table, id: String(rows.length + 1), owner_id: id, balance: '0', version: '0' }];
    });
    await refused(`some of its games are not in the catalogue here: ${id}`);
  });
  it('if the superadmin took back credit the admin did not have', async () => {
    await t.give(net.admin, net.retailer, await t.credit(net.admin));
    const { folder: empty } = await t.ok(exportBackup, {}, net.admin);
    const back = { toUserId: net.retailer._id, adjustAmount: 1, transactionType: 'debit' as const, password: PASSWORD };
    await t.ok(accountRoutes.retailer.creditAdjust, { body: back }, net.superadmin);
    const before = await rowCounts(t.db);
    const { status, body } = await t.call(importBackup, { query: { folder: empty } }, net.admin);
    expect([status, body.message]).toEqual([422, expect.stringContaining('took back 1.00 points more than it gave')]);
    expect(await rowCounts(t.db)).toEqual(before);
    await t.expectBooksToBalance();
  });
});

describe('a successful restore', () => {
  it('leaves the shared catalogue unchanged', async () => {
    const catalogue = () =>
      t.db.query(
        `select (select json_agg(i order by game_id, position) from game_times i) as times, (select json_agg(i order by game_id,
         position) from game_images i) as images,
                (select count(*) from images) as pictures`,
      );
    const folder = await backUp();
    const at = path.join(t.backupDir, net.admin._id, folder);
    const before = await catalogue();
    const forged = new ForgedBackup(at);
    await forged.rows('images', () => [{ hash: String.raw`\\x${'ab'.repeat(32)}`, content: String.raw`\\x00` }]);
    await forged.rows('game_times', (rows) => [...rows, { ...rows[0]!, position: '7' }]);
    await t.ok(importBackup, { query: { folder } }, net.admin);
    expect(await catalogue()).toEqual(before);
    await t.expectBooksToBalance();
  });

  it('returns to a time before a game was assigned, and keeps it assigned', async () => {
    for (const one of ['superadmin', 'admin'] as const) Object.assign(net[one], await t.signIn(net[one].username));
    const folder = await backUp();
    const games = ['funtargetbingo', 'luckycard12', 'greenfuntimer'];
    await t.ok(accountRoutes.admin.update, { params: { id: net.admin._id }, body: { games } }, net.superadmin);
    await t.ok(importBackup, { query: { folder } }, net.admin);
    const { length } = await t.db.query(
      'select from network_games where network_id = (select network_id from accounts where id = $1)',
      [net.admin._id],
    );
    expect(length).toBe(3);
    await t.expectBooksToBalance();
  });
});
