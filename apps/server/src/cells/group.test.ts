import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { checkImport, importAccounts } from '@drawhouse/contract/accounts/bulk-accounts';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD } from '../../test/test-password.ts';
import { TestGroup } from '../../test/worlds/cells.ts';
import type { Network, SignedIn, TestApp } from '../../test/harness.ts';
import { withExistingDatabase } from '../commands/command-line.ts';
import { addCell, listCells, readGroupWish, rebuildDirectory } from '../commands/run-group.ts';
import { readConfig } from '../config/config.ts';
import { joinGroup, NUMBERS_PER_CELL } from './join-group.ts';
import { compareNames, enterOwnNames, releaseNames } from './own-names.ts';

const METRICS = {
  token: undefined,
  folders: {},
  clock: { stepCount: () => 0, behindUntil: () => undefined },
  hosts: () => Promise.resolve([]),
};

let group: TestGroup;
let first: Awaited<ReturnType<TestGroup['add']>>;
let second: Awaited<ReturnType<TestGroup['add']>>;
let here: Network;
let there: Network;

beforeAll(async () => {
  group = await TestGroup.start();
  first = await group.add('cell-1');
  second = await group.add('cell-2', { metrics: METRICS });
  here = await first.network();
  there = await second.network();
});
afterAll(() => group.close());

const createUser = (t: TestApp, by: SignedIn, username: string) =>
  t.call(
    accountRoutes.user.create,
    { body: { username, password: PASSWORD, commission: 0, note: 'n', role: 'user' } },
    by,
  );

const joiningOf = ({ served, database }: TestApp) => ({
  db: served,
  timeZone: 'Asia/Kolkata',
  ownerUrl: database.ownerUrl,
});

const taken = { status: 409, body: { code: 'USERNAME_TAKEN', fields: { username: expect.anything() as string } } };

it('gives a username to one cell only, in any case', async () => {
  expect((await createUser(first, here.retailer, 'Asha')).status).toBe(201);
  expect(await createUser(second, there.retailer, 'aSHA')).toMatchObject(taken);
  expect(await createUser(first, here.retailer, 'asha')).toMatchObject(taken);
  expect((await createUser(second, there.retailer, 'asha2')).status).toBe(201);
});

it('counts the accounts of each cell, however many logins they have', async () => {
  const counted = async (): Promise<number> => {
    const line = (await listCells(second.directory)).find((one) => one.startsWith('cell-2'))!;
    return Number(/, (\d+) accounts, this cell$/.exec(line)![1]);
  };
  const before = await counted();
  const logins = ['a-login', 'another-login'];
  await second.directory.reserve(there.admin._id, logins);
  expect(await counted()).toBe(before);
  expect((await createUser(second, there.retailer, 'counted')).status).toBe(201);
  expect(await counted()).toBe(before + 1);
  await releaseNames(second.directory.db, logins, second.directory.own);
});

it('labels every metric with its cell', async () => {
  const samples = (await second.app.metrics!.read()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(samples.length).toBeGreaterThan(50);
  expect(samples.filter((sample) => !sample.includes('cell="cell-2"'))).toEqual([]);
});

it('gives a name to only one of two cells that ask at once', async () => {
  const answers = await Promise.all([
    createUser(first, here.retailer, 'racer'),
    createUser(second, there.retailer, 'racer'),
  ]);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409]);
});

it('reads one subject for commands that need one, and none for others', () => {
  expect(readGroupWish(['end', 'one'])).toEqual({ what: 'end', subject: 'one' });
  expect(readGroupWish(['doctor'])).toEqual({ what: 'doctor', subject: '' });
  for (const wrong of [['end'], ['end', 'one', 'two'], ['doctor', 'one'], ['end', 'one', '--gone'], []])
    expect(() => readGroupWish(wrong)).toThrow(/^Choose list|^Unknown option '--gone'/);
});

it('numbers networks of each cell in its own range', () => {
  expect(here.networkId).toBeLessThan(NUMBERS_PER_CELL);
  expect(there.networkId).toBeGreaterThan(NUMBERS_PER_CELL);
  expect(there.networkId).toBeLessThan(2 * NUMBERS_PER_CELL);
});

it('gives a name of a failed creation to any network of its cell, and to other cells once released', async () => {
  const failed = crypto.randomUUID();
  await first.directory.reserve(failed, ['left-over']);
  expect((await createUser(first, here.retailer, 'left-over')).status).toBe(201);
  const admin = here.admin._id;
  const values = ['planned', 'U000000'];
  expect(await first.directory.reserve(admin, values)).toEqual(new Set(values));
  expect(await createUser(second, there.retailer, 'planned')).toMatchObject(taken);
  await first.directory.db.query(`update names set reserved_at = now() - interval '2 hours'`);
  const { missing, unused } = await compareNames(first.directory.db, first.served, first.directory.own);
  expect(missing).toEqual([]);
  expect(unused).toEqual(expect.arrayContaining(values));
  await releaseNames(first.directory.db, unused, first.directory.own);
  expect(await first.directory.cellOf(failed)).toBeUndefined();
  expect((await createUser(second, there.retailer, 'planned')).status).toBe(201);
});

it('checks an import against all cells and reserves its names only when it runs', async () => {
  const rowsOf = (...names: string[]) =>
    names.map((username) => ({ username, password: PASSWORD, commission: '', note: '', reference: '' }));
  expect((await createUser(first, here.retailer, 'row-a')).status).toBe(201);
  const checked = await second.ok(
    checkImport,
    { body: { role: 'user', rows: rowsOf('row-a', 'row-b') } },
    there.retailer,
  );
  expect(checked).toMatchObject({ problems: [{ row: 0, field: 'username' }] });
  expect((await createUser(first, here.retailer, 'row-b')).status).toBe(201);
  const as = { ...there.retailer, idempotencyKey: 'one-import' };
  await second.ok(importAccounts, { body: { role: 'user', rows: rowsOf('row-c', 'row-d') } }, as);
  expect(await createUser(first, here.retailer, 'row-d')).toMatchObject(taken);
});

it('refuses only new accounts while the directory is down', async () => {
  await group.setAway(true);
  first.clock.advance(60_000);
  await first.app.tick();
  expect(await createUser(first, here.retailer, 'late')).toMatchObject({
    status: 503,
    body: {
      code: 'NOT_READY',
      message: expect.stringContaining('The directory of all cells does not answer') as string,
    },
  });
  expect((await first.bet(here.user, { 3: 1 })).status).toBe(201);
  await first.signIn(here.user.username);
  await group.setAway(false);
  expect((await createUser(first, here.retailer, 'late')).status).toBe(201);
});

it('writes the settings of a further cell', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'drawhouse-group-'));
  const config = { dataDir: '/srv/cell-1', directoryUrl: undefined, databaseUrl: undefined, port: 3000 };
  const file = path.join(folder, 'cell-3.env');
  const env = {
    SEED_KEY_FILE: '/etc/drawhouse/seed.key',
    SEAL_NAME: 'one.example.org',
    TRUST_PROXY: 'true',
    BACKUP_SCHEDULE: 'daily 03:30',
    SUPERADMIN_PASSWORD: 'battery horse',
  };
  const add = (name: string) => addCell(first.directory, config, { name, file, timeZone: 'Asia/Kolkata', env });
  try {
    await expect(add('cell-2')).rejects.toThrow('The group already has a cell cell-2.');
    await expect(add('Cell 3')).rejects.toThrow('CELL_NAME must have 1 to 16 letters');
    expect(await add('cell-3')).toContain('cell-3 joins the group at its first start');
    expect(readConfig(parseEnv(await readFile(file, 'utf8')))).toMatchObject({
      cellName: 'cell-3',
      directoryUrl: '/srv/cell-1',
      dataDir: '/srv/cell-3',
      port: 3010,
      timeZone: 'Asia/Kolkata',
      seedKeyFile: '/etc/drawhouse/cell-3-seed.key',
      sealName: 'cell-3.one.example.org',
      trustProxy: true,
    });
    const written = await readFile(file, 'utf8');
    expect(written).toContain("BACKUP_SCHEDULE='daily 03:30'");
    expect(written).not.toContain('battery');
    await expect(add('cell-3')).rejects.toThrow('exists already');
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('starts a further cell by the printed line, without the exported settings of this one', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'drawhouse-group-'));
  const directoryUrl = 'postgresql://owner:a%23b@127.0.0.1/drawhouse_directory?application_name=a#b';
  const config = { dataDir: '/srv/my cells/cell-1', directoryUrl, databaseUrl: 'postgresql://one', port: 3000 };
  try {
    const file = path.join(folder, 'cell-3.env');
    const said = await addCell(first.directory, config, { name: 'cell-3', file, timeZone: 'Asia/Kolkata', env: {} });
    const line = /^ {2}(env .*) tools\/setup\.mjs start$/m.exec(said)![1]!;
    const env = {
      PATH: [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
      CELL_NAME: 'cell-1',
      DATABASE_URL: 'postgresql://one',
      SEAL_NAME: 'one',
    };
    const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -p "JSON.stringify(process.env)"`], {
      cwd: folder,
      env,
    });
    const { PATH: _path, ...settings } = JSON.parse(stdout) as Record<string, string>;
    expect(settings).toMatchObject({
      CELL_NAME: 'cell-3',
      DIRECTORY_URL: directoryUrl,
      DATA_DIR: '/srv/my cells/cell-3',
      PORT: '3010',
      TIME_ZONE: 'Asia/Kolkata',
    });
    expect(settings).not.toHaveProperty('DATABASE_URL');
    expect(settings).not.toHaveProperty('SEAL_NAME');
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('refuses commands on a cell of another version, naming it', async () => {
  const config = { ...readConfig({}), databaseUrl: second.database.ownerUrl, cellName: 'cell-2' };
  const move = () => withExistingDatabase(config, { verb: 'move', noun: 'Move' }, () => Promise.resolve('moved'));
  expect(await move()).toBe('moved');
  await second.byHand(`insert into migrations (name, run_on) values ('9999-later', now())`);
  await expect(move()).rejects.toThrow(
    'The database of cell-2 belongs to a later version of Drawhouse. Move it with that version.',
  );
  await second.byHand(`delete from migrations where name = '9999-later'`);
});

it('refuses a cell that does not fit', async () => {
  await expect(group.add('cell-1')).rejects.toThrow('The directory has another cell with the name cell-1.');
  await expect(group.add('far', { timeZone: 'Europe/Berlin' })).rejects.toThrow('the time zone Asia/Kolkata, this one');
  await expect(
    group.add('full', {
      prepare: async ({ db }) => void (await db.query('insert into networks (admin_id) values (gen_random_uuid())')),
    }),
  ).rejects.toThrow('full can’t join: it has networks');
  await expect(
    group.add('clash', {
      prepare: async ({ db }) =>
        void (await db.query(`update accounts set username = 'Asha' where role = 'superadmin'`)),
    }),
  ).rejects.toThrow('clash can’t join: other cells use some of its usernames or unique ids, such as asha.');
});

it('rebuilds a lost directory from the cells, in any order', async () => {
  await group.loseDirectory();
  expect((await createUser(first, here.retailer, 'too-early')).status).toBe(503);
  for (const cell of [second, first]) {
    const { served, directory } = cell;
    expect(await rebuildDirectory(directory, joiningOf(cell))).toMatchObject({ released: 0, taken: [] });
    expect(await compareNames(directory.db, served, directory.own)).toEqual({ missing: [], unused: [] });
    expect(await enterOwnNames(directory.db, served, directory.own)).toEqual([]);
    expect(await rebuildDirectory(directory, joiningOf(cell))).toEqual({ entered: 0, released: 0, taken: [] });
    if (cell === second)
      expect(await createUser(first, here.retailer, 'too-early')).toMatchObject({
        status: 503,
        body: { message: expect.stringContaining('does not list this cell yet') as string },
      });
  }
  const cells = await first.directory.db.query('select name, first_network from cells order by first_network');
  expect(cells).toEqual([
    { name: 'cell-1', first_network: 1 },
    { name: 'cell-2', first_network: NUMBERS_PER_CELL + 1 },
  ]);
  expect(await createUser(second, there.retailer, 'asha')).toMatchObject(taken);
  expect((await second.network()).networkId).toBe(there.networkId + 1);
});

it('starts a cell even if its names were taken before it joined the new directory', async () => {
  await group.loseDirectory();
  await joinGroup(first.directory, joiningOf(first));
  expect((await createUser(first, here.retailer, 'asha2')).status).toBe(201);
  expect(await joinGroup(second.directory, joiningOf(second))).toEqual(['asha2']);
});
