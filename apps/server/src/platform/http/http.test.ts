import { isForKeys } from '@drawhouse/contract/core/permissions';
import { generalErrorsOf, type Route } from '@drawhouse/contract/core/route';
import { ERRORS } from '@drawhouse/contract/core/errors';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../compose/app.ts';
import { FIRST_SUPERADMIN } from '../../compose/first-start.ts';
import { DatabaseUnavailable } from '../db/connection/unavailable.ts';
import { databaseError } from './http-errors.ts';
import { emptyUrlOf, nameOf, ROUTES } from '../../../test/routes/contract-routes.ts';
import { TestApp, type Reply } from '../../../test/harness.ts';
import { eachNth } from '../../../test/test-tier.ts';
import { PASSWORD } from '../../../test/test-password.ts';

interface Operation {
  summary: string;
  security?: unknown[];
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: { type: string; properties: Record<string, unknown> } }>;
  };
  responses: Record<string, { content: Record<string, { schema: { properties: Record<string, unknown> } }> }>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  components: { securitySchemes: Record<string, unknown> };
  paths: Record<string, Record<string, Operation>>;
}

const apiPath = ({ path }: Route): string => `/api/${path.replace(/:(\w+)/g, '{$1}')}`;

let t: TestApp;
let document: Document;

beforeAll(async () => {
  t = await TestApp.start();
  document = (await get('/api/openapi.json')).body as unknown as Document;
});
afterAll(() => t.close());

const get = (url: string, headers: Record<string, string> = {}): Promise<Reply<unknown>> =>
  t.send('GET', url, {}, undefined, headers);

describe('the contract', () => {
  it('is discovered completely', () => expect(ROUTES.length).toBeGreaterThan(50));

  it("lists each route's own errors once, without general ones", () => {
    const repeated = ROUTES.flatMap((route) => {
      const general = generalErrorsOf(route);
      const wrong = route.errors?.filter((code, at, all) => general.includes(code) || all.indexOf(code) !== at) ?? [];
      return wrong.map((code) => `${nameOf(route)}: ${code}`);
    });
    expect(repeated).toEqual([]);
  });

  it('names each call once', () => {
    const names = ROUTES.map((route) => `${route.method} ${route.path.replace(/:\w+/g, ':')}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('has every route served', async () => {
    for (const route of ROUTES) {
      const url = emptyUrlOf(route);
      const reply = await t.send(route.method, url, {}, route.body && {});
      const unnamed = route.params ? 404 : 200;
      const status = route.access !== 'public' ? 401 : route.body ? 400 : unnamed;
      expect(reply.status, `${route.method} ${url}`).toBe(status);
      if (status !== 404) expect(reply.body.code).not.toBe('NOT_FOUND');
    }
  });

  it('declares body refusals wherever a body is read, even if unused', async () => {
    const top = await t.signIn(FIRST_SUPERADMIN);
    for (const route of ROUTES.filter(({ method }) => method !== 'GET')) {
      if (route.access === 'public') continue;
      const { body } = await t.send(route.method, emptyUrlOf(route), top, 'text', { 'content-type': 'text/plain' });
      expect([nameOf(route), body.code]).toEqual([
        nameOf(route),
        expect.stringMatching(/^(UNSUPPORTED_MEDIA_TYPE|NOT_ALLOWED)$/),
      ]);
      expect(generalErrorsOf(route)).toContain(body.code);
    }
  });

  it('is everything served under /api', () => {
    const served = new Set<string>();
    const path: string[] = [];
    for (const line of t.app.http.printRoutes({ commonPrefix: false }).split('\n')) {
      const [, indent, part, methods] = /^([│ ├└─]*?)── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
      if (part === undefined) continue;
      path.length = (indent!.length - 1) / 4;
      path.push(part);
      const url = path.join('');
      for (const method of methods?.split(', ') ?? [])
        if (url.startsWith('/api/') && method !== 'HEAD') served.add(`${method} ${url}`);
    }
    const own = [...served].filter((name) => !/ \/api\/(docs|openapi\.json)/.test(name)).sort();
    expect(own).toEqual(ROUTES.map((route) => `${route.method} /api/${route.path}`).sort());
  });
});

describe('the OpenAPI description', () => {
  it('is public, in version 3.1', async () => {
    const reply = await get('/api/openapi.json');
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ openapi: '3.1.0', info: { title: 'Drawhouse', version: 'test' } });
  });

  it('describes every route with input and output', () => {
    for (const route of ROUTES) {
      const operation = document.paths[apiPath(route)]?.[route.method.toLowerCase()];
      const name = `${route.method} ${route.path}`;
      expect(operation?.summary, `the summary of ${name}`).toMatch(/^[A-Z].+\.$/);
      const inPath = operation!.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map((parameter) => parameter.name)).toEqual(
        [...route.path.matchAll(/:(\w+)/g)].map(([, param]) => param),
      );
      expect(inPath.every((parameter) => parameter.required)).toBe(true);
      expect(operation!.requestBody !== undefined, `a body of ${name}`).toBe(route.body !== undefined);
      const lets = ['token', ...(route.apiKeys === true || isForKeys(route) ? ['apiKey'] : [])].map((scheme) => ({
        [scheme]: [],
      }));
      expect(operation!.security, `what lets in by ${name}`).toEqual(route.access === 'public' ? undefined : lets);
      const { content } = operation!.responses[String(route.status ?? 200)]!;
      expect(Object.keys(content), `the answer of ${name}`).toEqual([route.file ?? route.asset ?? 'application/json']);
      if (!route.file && !route.asset)
        expect(Object.keys(content['application/json']!.schema.properties)).toContain('success');
      expect(Object.keys(operation!.responses)).toEqual(expect.arrayContaining(['400', '429', '500', '503']));
    }
    const described = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
    expect(described).toHaveLength(ROUTES.length);
  });

  it('marks calls that accept an API key and their extra fields', () => {
    expect(Object.keys(document.components.securitySchemes)).toEqual(['token', 'apiKey']);
    const { summary, security } = document.paths['/api/app/bets']!['post']!;
    expect(security).toEqual([{ token: [] }, { apiKey: [] }]);
    expect(summary).toContain('With an API key each names its `player`');
  });

  it("describes a bet's input, answer and failures", () => {
    const { requestBody, responses } = document.paths['/api/app/bet']!['post']!;
    expect(Object.keys(requestBody!.content['application/json']!.schema.properties)).toEqual([
      'gameId',
      'drawId',
      'requestId',
      'lines',
    ]);
    const statuses = ['201', '400', '401', '403', '408', '409', '413', '415', '421', '422', '429', '500', '503'];
    expect(Object.keys(responses).sort()).toEqual(statuses);
    expect(Object.keys(responses['201']!.content['application/json']!.schema.properties)).toEqual(
      expect.arrayContaining(['ticket', 'walletBalance']),
    );
  });

  it('lists query fields and which are required', () => {
    const neededOf = (path: string): string[] =>
      document.paths[path]!['get']!.parameters.filter(({ required }) => required).map(({ name }) => name);
    expect(neededOf('/api/reports/figures')).toEqual(['id', 'startDate', 'endDate']);
    expect(neededOf('/api/reports/turn')).toEqual([]);
  });

  it('renders as a page without external resources', async () => {
    const page = await get('/api/docs');
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    const html = page.body as unknown as string;
    const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source!);
    expect(sources.length).toBeGreaterThan(2);
    for (const source of sources) {
      expect(source).not.toMatch(/^(https?:)?\/\//);
      expect((await get(new URL(source, 'http://here/api/docs').pathname)).status, `of ${source}`).toBe(200);
    }
  });
});

describe('health', () => {
  afterEach(() => void vi.restoreAllMocks());

  const isSaid = async (of: TestApp, status: string): Promise<void> => {
    await expect.poll(async () => (await of.send('GET', '/readyz')).body).toMatchObject({ status });
  };

  it('needs no session', async () => {
    expect(await get('/healthz')).toMatchObject({ status: 200, body: { success: true, database: 'reached' } });
    expect(await get('/readyz')).toMatchObject({ status: 200, body: { success: true, status: 'ready' } });
  });

  it('is ready only once the first superadmin can sign in', async () => {
    const app = await createApp({
      db: t.served,
      clock: t.clock,
      seedKey: '5a'.repeat(32),
      timeZone: 'Asia/Kolkata',
      logger: pino({ level: 'silent' }),
      trustProxy: false,
      backup: { connectionString: () => t.database.serverUrl, dir: t.backupDir, key: undefined },
      version: 'test',
    });
    try {
      const starting = await app.http.inject('/readyz');
      expect(starting.statusCode).toBe(503);
      expect(starting.json()).toMatchObject({ success: false, code: 'NOT_READY', status: 'starting' });
      expect((await app.http.inject('/healthz')).statusCode).toBe(200);
      await app.bootstrap(PASSWORD);
      expect((await app.http.inject('/readyz')).json()).toEqual({ success: true, status: 'ready' });
    } finally {
      await app.close();
    }
  });

  it('is not ready while writes are refused, and recovers', async () => {
    const refuse = (code: string): Promise<unknown> =>
      t.served
        .transaction((tx) => tx.query(`do $$ begin raise 'No room' using errcode = '${code}'; end $$`))
        .catch(() => {});
    await refuse('23514');
    await isSaid(t, 'ready');
    await refuse('53100');
    await isSaid(t, 'writes refused');
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 6_000);
    await isSaid(t, 'ready');
  });

  it('separates liveness from readiness when the database is read-only or gone', async () => {
    const gone = await TestApp.start();
    try {
      const reads = async (value: 'on' | 'off'): Promise<void> => {
        const [{ name } = { name: '' }] = await gone.db.query<{ name: string }>('select current_database() as name');
        await gone.db.query(`alter database ${name} set default_transaction_read_only = ${value}`);
        await gone.db.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
      };
      await reads('on');
      await isSaid(gone, 'writes refused');
      expect(await gone.send('GET', '/readyz')).toMatchObject({ status: 503, body: { code: 'NOT_READY' } });
      expect((await gone.send('GET', '/healthz')).body).toMatchObject({ database: 'reached' });
      const body = { username: FIRST_SUPERADMIN, password: PASSWORD };
      expect((await gone.send('POST', '/api/auth/login', {}, body)).body).toMatchObject({ code: 'NOT_READY' });
      await reads('off');
      await isSaid(gone, 'ready');
      await gone.served.close();
      await isSaid(gone, 'database unreachable');
      expect(await gone.send('GET', '/healthz')).toMatchObject({ status: 200, body: { database: 'unreachable' } });
      expect(await gone.send('GET', '/readyz')).toMatchObject({
        status: 503,
        body: { success: false, code: 'NOT_READY', status: 'database unreachable' },
      });
      const call = await gone.send(
        'POST',
        '/api/auth/login',
        {},
        { username: 'superadmin', password: 'correct horse battery' },
      );
      expect(call).toMatchObject({ status: 503, body: { code: 'NOT_READY' }, headers: { 'retry-after': '1' } });
      const { requestId, ...said } = call.body as Record<string, unknown>;
      expect(requestId).toBeTypeOf('string');
      expect(JSON.stringify(said)).not.toMatch(/pool|pg|postgres|\bat /i);
    } finally {
      await gone.app.close();
      await gone.db.close();
    }
  });
});

describe('a call whose database connection is lost', () => {
  it('answers that it may have happened if its commit was sent', () => {
    expect(databaseError(new DatabaseUnavailable(new Error('gone'))).toRefusal().code).toBe('NOT_READY');
    expect(databaseError(new DatabaseUnavailable(new Error('gone'), true)).toRefusal()).toEqual({
      success: false,
      code: 'OUTCOME_UNKNOWN',
      message: ERRORS.OUTCOME_UNKNOWN.message,
    });
  });
});

describe('HEAD', () => {
  let top: string;
  beforeAll(async () => void (top = (await t.signIn(FIRST_SUPERADMIN)).token));
  const ask = async (method: 'HEAD' | 'GET', url: string) => {
    const headers = { authorization: `Bearer ${top}`, 'accept-encoding': 'br' };
    const { statusCode, headers: told, rawPayload } = await t.app.http.inject({ method, url, headers });
    const { date: _, 'transfer-encoding': __, 'x-request-id': ___, ...rest } = told;
    return { status: statusCode, headers: rest, bytes: rawPayload.length };
  };

  it('matches GET wherever nothing changes, including compression, files and refusals, without a body', async () => {
    const period = 'startDate=2026-03-10T00:00:00.000Z&endDate=2026-03-10T23:59:59.999Z';
    const reads = ROUTES.filter(({ method, changesState }) => method === 'GET' && changesState !== true);
    const urls = reads.map((route) => `${emptyUrlOf(route)}?${period}`);
    for (const url of [...eachNth(6, urls), '/healthz', '/readyz', '/api/openapi.json', '/api/docs/']) {
      const asked = await ask('GET', url);
      expect(await ask('HEAD', url), `HEAD ${url}`).toEqual({ ...asked, bytes: 0 });
    }
  });

  it('is not offered for calls with side effects', async () => {
    const changing = ROUTES.filter(({ method, changesState }) => method === 'GET' && changesState === true);
    expect(changing.length).toBeGreaterThan(1);
    for (const route of changing) {
      const { status } = await ask('HEAD', emptyUrlOf(route));
      expect(status, `HEAD of ${nameOf(route)}`).toBe(404);
    }
    expect((await ask('GET', '/api/auth/session')).status).toBe(200);
  });
});

describe('missing paths', () => {
  it.each([
    ['GET', '/api/nothing'],
    ['POST', '/api/nothing'],
    ['DELETE', '/api/app/bet'],
    ['GET', '/api/app/bet'],
    ['PUT', '/api/auth/login'],
    ['PATCH', '/api/users/toggle-status/x'],
    ['GET', '/api'],
    ['GET', '/api/'],
    ['POST', '/'],
    ['GET', '/assets/missing.js'],
    ['GET', '/assets/..%2f..%2fpackage.json'],
  ])('%s %s answers 404 as JSON', async (method, url) => {
    const reply = await t.send(method, url);
    expect(reply).toMatchObject({ status: 404, body: { success: false, code: 'NOT_FOUND' } });
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

describe('a path outside the web folder', () => {
  it.each([
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2f..%2f..%2fpackage.json',
    '/....//package.json',
    '/.env',
    '/%5c..%5cpackage.json',
  ])('%s exposes no file of the server', async (url) => {
    const reply = await get(url);
    // Without the built web app: 404. With it, unknown paths return the page.
    if (reply.status === 200) expect(reply.headers['content-type']).toContain('text/html');
    else expect(reply.body).toMatchObject({ success: false });
    expect(JSON.stringify(reply.body)).not.toMatch(/workspaces|devDependencies/);
  });
});

describe('a route', () => {
  it('is also found with a trailing slash', async () => {
    expect((await get('/api/auth/session/')).body.code).toBe('NOT_SIGNED_IN');
  });
});

describe('security headers', () => {
  it.each(['/api/auth/session', '/api/nothing', '/healthz', '/api/openapi.json', '/'])('are set on %s', async (url) => {
    const { headers } = await get(url);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(headers['referrer-policy']).toBe('no-referrer');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toMatch(/connect-src 'self'(;|$)/);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toContain('https:');
    expect(headers['permissions-policy']).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\)/);
    expect(policy).not.toMatch(/script-src[^;]*(unsafe-inline|unsafe-eval|\*)/);
    expect(policy).not.toMatch(/style-src[^;]*unsafe-inline/);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  });

  it('allow no other site to read an answer', async () => {
    const { headers } = await get('/api/auth/session', { origin: 'https://elsewhere.example' });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});
