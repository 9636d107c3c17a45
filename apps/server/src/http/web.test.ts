import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CallError } from './http-errors.ts';
import { httpLimits } from './http-limits.ts';
import { createHttpServer } from './http-server.ts';

const root = mkdtempSync(join(tmpdir(), 'drawhouse-web-'));
let app: FastifyInstance;
beforeAll(async () => {
  mkdirSync(join(root, 'assets'));
  writeFileSync(join(root, 'index.html'), '<html></html>');
  writeFileSync(join(root, 'assets/app-5a0c77.js'), 'export {};');
  writeFileSync(join(root, 'assets/app-5a0c77.js.br'), 'small');
  app = await createHttpServer({
    routes: [],
    authenticate: () => {
      throw new CallError('SESSION_ENDED');
    },
    health: { started: () => true, askDatabase: async () => undefined, takesWrites: async () => true },
    undeclared() {},
    refused() {},
    version: '1',
    logger: pino({ level: 'silent' }),
    trustProxy: false,
    limits: httpLimits({}),
    budgets: { page() {}, address() {}, caller() {}, sessionFound() {}, sessionEnded() {} },
    webRoot: root,
  });
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

const ask = async (method: 'GET' | 'HEAD' | 'POST', url: string) => {
  const reply = await app.inject({ method, url, headers: { 'accept-encoding': 'br' } });
  const { date: _, ...headers } = reply.headers;
  return { status: reply.statusCode, headers, body: reply.payload };
};

it.each([
  ['/', 200],
  ['/superadmin/dashboard', 200],
  ['/admin/admin/users/details/a.name', 200],
  ['/assets/app-5a0c77.js', 200],
  ['/assets/missing.js', 404],
  ['/api/nothing', 404],
])('HEAD %s answers as GET, without what GET has', async (url, status) => {
  const [head, get] = [await ask('HEAD', url), await ask('GET', url)];
  expect(get.status).toBe(status);
  expect(get.body).not.toBe('');
  expect(head).toEqual({ ...get, body: '' });
});

it('no page is posted to', async () => {
  expect((await ask('POST', '/superadmin/dashboard')).status).toBe(404);
});
