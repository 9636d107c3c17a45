import { PERMISSIONS } from '@drawhouse/contract/core/permissions';
import type { Socket } from 'node:net';
import { CSV_TYPE } from '@drawhouse/contract/core/list';
import type { Route } from '@drawhouse/contract/core/route';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { CallError } from './http-errors.ts';
import type { CallerSession } from './handler.ts';
import { prepareRequests } from './limits/admit-call.ts';
import { serveRoute } from './serve-route.ts';

const ROUTE: Route = {
  method: 'GET',
  path: 'rows/csv',
  summary: 'Rows as a file.',
  access: 'session',
  permission: null,
  file: CSV_TYPE,
  response: z.unknown(),
};
const NO_PROGRAMS = { isApiKey: () => false, authenticateKey: () => Promise.reject(new Error('No program calls.')) };
const BUDGETS = { page() {}, address() {}, caller() {}, more() {}, sessionFound() {}, sessionEnded() {} };

it('streams a file only while its session lasts', async () => {
  let hasEnded = false;
  let goOn!: () => void;
  const waits = new Promise<void>((resolve) => (goOn = resolve));
  let isClosed = false;
  async function* rows(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from('first\r\n');
      await waits;
      yield Buffer.from('second\r\n');
    } finally {
      isClosed = true;
    }
  }
  const authenticate = (): CallerSession => {
    if (hasEnded) throw new CallError('SESSION_ENDED');
    return { id: 'one', actor: { role: 'retailer', permissions: PERMISSIONS } };
  };
  const app = Fastify();
  prepareRequests(app);
  const handler = async () => ({ fileName: 'rows.csv', rows: 2, about: '', stream: rows() });
  const address = { ip: '127.0.0.1', key: '127.0.0.1' };
  serveRoute(
    app,
    { route: ROUTE, handler },
    { authenticate, programs: NO_PROGRAMS, addressOf: () => address, budgets: BUDGETS },
  );
  try {
    const url = await app.listen({ port: 0 });
    const answer = await fetch(`${url}/api/rows/csv`, { headers: { authorization: 'Bearer token' } });
    const reader = answer.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('first\r\n');
    hasEnded = true;
    goOn();
    await expect(reader.read()).rejects.toThrow(/terminated/);
    await expect.poll(() => isClosed).toBe(true);
  } finally {
    await app.close();
  }
});

it('keeps the connection of slow calls open until the answer', async () => {
  const app = Fastify({ connectionTimeout: 5_000 });
  prepareRequests(app);
  let socket: Socket | undefined;
  app.server.on('connection', (opened) => (socket = opened));
  const authenticate = (): CallerSession => ({ id: 'one', actor: { role: 'admin', permissions: PERMISSIONS } });
  const address = { ip: '127.0.0.1', key: '127.0.0.1' };
  const support = { authenticate, programs: NO_PROGRAMS, addressOf: () => address, budgets: BUDGETS };
  const route = (path: string): Route => ({
    method: 'GET',
    path,
    summary: '',
    access: 'session',
    permission: null,
    response: z.object({}),
  });
  const given: (number | undefined)[] = [];
  const handler = async () => {
    given.push(socket!.timeout);
    return {};
  };
  serveRoute(app, { route: route('short'), handler }, support);
  serveRoute(app, { route: { ...route('long'), takesMinutes: true }, handler }, support);
  app.addHook('onSend', async () => void given.push(socket!.timeout));
  try {
    const url = await app.listen({ port: 0 });
    for (const path of ['short', 'long'])
      await (await fetch(`${url}/api/${path}`, { headers: { authorization: 'Bearer token' } })).text();
    expect(given).toEqual([5_000, 5_000, 0, 5_000]);
  } finally {
    await app.close();
  }
});
