import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEmbedded } from '../src/db/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { makeDataDir } from './data-dir.ts';
import { runAudit, startServer } from './server-process.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await makeDataDir('first');
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

it('starts after a kill -9 of everything while PostgreSQL was being made', { timeout: 60_000 }, async () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir },
    stdio: 'ignore',
  });
  const begun = (): boolean =>
    ['postgres', 'postgres.new'].some((name) => existsSync(join(dataDir, name, 'PG_VERSION')));
  await expect.poll(begun, { timeout: 20_000, interval: 2 }).toBe(true);
  const initdb = readFileSync(`/proc/${child.pid!}/task/${child.pid!}/children`, 'utf8').trim().split(' ').map(Number);
  child.kill('SIGKILL');
  // PostgreSQL's programs run in a group of their own.
  for (const pid of initdb) process.kill(-pid, 'SIGKILL');
  await once(child, 'exit');

  const server = await startServer(dataDir);
  expect(server.output()).toMatch(/password {2}\S+/);
  await server.end('SIGTERM');
});

it('refuses another seed key or time zone than the database began with', { timeout: 60_000 }, async () => {
  const first = await startServer(dataDir, { TIME_ZONE: 'Asia/Kolkata', SEED_KEY: '5a'.repeat(32) });
  await first.end('SIGTERM');
  await expect(startServer(dataDir, { SEED_KEY: 'a5'.repeat(32) })).rejects.toThrow(/sealed with another key/);
  const key = { SEED_KEY: '5a'.repeat(32) };
  await expect(startServer(dataDir, { ...key, TIME_ZONE: 'Asia/Dubai' })).rejects.toThrow(
    /Set TIME_ZONE=Asia\/Kolkata/,
  );
  const again = await startServer(dataDir, key);
  expect(await again.end('SIGTERM')).toBe(0);
});

describe('the audit', () => {
  it(
    'and the server leave a database alone that belongs to another version, and say what to do',
    { timeout: 120_000 },
    async () => {
      const first = await startServer(dataDir);
      await first.end('SIGTERM');
      const postgres = await startEmbedded(dataDir, { exclusive: true });
      const migrations = (sql: string): Promise<string[]> => query(postgres.ownerUrl, sql);
      try {
        await migrations("insert into migrations (name, run_on) values ('9999-later', now())");
        expect(await runAudit(dataDir)).toEqual({
          code: 1,
          output: 'The database belongs to a later version of Drawhouse. Audit it by that version.\n',
        });
        await expect(migrate(postgres.ownerUrl)).rejects.toThrow(
          /belongs to a later version of Drawhouse than this one/,
        );

        await migrations("delete from migrations where name in ('9999-later', '0008-tickets')");
        const before = await migrations('select name from migrations');
        expect(await runAudit(dataDir)).toMatchObject({
          code: 1,
          output: expect.stringMatching(/^The database belongs to an earlier version/),
        });
        expect(await migrations('select name from migrations')).toEqual(before);

        await migrations("update migrations set name = '0001-networks-and-accounts' where name like '0001-%'");
        const unreleased =
          /^The database is of a Drawhouse from before its first release, .* Start with an empty DATA_DIR/;
        expect(await runAudit(dataDir)).toMatchObject({ code: 1, output: expect.stringMatching(unreleased) });
        await expect(migrate(postgres.ownerUrl)).rejects.toThrow(unreleased);

        await migrations('delete from migrations');
        expect(await runAudit(dataDir)).toMatchObject({
          code: 1,
          output: expect.stringMatching(/^There is nothing to audit: the database has no/),
        });
      } finally {
        await postgres.stop();
      }
    },
  );
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

it('says at each start where the key of the seeds lies, until it lies elsewhere', { timeout: 120_000 }, async () => {
  const note = /Note: The key of the seeds lies beside the database\./;
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
    expect(moved.output()).not.toContain('Note:');
    expect(readdirSync(dataDir)).not.toContain('seed.key');
  } finally {
    await rm(elsewhere, { recursive: true });
  }
});
