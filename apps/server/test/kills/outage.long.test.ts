import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAlive } from '../../src/platform/db/embedded/embedded-process.ts';
import { makeDataDir } from '../processes/data-dir.ts';
import { postgresPid, postgresPids, runAudit, startServer, type ServerProcess } from '../processes/server-process.ts';
import { PASSWORD } from '../test-password.ts';

const ANSWER_MS = 10_000;

let dataDir: string;
let server: ServerProcess;

beforeEach(async () => {
  dataDir = await makeDataDir('outage');
  server = await startServer(dataDir, { SUPERADMIN_PASSWORD: PASSWORD, SEED_KEY: '5a'.repeat(32) });
});
afterEach(async () => {
  await server.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

interface Answer {
  status: number;
  body: { success: boolean; code?: string; status?: string; token?: string; user?: { _id: string }; database?: string };
}

async function send(
  path: string,
  token?: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(3 * ANSWER_MS),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

async function signIn(): Promise<{ token: string; id: string }> {
  const { body } = await send('/api/auth/login', undefined, { username: 'superadmin', password: PASSWORD });
  return { token: body.token!, id: body.user!._id };
}

const issue = (me: { token: string; id: string }, key: string): Promise<Answer> =>
  send(
    `/api/${accountRoutes.superadmin.creditAdjust.path}`,
    me.token,
    { toUserId: me.id, adjustAmount: 1, password: PASSWORD },
    { 'idempotency-key': key },
  );

const ready = async (): Promise<number> => (await send('/readyz')).status;
const isBack = async (): Promise<void> => {
  await expect.poll(ready, { interval: 50 }).toBe(200);
};

it('restarts PostgreSQL after kill -9 and reports the outage meanwhile', async () => {
  const me = await signIn();
  expect(await send('/readyz')).toMatchObject({ status: 200, body: { success: true, status: 'ready' } });
  expect(await send('/healthz')).toMatchObject({ status: 200, body: { success: true, database: 'reached' } });
  for (const round of [1, 2]) {
    const before = await postgresPid(dataDir);
    process.kill(before, 'SIGKILL');
    const away = await send('/api/auth/session', me.token);
    if (away.status !== 200) expect(away).toMatchObject({ status: 503, body: { code: 'NOT_READY' } });
    await expect.poll(() => postgresPid(dataDir).catch(() => before)).not.toBe(before);
    await isBack();
    expect(await issue(me, `round ${round}`)).toMatchObject({ status: 200 });
  }
  expect(server.output()).toContain('PostgreSQL stopped unexpectedly');
  expect(server.output()).toContain('PostgreSQL is running again');
  expect(await runAudit(dataDir)).toMatchObject({ code: 0 });
});

it('restarts PostgreSQL although dead processes hold its memory', async () => {
  await signIn();
  const [postmaster, ...others] = await postgresPids(dataDir);
  for (const pid of others) process.kill(pid, 'SIGSTOP');
  process.kill(postmaster, 'SIGKILL');
  await isBack();
  expect(others.filter(isAlive)).toEqual([]);
});

it('answers 503 while PostgreSQL hangs, and continues with nothing half or doubly done', async () => {
  const me = await signIn();
  const pids = await postgresPids(dataDir);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    const keys = Array.from({ length: 4 }, () => randomUUID());
    const calls = [
      ...keys.map((key) => () => issue(me, key)),
      ...Array.from({ length: 20 }, () => () => send('/api/auth/session', me.token)),
      () => send('/api/auth/login', undefined, { username: 'superadmin', password: PASSWORD }),
      () => send('/api/reports/turn?startDate=2026-01-01T00:00:00Z&endDate=2026-01-02T00:00:00Z', me.token),
      () => send('/readyz'),
    ];
    const answers = await Promise.all(
      calls.map(async (call) => {
        const from = performance.now();
        const { status, body } = await call();
        return { status, code: body.code, inTime: performance.now() - from < ANSWER_MS };
      }),
    );
    for (const answer of answers) expect(answer).toEqual({ status: 503, code: 'NOT_READY', inTime: true });
    expect(await send('/readyz')).toMatchObject({ status: 503, body: { status: 'database unreachable' } });
    expect(await send('/healthz')).toMatchObject({ status: 200, body: { database: 'unreachable' } });

    for (const pid of pids) process.kill(pid, 'SIGCONT');
    await isBack();
    for (const key of keys) expect(await issue(me, key)).toMatchObject({ status: 200 });
    for (const key of keys) expect(await issue(me, key)).toMatchObject({ status: 200 });
    expect((await send(`/api/${loadCredit.path}`, me.token)).body).toMatchObject({
      data: [{ walletBalance: keys.length }],
    });
  } finally {
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGCONT');
  }
  expect(await runAudit(dataDir)).toMatchObject({ code: 0 });
});

it('exits with a sentence if its database folder is gone', async () => {
  const postgres = await postgresPid(dataDir);
  const aside = join(dataDir, 'aside');
  await rename(join(dataDir, 'postgres'), aside);
  process.kill(postgres, 'SIGKILL');
  expect(await server.ended).toBe(1);
  expect(server.output()).toMatch(/Drawhouse had to stop\. The database folder .*postgres is gone\./);
});

it('passes PostgreSQL no settings and hides passwords from others', async () => {
  for (const name of ['postgres.password', 'postgres.server.password', 'postgres.log'])
    expect((await stat(join(dataDir, name))).mode & 0o077, `of ${name}`).toBe(0);
  const pid = await postgresPid(dataDir);
  const names = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').map((entry) => entry.split('=')[0]);
  // PostgreSQL adds its own variables.
  const known = ['PATH', 'LD_LIBRARY_PATH', 'LC_ALL', 'TZ', ''];
  expect(names.filter((name) => !known.includes(name!) && !name!.startsWith('PG'))).toEqual([]);
});

it('serves as a role that creates only temporary tables and deletes no records', async () => {
  const port = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[3];
  const password = await readFile(join(dataDir, 'postgres.server.password'), 'utf8');
  const client = new pg.Client(`postgresql://drawhouse_server:${password}@127.0.0.1:${port}/drawhouse`);
  await client.connect();
  try {
    const { rows } = await client.query(
      'select distinct usename as name from pg_stat_activity where state is not null',
    );
    expect(rows).toEqual([{ name: 'drawhouse_server' }]);
    // Restores read backups into temporary tables.
    await client.query('create temporary table mine (id int)');
    await expect(client.query('create table mine (id int)')).rejects.toMatchObject({ code: '42501' });
    await expect(client.query('delete from transfers')).rejects.toMatchObject({ code: '42501' });
  } finally {
    await client.end();
  }
});
