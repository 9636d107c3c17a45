import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { makeDataDir } from '../../../../test/processes/data-dir.ts';
import { TestApp } from '../../../../test/harness.ts';
import { runAudit, startServer } from '../../../../test/processes/server-process.ts';
import { ask } from '../../../../test/test-databases.ts';
const FORBIDDEN = { code: '42501' };

let t: TestApp;

beforeAll(async () => {
  t = await TestApp.start();
  const net = await t.network({ credit: 100 });
  await t.bet(net.user, { 1: 10 });
  await t.finishDraw();
});
afterAll(() => t.close());

it('serves on an external database as its named role', async () => {
  const dataDir = await makeDataDir('own');
  const cluster = inject('cluster').ownerUrl;
  const name = `own_${randomUUID().replaceAll('-', '')}`;
  const urlFor = (role: string): string => {
    const url = new URL(cluster);
    [url.username, url.password, url.pathname] = [role, 'secret', name];
    return url.href;
  };
  const [owner, server] = [urlFor(`${name}_owner`), urlFor(`${name}_server`)];
  await ask(cluster, `create role ${name}_owner login password 'secret'`);
  await ask(cluster, `create role ${name}_server login password 'secret'`);
  await ask(cluster, `create database ${name} owner ${name}_owner`);
  try {
    const start = async (env: Record<string, string>): Promise<string> => {
      const running = await startServer(dataDir, env);
      expect(await running.end('SIGTERM')).toBe(0);
      return running.output();
    };
    await expect(start({ DATABASE_URL: server })).rejects.toThrow(/Set DATABASE_OWNER_URL to the role that owns/);
    const scheduled = { BACKUP_SCHEDULE: 'daily' };
    expect(await start({ DATABASE_URL: server, DATABASE_OWNER_URL: owner, ...scheduled })).not.toContain('Note:');
    await expect(ask(server, 'update transfers set amount = amount')).rejects.toMatchObject(FORBIDDEN);
    // With a current schema, startup needs no owner.
    expect(await start({ DATABASE_URL: server })).toMatch(/Note: No backup is scheduled\.(?!.*Note:)/s);
    expect(await start({ DATABASE_URL: owner, ...scheduled })).toContain('Note: The server can rewrite its own books.');
    expect(await runAudit(dataDir, { DATABASE_URL: server })).toMatchObject({ code: 0 });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
    await ask(cluster, `drop database ${name} with (force)`);
    await ask(cluster, `drop role ${name}_owner, ${name}_server`);
  }
});
