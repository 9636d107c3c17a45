import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { addBalance } from '@drawhouse/contract/credit/credit';
import { exportBackup, importBackup, undoRestore } from '@drawhouse/contract/backup/backups';
import { setLimits } from '@drawhouse/contract/games/limits';
import { setPercentages } from '@drawhouse/contract/games/percentages';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FIRST_SUPERADMIN } from '../app.ts';
import { readNetworkWish } from '../run-network.ts';
import { TestApp } from '../../test/harness.ts';
import type { Network } from '../../test/harness.ts';
import { startCommand } from '../../test/server-process.ts';

const NETWORK = fileURLToPath(new URL('../run-network.ts', import.meta.url));

let here: TestApp;
let elsewhere: TestApp;
let net: Network;
let dir: string;
let archive: string;

const runIn = (t: TestApp, ...args: string[]) =>
  startCommand(NETWORK, args, {
    DATABASE_URL: t.database.serverUrl,
    DATABASE_OWNER_URL: t.database.ownerUrl,
    BACKUP_DIR: t.backupDir,
    DATA_DIR: dir,
    SEED_KEY: '5a'.repeat(32),
  }).ended;

beforeAll(async () => {
  [here, elsewhere] = [await TestApp.start(), await TestApp.start()];
  await here.db.query(`update pinned_settings set value = gen_random_uuid()::text where name = 'installation'`);
  dir = await mkdtemp(path.join(tmpdir(), 'drawhouse-moving-'));
  archive = path.join(dir, 'network.zip');
  net = await elsewhere.network({ credit: 300 });
});
afterAll(async () => {
  await Promise.all([here.close(), elsewhere.close()]);
  await rm(dir, { recursive: true, force: true });
});

it('exports a network with all that its root told of it', async () => {
  await elsewhere.bet(net.user, { 1: 5 });
  await elsewhere.finishDraw();
  await elsewhere.bet(net.user, { 2: 7 });
  const { code, output } = await runIn(elsewhere, 'export', net.admin.username, archive);
  expect(output).toContain(`ok     ${net.admin.username}  ${archive}  the network of ${net.admin.username} as of`);
  expect(output).toContain('is active: what its network does from now on is not in it.');
  expect(code).toBe(0);
  expect(await runIn(elsewhere, 'verify', archive)).toMatchObject({ code: 0, output: expect.stringContaining('ok') });
});

it('takes it in', async () => {
  const asked = await runIn(here, 'import', archive);
  expect(asked.output).toContain('Add --yes to import it.');
  expect(asked.code).toBe(1);
  const done = await runIn(here, 'import', archive, '--yes');
  expect(done.output).toContain('the audit found them right.');
  expect(done.code).toBe(0);
  await here.expectBooksToBalance();
});
