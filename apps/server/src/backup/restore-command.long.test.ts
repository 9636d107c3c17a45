import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportBackup } from '@drawhouse/contract/backup/backups';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_SEAL_KEY_HEX } from '../../test/test-seal-key.ts';
import { TestApp, type Network } from '../../test/harness.ts';
import { startCommand } from '../../test/processes/server-process.ts';
import { parseRestoreArgs } from '../commands/run-restore.ts';
import { foldersOf, recordCheck } from './keep/backup-folders.ts';
import { MANIFEST, type Manifest } from './take/archive/manifest.ts';
import { publicKeyOf, signManifest } from './take/archive/sign-manifest.ts';

const RESTORE = fileURLToPath(new URL('../commands/run-restore.ts', import.meta.url));

let t: TestApp;
let first: Network;
let second: Network;
let folder: string;

beforeAll(async () => {
  t = await TestApp.start();
  [first, second] = [await t.network(), await t.network()];
  ({ folder } = await t.ok(exportBackup, {}, first.admin));
  await t.bet(first.user, { 1: 5 });
});
afterAll(() => t.close());

const run = (...args: string[]) =>
  startCommand(RESTORE, args, {
    DATABASE_URL: t.database.serverUrl,
    DATABASE_OWNER_URL: t.database.ownerUrl,
    BACKUP_DIR: t.backupDir,
    SEED_KEY: '5a'.repeat(32),
    SEAL_KEY: TEST_SEAL_KEY_HEX,
  }).ended;
const credit = async (): Promise<number> => {
  const user = await t.signIn(first.user.username);
  return t.credit(user);
};

it('tests the newest backup of each network', async () => {
  const { code, output } = await run('--try', first.admin.username);
  expect(output).toBe(`ok     ${first.admin.username}  ${folder} can be restored.\n`);
  expect(code).toBe(0);
  expect(await run('--try')).toMatchObject({
    code: 1,
    output: expect.stringContaining(`FAILED ${second.admin.username}  ${second.admin.username} has no intact backup.`),
  });
});

it('shows the loss and restores on confirmation, beside a running server', async () => {
  const asked = await run(first.admin.username);
  expect(asked.output).toContain('tickets, 0 transfers, 0 accounts, 0 standing orders and');
  expect(asked.output).toContain('Add --yes to restore it.');
  expect(asked.code).toBe(1);
  expect(await credit()).toBe(995);

  const done = await run(first.admin.username, folder, '--yes');
  expect(done.output).toContain(`ok     ${first.admin.username}  Restored from ${folder}. The previous state is in`);
  expect(done.code).toBe(0);
  expect(await credit()).toBe(1000);
  await t.expectBooksToBalance();
});

it('restores foreign signatures only on request, and logs that', async () => {
  const { folder: unsigned } = await t.ok(exportBackup, {}, await t.signIn(first.admin.username));
  const file = path.join(foldersOf(t.backupDir, first.admin._id), unsigned, MANIFEST);
  const { signature, ...manifest } = JSON.parse(await readFile(file, 'utf8')) as Manifest;
  expect(signature).toBeDefined();
  await writeFile(file, JSON.stringify(manifest));
  expect(await run(first.admin.username, unsigned, '--yes')).toMatchObject({
    code: 1,
    output: expect.stringContaining('it is not signed, so it may have been changed'),
  });
  const key = new Uint8Array(32).fill(8);
  await writeFile(file, JSON.stringify(signManifest(manifest, key)));
  expect(await run(first.admin.username, unsigned, '--yes', '--unsigned')).toMatchObject({ code: 1 });
  const done = await run(first.admin.username, unsigned, '--yes', '--trust-key', publicKeyOf(key));
  expect(done).toMatchObject({ code: 0 });
  expect(
    await t.db.query(
      `select detail ->> 'signedBy' as by from activity where network_id = 0 and detail ->> 'restoredFrom' = $1`,
      [unsigned],
    ),
  ).toEqual([{ by: publicKeyOf(key) }]);
  await rm(path.dirname(file), { recursive: true });
});

it('undoes it', async () => {
  expect(await run('--undo', first.admin.username)).toMatchObject({
    code: 0,
    output: `ok     ${first.admin.username}  The restore was undone.\n`,
  });
  expect(await credit()).toBe(1000);
  expect(await run('--undo', second.admin.username)).toMatchObject({ code: 1 });
  await t.expectBooksToBalance();
});

it("takes the newest sound backup, never a restore's safety backup", async () => {
  t.clock.advance(1_000);
  const { folder: later } = await t.ok(exportBackup, {}, await t.signIn(first.admin.username));
  const newest = async (): Promise<string> => (await run(first.admin.username)).output;
  expect(await run(first.admin.username, '--yes')).toMatchObject({
    code: 0,
    output: expect.stringContaining(`Restored from ${later}.`),
  });
  expect(await newest()).toContain(`${later}: `);
  const lies = path.join(foldersOf(t.backupDir, first.admin._id), later);
  await recordCheck(lies, t.clock.now(), { problems: ['tickets.zst was changed'] });
  expect(await newest()).toContain(`${folder}: `);
});

it('restores every network to its newest, and continues if one has none', async () => {
  expect(await run('--all', '--yes')).toMatchObject({
    code: 1,
    output: expect.stringMatching(
      new RegExp(
        `^ok     ${first.admin.username}  Restored from ${folder}\\.[^]*FAILED ${second.admin.username}  .* has no intact backup\\.\n$`,
      ),
    ),
  });
  const { folder: ofSecond } = await t.ok(exportBackup, {}, second.admin);
  expect(await run('--all', '--yes')).toMatchObject({
    code: 0,
    output: expect.stringContaining(`ok     ${second.admin.username}  Restored from ${ofSecond}.`),
  });
  await t.expectBooksToBalance();
});

it.each([
  [['--try', '--undo', 'x'], 'Use either --try or --undo.'],
  [[], 'Name one admin, or use --all.'],
  [['x', '--all'], 'Name one admin, or use --all.'],
  [['--undo'], 'Name one admin.'],
  [['x', 'y', 'z'], 'Name one admin and at most one folder.'],
  [['x', '--rename', 'y'], 'Write --rename as OLD=NEW, not y.'],
  [['--what'], 'Unknown option'],
])('rejects %j', (args, why) => {
  expect(() => parseRestoreArgs(args)).toThrow(why);
});

it('prints its usage on errors', async () => {
  expect(await run('--undo')).toMatchObject({ code: 2, output: expect.stringContaining('Usage: npm run restore') });
});

it('names a missing admin or folder', async () => {
  expect(await run('nobody', '--yes')).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no admin named nobody.'),
  });
  expect(await run(first.admin.username, '../..', '--yes')).toMatchObject({
    code: 1,
    output: expect.stringContaining('has no backup ../..'),
  });
});
