import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEmbedded } from '../../src/platform/db/embedded/embedded.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { makeDataDir } from '../processes/data-dir.ts';
import { runAudit, startCommand, startServer } from '../processes/server-process.ts';

const DOCTOR = fileURLToPath(new URL('../../src/commands/run-doctor.ts', import.meta.url));

let dataDir: string;
const whatLies = (): string[] => readdirSync(dataDir);

beforeEach(async () => {
  dataDir = await makeDataDir('first');
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

it('prints the password even if the first start failed on a taken port or weak password; and help still works', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const port = String((other.address() as AddressInfo).port);
  await expect(startServer(dataDir, { PORT: port })).rejects.toThrow(/Port \d+ is in use/);
  other.close();
  await expect(startServer(dataDir, { SUPERADMIN_PASSWORD: 'superadmin1' })).rejects.toThrow(
    "SUPERADMIN_PASSWORD can't be used. Use at least 8 characters besides the username.",
  );
  const server = await startServer(dataDir);
  expect(server.output()).toMatch(/password {2}\S+/);

  const lookOver = () => startCommand(DOCTOR, [], { DATA_DIR: dataDir, PORT: new URL(server.url).port }).ended;
  const otherOutput = await lookOver();
  expect(otherOutput.output).toMatch(/^ok {7}server {6}It is running and ready: /m);
  expect(otherOutput).toMatchObject({ code: 0, output: expect.stringMatching(/^\d+ ok, \d+ warnings, 0 errors/m) });
  await server.end('SIGTERM');
  const log = join(dataDir, 'postgres.log');
  await writeFile(log, 'why the server ended\n');
  const lay = whatLies();
  const alone = await lookOver();
  expect(alone).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^warning {2}server {6}No server is running\.$/m),
  });
  expect(whatLies()).toEqual(lay);
  expect(await readFile(log, 'utf8')).toMatch(/^why the server ended\n/);
});

it("starts after kill -9 during PostgreSQL's creation", async () => {
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir },
    stdio: 'ignore',
  });
  const begun = (): boolean =>
    ['postgres', 'postgres.new'].some((name) => existsSync(join(dataDir, name, 'PG_VERSION')));
  await expect.poll(begun, { interval: 2 }).toBe(true);
  const initdb = readFileSync(`/proc/${child.pid!}/task/${child.pid!}/children`, 'utf8').trim().split(' ').map(Number);
  child.kill('SIGKILL');
  // PostgreSQL runs in its own process group.
  for (const pid of initdb) process.kill(-pid, 'SIGKILL');
  await once(child, 'exit');

  const server = await startServer(dataDir);
  expect(server.output()).toMatch(/password {2}\S+/);
  await server.end('SIGTERM');
});

it("refuses another seed key or time zone than the database's", async () => {
  const first = await startServer(dataDir, { TIME_ZONE: 'Asia/Kolkata', SEED_KEY: '5a'.repeat(32) });
  await first.end('SIGTERM');
  await expect(startServer(dataDir, { SEED_KEY: 'a5'.repeat(32) })).rejects.toThrow(/encrypted with another key/);
  const key = { SEED_KEY: '5a'.repeat(32) };
  await expect(startServer(dataDir, { ...key, TIME_ZONE: 'Asia/Dubai' })).rejects.toThrow(
    /Set TIME_ZONE=Asia\/Kolkata/,
  );
  const again = await startServer(dataDir, key);
  expect(await again.end('SIGTERM')).toBe(0);
});

describe('audit at first start', () => {
  it('reports nothing to audit without a database and creates none', async () => {
    expect(await runAudit(dataDir)).toEqual({
      code: 1,
      output: expect.stringMatching(/^Nothing to audit: .* has no database\. .*\n$/),
    });
    expect(whatLies()).toEqual([]);
    const none = join(dataDir, 'none');
    expect(await runAudit(none)).toMatchObject({ code: 1, output: expect.stringContaining('Nothing to audit') });
    expect(whatLies()).toEqual([]);
  });

  it('reports an unreachable database in a sentence', async () => {
    const { code, output } = await runAudit(dataDir, { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
    expect(code).toBe(1);
    expect(output).toMatch(/^The database did not answer: connect ECONNREFUSED [^\n]*\n$/);
  });

  it("and the server leave another version's database alone and explain", async () => {
    const first = await startServer(dataDir);
    await first.end('SIGTERM');
    const postgres = await startEmbedded(dataDir, { exclusive: true });
    const migrations = (sql: string): Promise<string[]> => query(postgres.ownerUrl, sql);
    try {
      await migrations("insert into migrations (name, run_on) values ('9999-later', now())");
      expect(await runAudit(dataDir)).toEqual({
        code: 1,
        output: 'The database belongs to a later version of Drawhouse. Audit it with that version.\n',
      });
      await expect(migrate(postgres.ownerUrl)).rejects.toThrow(/belongs to a later version of Drawhouse/);

      await migrations("delete from migrations where name in ('9999-later', '0010-protection')");
      const before = await migrations('select name from migrations');
      expect(await runAudit(dataDir)).toMatchObject({
        code: 1,
        output: expect.stringMatching(/^The database belongs to an earlier version/),
      });
      expect(await migrations('select name from migrations')).toEqual(before);

      await migrations("update migrations set name = '0001-settings-and-networks' where name like '0001-%'");
      const unreleased = /^The database is from before the first release of Drawhouse, .* Use an empty DATA_DIR/;
      expect(await runAudit(dataDir)).toMatchObject({ code: 1, output: expect.stringMatching(unreleased) });
      await expect(migrate(postgres.ownerUrl)).rejects.toThrow(unreleased);

      await migrations('delete from migrations');
      expect(await runAudit(dataDir)).toMatchObject({
        code: 1,
        output: expect.stringMatching(/^Nothing to audit: the database has no/),
      });
    } finally {
      await postgres.stop();
    }
  });
});

async function query(url: string, sql: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<{ name: string }>(sql)).rows.map((row) => row.name);
  } finally {
    await client.end();
  }
}

it("warns at each start about the seed key's place until moved", async () => {
  const note = /Note: The seed key is stored beside the database\./;
  const first = await startServer(dataDir);
  await first.end('SIGTERM');
  expect(first.output()).toMatch(note);
  const again = await startServer(dataDir);
  await again.end('SIGTERM');
  expect(again.output()).toMatch(note);
  const elsewhere = await makeDataDir('key');
  try {
    const file = join(elsewhere, 'seed.key');
    await copyFile(join(dataDir, 'seed.key'), file);
    await chmod(file, 0o600);
    await rm(join(dataDir, 'seed.key'));
    const moved = await startServer(dataDir, { SEED_KEY_FILE: file });
    await moved.end('SIGTERM');
    expect(moved.output()).not.toMatch(note);
    expect(readdirSync(dataDir)).not.toContain('seed.key');
  } finally {
    await rm(elsewhere, { recursive: true });
  }
});
