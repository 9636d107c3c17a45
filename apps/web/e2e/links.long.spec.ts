import { randomUUID } from 'node:crypto';
import type { Role } from '@drawhouse/contract/core/primitives';
import { expect, test, type Page } from '@playwright/test';
import { drawNow, LONG_DRAWS, nameOf, serveNetwork, type Network } from './testNetwork.ts';
import {
  callApi,
  failOnErrors,
  haveSession,
  openUntilQuiet,
  tokenOf,
  watchErrors,
  watchRequests,
  type TestServer,
} from './support.ts';

let server: TestServer;
let network: Network;

failOnErrors(watchErrors, watchRequests);
serveNetwork('links', (...both) => ([server, network] = both), LONG_DRAWS);

test.beforeAll(async () => {
  const { gameId, adminId } = network.pair;
  const lines = [{ drawno: '123', head: 'straight', qty: 1 }];
  const player = await tokenOf(server.url, nameOf('user'));
  await callApi(server.url, 'app/bet', player, { gameId, requestId: randomUUID(), lines });
  const token = await tokenOf(server.url, nameOf('admin'));
  await callApi(server.url, 'live/addresult', token, { gameId, adminId, result: '123', boosterValue: 1 });
  await drawNow(server, gameId);
  const played = async () =>
    (await callApi<{ mostPlay: unknown[] }>(server.url, 'reports/dashboard', token)).mostPlay.length;
  await expect.poll(played).toBe(1);
});

const NOWHERE = /not found|have no such|could not be (?:loaded|shown)|not available to you/i;

const LEADS_ON = /\/account\/:id$/;

function patternOf(path: string): string {
  const names = Object.values(network.accounts).map(({ username }) => username);
  return path
    .split(/[?#]/)[0]!
    .split('/')
    .map((part) => (names.includes(decodeURIComponent(part)) || /\d/.test(part) ? ':id' : part))
    .join('/');
}

function linksOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('a[href]:not([download])')]
      .map(({ href }) => new URL(href))
      .filter(({ origin, pathname }) => origin === location.origin && !pathname.startsWith('/api/'))
      .map(({ pathname, search }) => pathname + search)`,
  );
}

async function isFile(page: Page, path: string): Promise<boolean> {
  const answer = await page.request.get(server.url + path);
  expect(answer.ok(), `${path} answers ${answer.status()}`).toBe(true);
  return !answer.headers()['content-type']?.startsWith('text/html');
}

async function followLinks(page: Page, from: readonly string[], isIn: (path: string) => boolean): Promise<string[]> {
  const wrong: string[] = [];
  const seen = new Set<string>();
  const open = from.map((path) => ({ path, on: 'the start' }));
  for (let next = open.shift(); next; next = open.shift()) {
    const { path, on } = next;
    const pattern = patternOf(path);
    if (seen.has(pattern)) continue;
    seen.add(pattern);
    if (await isFile(page, path)) continue;
    await openUntilQuiet(page, server.url + path);
    const main = page.locator('main');
    await expect(main.first()).toBeVisible();
    const said = NOWHERE.exec(await main.first().innerText())?.[0];
    const led = patternOf(new URL(page.url()).pathname);
    if (said) wrong.push(`${path} on ${on} says "${said}"`);
    if (led !== pattern && !LEADS_ON.test(pattern)) wrong.push(`${path} on ${on} leads to ${led}`);
    for (const link of await linksOf(page)) if (isIn(link)) open.push({ path: link, on: path });
  }
  expect(seen.size, 'pages were found').toBeGreaterThan(from.length);
  return wrong;
}

for (const role of ['superadmin', 'admin', 'retailer'] satisfies Role[]) {
  test(`every link of the ${role} works`, async ({ page }) => {
    test.setTimeout(720_000);
    await haveSession(page, server.url, nameOf(role));
    const isIn = (path: string) => path.startsWith(`/${role}/`) || path.startsWith('/fair');
    expect(await followLinks(page, [`/${role}/dashboard`], isIn)).toEqual([]);
  });
}

test('every link of a player works', async ({ page }) => {
  test.setTimeout(720_000);
  await haveSession(page, server.url, nameOf('user'));
  const isIn = (path: string) => !path.startsWith('/sign-in') && !path.startsWith('/auth');
  const { gameId } = network.pair;
  expect(await followLinks(page, ['/', `/play/${gameId}`, '/mine/bets'], isIn)).toEqual([]);
});

test('every public link works', async ({ page }) => {
  const isPublic = (path: string) => path !== '/' && !path.startsWith('/mine/');
  expect(await followLinks(page, ['/welcome', '/auth/login', '/fair'], isPublic)).toEqual([]);
});
