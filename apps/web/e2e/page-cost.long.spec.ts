import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Game } from '@drawhouse/contract/games/games';
import { expect, test, type Browser, type Page } from '@playwright/test';
import {
  giveGames,
  LONG_DRAW_SECONDS,
  makeNetwork,
  nameOf,
  OTHER_LONG_DRAW_SECONDS,
  THIRD_LONG_DRAW_SECONDS,
  setDrawInterval,
} from './testNetwork.ts';
import { callApi, PASSWORD, startTestServer, type TestServer, untilQuiet } from './support.ts';

interface Budget {
  /** All bytes until the page is idle, with headers and live data. */
  readonly bytes: number;
  /** Requests until the page is usable. */
  readonly requests: number;
  /** Gzipped bytes, for clients without Brotli. */
  readonly script?: number;
  /** Measured on a cheap phone by `npm run lab -- bench players`: milliseconds, and layout shift. */
  readonly vitals?: { readonly lcpMs: number; readonly inpMs: number; readonly cls: number };
  readonly files: Readonly<Record<string, number>>;
}

const FILE = new URL('page-budget.json', import.meta.url);
const budgets = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Budget>;
const GAME = 'funtargetbingo';
const TYPED_GAME = 'lottery3d';
const WHEEL_GAME = 'roulette';
/** Held back until the page is usable and not counted. This proves they are optional, and keeps counts stable. */
const EXTRAS: ReadonlySet<string> = new Set(['Frequencies.js', 'Frequencies.css']);
/** Smaller growth is ignored. */
const NEWS_BYTES = 300;

let server: TestServer;
const kept: Partial<Record<Visitor, string>> = {};
let panelPath: string;

type Visitor = 'superadmin' | 'user';

test.beforeAll(async () => {
  server = await startTestServer('cost', {
    // A draw's result would load extra files. One game exists from the start.
    async prepare(database) {
      await setDrawInterval(database, GAME, LONG_DRAW_SECONDS);
      await setDrawInterval(database, TYPED_GAME, OTHER_LONG_DRAW_SECONDS);
      await setDrawInterval(database, WHEEL_GAME, THIRD_LONG_DRAW_SECONDS);
    },
  });
  const { admin } = (await makeNetwork(server.url)).accounts;
  panelPath = `/superadmin/game/${GAME}/${admin._id}/${nameOf('admin')}`;
  const token = await keepSession('superadmin');
  await keepSession('user');
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  const games = data.filter(({ gameId }) => [GAME, TYPED_GAME, WHEEL_GAME].includes(gameId));
  await giveGames(server.url, token, admin._id, games);
});
test.afterAll(() => server.remove());

async function keepSession(visitor: Visitor): Promise<string> {
  const { token, expiresAt, user } = await callApi<{ token: string; expiresAt: string; user: { role: string } }>(
    server.url,
    'auth/login',
    undefined,
    { username: nameOf(visitor), password: PASSWORD },
  );
  const auth = { token, expiresAt: Date.parse(expiresAt), idleMs: 1_800_000, final: false, roles: user.role };
  kept[visitor] = JSON.stringify({ auth, users: { authUser: user } });
  return token;
}

interface WeighedPage {
  readonly path: () => string;
  readonly by?: Visitor;
  readonly usable: (page: Page) => Promise<void>;
  /** Held back until the page is usable and not counted. */
  readonly later?: readonly string[];
}

interface Cost {
  readonly requests: number;
  readonly files: Record<string, number>;
  readonly script: number;
}

async function costOf(browser: Browser, { path: pathOf, by, usable, later = [] }: WeighedPage): Promise<Cost> {
  const path = pathOf();
  const context = await browser.newContext();
  if (by) {
    // After a minute, a board loads its reminder.
    if (by === 'user') await keepSession(by);
    const session = kept[by]!;
    await context.addInitScript(`localStorage.setItem('auth', ${JSON.stringify(session)})`);
    const { auth } = JSON.parse(session) as { auth: { token: string } };
    await context.addCookies([{ name: 'session-token', value: auth.token, url: server.url }]);
  }
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.enable');
  const names = new Map<string, string>();
  const files: Record<string, number> = {};
  const scripts = new Set<string>();
  const add = (name: string, bytes: number) => (files[name] = (files[name] ?? 0) + bytes);
  devTools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith('data:') || EXTRAS.has(nameOfFile(request.url))) return;
    names.set(requestId, nameOfFile(request.url));
    if (request.url.endsWith('.js')) scripts.add(new URL(request.url).pathname);
  });
  devTools.on('Network.webSocketCreated', ({ requestId }) => names.set(requestId, 'live connection'));
  devTools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const name = names.get(requestId);
    if (name !== undefined) add(name, encodedDataLength);
  });
  devTools.on('Network.webSocketFrameReceived', ({ response }) => {
    add('live connection', response.payloadData.length);
  });
  const used = Promise.withResolvers<void>();
  const isLate = (url: string) => later.includes(new URL(url).pathname);
  await page.route(
    ({ href }) => isLate(href) || EXTRAS.has(nameOfFile(href)),
    (route) => used.promise.then(() => route.continue()),
  );
  const lateAnswers = later.map(() => page.waitForEvent('requestfinished', (request) => isLate(request.url())));
  let requests = 0;
  await untilQuiet(page, async () => {
    await page.goto(server.url + path);
    await usable(page);
    requests = [...names.values()].filter((name) => !later.includes(name)).length;
    used.resolve();
    await Promise.all(lateAnswers);
  });
  await context.close();
  return { requests, files, script: sumOf(Object.fromEntries([...scripts].map((name) => [name, gzipOf(name)]))) };
}

function gzipOf(pathname: string): number {
  const [, name] = /^\/players\/(.+)$/.exec(pathname) ?? [];
  const file = name === undefined ? `../dist${pathname}.gz` : `../../players/dist/${name}.gz`;
  return statSync(new URL(file, import.meta.url)).size;
}

function nameOfFile(url: string): string {
  const { pathname } = new URL(url);
  if (/^\/(?:api\/|healthz|players\/[^/]+$)/.test(pathname)) return pathname;
  return /^(?:\/players)?\/assets\/(.+)-[\w-]{8}(\.\w+)$/.exec(pathname)?.slice(1).join('') ?? 'the page';
}

function sumOf(files: Readonly<Record<string, number>>): number {
  return Object.values(files).reduce((sum, bytes) => sum + bytes, 0);
}

function grownSince(known: Readonly<Record<string, number>>, files: Readonly<Record<string, number>>): string[] {
  return Object.entries(files)
    .map(([name, bytes]) => ({ name, bytes, more: bytes - (known[name] ?? 0) }))
    .filter(({ more }) => more > NEWS_BYTES)
    .toSorted((a, b) => b.more - a.more)
    .map(({ name, bytes, more }) => `${name} grew by ${kb(more)} to ${kb(bytes)}`);
}

function kb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}

const PAGES: Readonly<Record<string, WeighedPage>> = {
  'the sign-in': {
    path: () => '/auth/login',
    usable: (page) => expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused(),
  },
  'how draws are fair': {
    path: () => '/fair',
    usable: (page) => page.getByRole('textbox', { name: 'Draw id' }).waitFor(),
    later: ['/api/fair/seals'],
  },
  'the dashboard': {
    by: 'superadmin',
    path: () => '/superadmin/dashboard',
    usable: (page) => page.getByRole('main').getByRole('heading', { level: 1 }).waitFor(),
  },
  'a list': {
    by: 'superadmin',
    path: () => '/superadmin/user',
    usable: (page) => page.getByRole('main').getByText(nameOf('user'), { exact: true }).first().waitFor(),
  },
  'the turnover': {
    by: 'superadmin',
    path: () => '/superadmin/turnoverreport',
    usable: (page) => page.getByRole('main').getByText(nameOf('admin'), { exact: true }).first().waitFor(),
  },
  'a live panel': {
    by: 'superadmin',
    path: () => panelPath,
    usable: (page) => page.getByRole('toolbar', { name: 'Outcomes' }).waitFor(),
    later: ['/api/app/nextdrawnew'],
  },
  'the landing page': {
    path: () => '/welcome',
    usable: (page) => page.getByText('Triple Chance').waitFor(),
  },
  'the sign-in of players': {
    path: () => '/sign-in',
    usable: (page) => expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused(),
  },
  'the lobby': {
    by: 'user',
    path: () => '/',
    usable: (page) => page.getByText('Closes in').first().waitFor(),
  },
  'a board': {
    by: 'user',
    path: () => `/play/${GAME}`,
    usable: (page) => page.getByRole('grid').waitFor(),
  },
  'a board of typed numbers': {
    by: 'user',
    path: () => `/play/${TYPED_GAME}`,
    usable: async (page) => {
      await page.getByRole('grid').waitFor();
      await page.getByRole('textbox', { name: 'Numbers' }).waitFor();
    },
  },
  'a wheel': {
    by: 'user',
    path: () => `/play/${WHEEL_GAME}`,
    usable: (page) => page.getByRole('grid').waitFor(),
  },
  'my bets': {
    by: 'user',
    path: () => '/mine/bets',
    usable: (page) => page.getByText('No bets in the last 3 months.').waitFor(),
  },
  'my statement': {
    by: 'user',
    path: () => '/mine/statement',
    usable: (page) => page.getByRole('list', { name: 'Movements' }).waitFor(),
  },
  'my limits': {
    by: 'user',
    path: () => '/mine/limits',
    usable: (page) => page.getByRole('heading', { name: 'Stake per day' }).waitFor(),
  },
  'my account': {
    by: 'user',
    path: () => '/mine/account',
    usable: (page) => page.getByText('This device').waitFor(),
  },
};

for (const [name, weighed] of Object.entries(PAGES)) {
  test(`${name} stays within its budget`, async ({ browser }, { config }) => {
    const budget = budgets[name]!;
    const { requests, files, script } = await costOf(browser, weighed);
    const bytes = sumOf(files);
    const grown = grownSince(budget.files, files);
    const scripts = budget.script === undefined ? '' : `, script by gzip ${kb(script)} of ${kb(budget.script)}`;
    const sum = `${name}: ${kb(bytes)} of ${kb(budget.bytes)}, ${requests} requests of ${budget.requests}${scripts}`;
    console.log([sum, ...grown].join('\n    '));
    if (config.updateSnapshots === 'changed' || config.updateSnapshots === 'all') {
      budgets[name] = { ...budget, files };
      writeFileSync(FILE, `${JSON.stringify(budgets, null, 2)}\n`);
    }
    expect(requests, `${sum}: ${Object.keys(files).join(', ')}`).toBeLessThanOrEqual(budget.requests);
    expect(bytes, [sum, ...grown].join('; ')).toBeLessThanOrEqual(budget.bytes);
    expect(script, sum).toBeLessThanOrEqual(budget.script ?? Infinity);
  });
}

test('content shows before any script arrives', async ({ page }) => {
  await page.route('**/*.js', () => undefined);
  await page.goto(`${server.url}/auth/login`, { waitUntil: 'commit' });
  const skeleton = page.locator('#skeleton');
  await expect(skeleton.getByText('Drawhouse')).toBeVisible();
  await page.addInitScript(
    `localStorage.setItem('auth', ${JSON.stringify(kept.superadmin)}); localStorage.setItem('theme', 'dark')`,
  );
  await page.goto(`${server.url}/superadmin/user`, { waitUntil: 'commit' });
  await expect(skeleton.locator('.sk-bar')).toBeVisible();
  await expect(skeleton.getByText('Drawhouse')).toBeHidden();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(16, 20, 20)');
});
