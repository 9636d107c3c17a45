import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startServer } from './server-process.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'drawhouse-first-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

it('still prints the password when the port was taken at the very first start', { timeout: 60_000 }, async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const port = String((other.address() as AddressInfo).port);
  await expect(startServer(dataDir, { PORT: port })).rejects.toThrow(/port is in use/);
  other.close();
  const server = await startServer(dataDir);
  expect(server.output()).toMatch(/password {2}\S+/);
  await server.end('SIGTERM');
});

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
