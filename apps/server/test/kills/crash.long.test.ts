import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { login } from '@drawhouse/contract/auth/auth';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAlive } from '../../src/platform/db/embedded/embedded-process.ts';
import { makeDataDir, withDatabase } from '../processes/data-dir.ts';
import { postgresPid, runAudit, startServer, type ServerProcess } from '../processes/server-process.ts';
import { PASSWORD } from '../test-password.ts';

let dataDir: string;
let server: ServerProcess;

beforeEach(async () => {
  dataDir = await makeDataDir('crash');
  server = await startServer(dataDir, { SUPERADMIN_PASSWORD: PASSWORD });
});
afterEach(async () => {
  await server.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

async function signIn(username: string, password = PASSWORD): Promise<void> {
  const response = await fetch(`${server.url}/api/${login.path}`, {
    method: login.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  expect(await response.json()).toMatchObject({ success: true });
}

it('takes over PostgreSQL if only the server was killed, and stops it too', async () => {
  const postgres = await postgresPid(dataDir);
  await server.end('SIGKILL');
  expect(isAlive(postgres)).toBe(true);
  server = await startServer(dataDir);
  expect(await postgresPid(dataDir)).toBe(postgres);
  expect(await server.end('SIGINT')).toBe(0);
  expect(isAlive(postgres)).toBe(false);
});

it("starts although the serving role's password was lost", async () => {
  await server.end('SIGTERM');
  await rm(join(dataDir, 'postgres.server.password'));
  server = await startServer(dataDir);
  await signIn('superadmin');
});

it('refuses a second server on a data folder, and audits beside the first or alone', async () => {
  await expect(startServer(dataDir)).rejects.toThrow(/A server is already running on/);
  expect(await runAudit(dataDir)).toMatchObject({ code: 0, output: expect.stringContaining('activity log') });
  await signIn('superadmin');
  const postgres = await postgresPid(dataDir);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(isAlive(postgres)).toBe(false);
  expect(await runAudit(dataDir)).toMatchObject({ code: 0 });
});

it('stops despite silent connections, and answers pending requests', async () => {
  const silent = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
  await once(silent, 'connect');
  const busy = Array.from({ length: 4 }, () => signIn('superadmin'));
  const ended = Promise.allSettled(busy);
  await busy[0];
  expect(await server.end('SIGTERM')).toBe(0);
  const refusals = (await ended).flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  for (const refusal of refusals) expect(refusal).toMatch(/fetch failed/);
  expect(server.output()).not.toContain('"level":50');
  silent.destroy();
});

it("prints the superadmin's random password at the first start only, and stores its hash at full cost", async () => {
  expect(server.output()).not.toContain(PASSWORD);
  await server.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
  server = await startServer(dataDir);
  const password = /password\s+(\S+)/.exec(server.output())![1]!;
  await signIn('superadmin', password);
  const { rows } = await withDatabase(dataDir, (client) =>
    client.query<{ hash: string }>('select password_hash as hash from accounts'),
  );
  expect(rows).toEqual([{ hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) }]);
  await server.end('SIGTERM');
  server = await startServer(dataDir);
  expect(server.output()).not.toContain('password');
});
