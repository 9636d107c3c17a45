import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network } from '../../test/harness.ts';
import { holdTable } from '../../test/statements/hold-table.ts';
import { createNetworkWork } from '../activity/network-work/network-work.ts';
import { startCommand } from '../../test/processes/server-process.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';
import { backUpBeforeClearing } from './take/back-up-network.ts';
import { readHistory } from './keep/backup-folders.ts';

const BACKUP = fileURLToPath(new URL('../commands/run-backup.ts', import.meta.url));
const BOOTS_MS = 60_000;
const NAME = String.raw`\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z-[0-9a-f]{6}`;

let t: TestApp;
let first: Network;
let second: Network;
let backupDir: string;

beforeAll(async () => {
  t = await TestApp.start();
  [first, second] = [await t.network(), await t.network()];
  backupDir = await mkdtemp(path.join(tmpdir(), 'backups-'));
});
afterAll(async () => {
  await rm(backupDir, { recursive: true, force: true });
  await t.close();
});

const start = (...args: string[]) =>
  startCommand(BACKUP, args, {
    DATABASE_URL: t.database.serverUrl,
    DATABASE_OWNER_URL: t.database.ownerUrl,
    BACKUP_DIR: backupDir,
  });
const run = (...args: string[]) => start(...args).ended;
const foldersOf = (net: Network): Promise<string[]> => readdir(path.join(backupDir, net.admin._id)).catch(() => []);

it('backs up all or named networks, lists and verifies them', async () => {
  const names = [first, second].map(({ admin }) => admin.username);
  const line = (username: string) => new RegExp(`^ok +${username} +${NAME} +[\\d,]+ rows, [\\d.]+ [kM]B$`);
  const all = await run();
  expect(all.code).toBe(0);
  const printed = all.output.trimEnd().split('\n');
  expect(printed).toEqual(names.map((username) => expect.stringMatching(line(username))));

  const one = await run(second.admin.username.toUpperCase());
  expect(one.output.trimEnd()).toMatch(line(second.admin.username));
  expect([await foldersOf(first), await foldersOf(second)].map(({ length }) => length)).toEqual([1, 2]);

  const listed = await run('--list');
  expect(listed).toMatchObject({ code: 0, output: expect.stringMatching(/^(.+ rows, .+ [kM]B\n){3}$/) });
  expect(await run('--verify')).toMatchObject({ code: 0, output: expect.stringMatching(/^(ok .*\n){3}$/) });
});

it('records verification where the backup page finds it', async () => {
  const [name] = await foldersOf(second);
  const history = await readHistory(path.join(backupDir, second.admin._id, name!));
  expect(history).toEqual({ checkedAt: expect.any(String) as string, problems: [] });
});

it('is refused only for a busy network', async () => {
  const work = createNetworkWork({ db: t.served, clock: t.clock, connectionString: () => t.database.serverUrl });
  const { promise: done, resolve: end } = Promise.withResolvers<void>();
  const order = { adminId: first.admin._id, kind: 'restore', by: first.admin.username } as const;
  await new Promise<void>((begun) => {
    void work.run(order, () => {
      begun();
      return done;
    });
  });
  for (const args of [[], ['--verify']]) {
    const { code, output } = await run(...args);
    expect(code).toBe(1);
    const { username } = first.admin;
    expect(output).toContain(`FAILED ${username}  A backup is being restored by ${username}. Please wait`);
    expect(output).toMatch(new RegExp(`^ok +${second.admin.username} `, 'm'));
  }
  end();
  await work.stop();
});

it('reports unknown arguments', async () => {
  expect(await run('nobody')).toEqual({ code: 1, output: 'There is no admin named nobody.\n' });
  expect(await run('--lst')).toMatchObject({ code: 2, output: expect.stringContaining('Usage: npm run backup') });
  expect(await run('--list', '--verify')).toMatchObject({ code: 2, output: expect.stringContaining('Use either') });
  expect(await run('--help')).toMatchObject({ code: 0, output: expect.stringContaining('Usage: npm run backup') });
});

it.each([
  ['SIGTERM', 'leaves nothing of a backup that is under way', 1, 0],
  ['SIGKILL', 'leaves one that says that it is not finished', null, 1],
] as const)('given a %s %s', async (signal, _what, code, left) => {
  const before = await foldersOf(first);
  const letGo = await holdTable(t.database.ownerUrl, 'tickets');
  try {
    const { child, ended } = start(first.admin.username);
    await untilWaiting(t, 1, BOOTS_MS);
    child.kill(signal);
    expect((await ended).code).toBe(code);
  } finally {
    await letGo();
  }
  const after = await foldersOf(first);
  expect(after).toHaveLength(before.length + left);
  for (const name of after.filter((one) => !before.includes(one))) {
    expect((await run('--list', first.admin.username)).output).toMatch(new RegExp(`${name} +unfinished\n`));
    expect(await run('--verify', first.admin.username)).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        new RegExp(`WRONG .*${name}\n +- manifest\\.json is missing: the backup was not finished\n`),
      ),
    });
  }
});

it("deletes a clearing's backup only after 90 days and notifies the superadmin", async () => {
  const { admin, networkId } = first;
  const place = { connectionString: () => t.database.serverUrl, dir: backupDir, key: undefined };
  const actor = { id: admin._id, networkId, username: admin.username };
  const { signal } = new AbortController();
  const daysAgo = (days: number) => ({ clock: { now: () => new Date(Date.now() - days * 86_400_000) } });
  const take = (days: number) => backUpBeforeClearing(daysAgo(days), place, { actor, signal }, { error: () => {} });
  const [young, old] = [await take(89), await take(91)];
  expect(await run('delete', admin.username, young)).toMatchObject({
    code: 1,
    output: expect.stringContaining('was taken before a clearing or a restore. It can be deleted from'),
  });
  expect(await run('delete', admin.username, old)).toMatchObject({ code: 0 });
  expect(await run('delete', admin.username, old)).toMatchObject({ code: 1 });
  const left = await foldersOf(first);
  expect([left.includes(young), left.includes(old)]).toEqual([true, false]);
  expect(
    await t.db.query('select username, subject from activity where network_id = 0 order by seq desc limit 1'),
  ).toEqual([{ username: 'system', subject: `Deleted backup "${old}" of ${admin.username}` }]);
});
