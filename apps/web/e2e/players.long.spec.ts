import type { Game } from '@drawhouse/contract/games/games';
import { expect, test, type Page } from '@playwright/test';
import { expectToFit } from './look.ts';
import { headingOf, openAsPlayer, SIZES } from './playersPage.ts';
import { drawNow, giveGames, LONG_DRAWS, nameOf, serveNetwork, type Network } from './testNetwork.ts';
import {
  answerLastLook,
  callApi,
  expectAccessible,
  failOnErrors,
  PASSWORD,
  submitSignIn,
  tokenOf,
  type TestServer,
} from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork('players', (...both) => ([server, network] = both), LONG_DRAWS);
const { watch, allow } = failOnErrors();

const clockOf = (page: Page) => page.getByRole('main').getByRole('timer');

test('the welcome page shows the games and the way in', async ({ page }) => {
  await page.goto(`${server.url}/welcome`);
  await expect(headingOf(page, 'Welcome to Drawhouse')).toBeVisible();
  await expect(page).toHaveTitle('Welcome – Drawhouse');
  for (const title of ['Lucky 12 Coupon', 'Lucky 16', 'Triple Chance', 'Roulette', 'DusKaDum', 'Lucky 10 Coupon'])
    await expect(page.getByRole('main').getByText(title, { exact: true })).toBeVisible();
  await expect(page.getByText('No winners to show.')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, SIZES);
  await page.getByRole('link', { name: 'Play Now' }).click();
  await page.waitForURL('**/sign-in');
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused();
});

test("the back-office sign-in links there, and a signed-in player's games are one step away", async ({ page }) => {
  await page.goto(`${server.url}/`);
  await page.getByRole('link', { name: 'See the games' }).click();
  await page.waitForURL('**/welcome');
  await openAsPlayer(page, server, '/welcome');
  await page.getByRole('link', { name: 'Play Now' }).click();
  await expect(headingOf(page, 'Games')).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/`);
});

test('staff signing in there reach their back-office, and never another host', async ({ page }) => {
  await page.goto(`${server.url}/sign-in?back=//elsewhere.example`);
  await submitSignIn(page, nameOf('retailer'));
  await page.waitForURL('**/retailer/dashboard');
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto(`${server.url}/play/whatever`);
  await page.waitForURL('**/retailer/dashboard');
});

test("a refused sign-in gives the server's reason", async ({ page }) => {
  allow(/status of 403|answered 403/);
  const token = await tokenOf(server.url, nameOf('retailer'));
  const { data } = await callApi<{ data: { _id: string } }>(server.url, 'users/create', token, {
    username: 'resting',
    password: PASSWORD,
    commission: 0,
    note: 'add notes',
    refId: network.accounts.retailer._id,
    userStatus: false,
  });
  expect(data._id).not.toBe('');
  await page.goto(`${server.url}/sign-in`);
  await submitSignIn(page, 'resting');
  await expect(page.getByRole('alert')).toContainText('This account is not active.');
});

test('the menu works by keyboard', async ({ page }) => {
  await openAsPlayer(page, server, '/mine/account');
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.press('Enter');
  const sheet = page.getByRole('dialog', { name: nameOf('user') });
  await expect(sheet).toBeVisible();
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(menu).toBeFocused();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('a menu that fails to load leaves the page alone and opens once available', async ({ page }) => {
  allow(/ERR_FAILED|Failed to fetch|dynamically imported/);
  await page.route(/MenuSheet-.*\.js$/, (route) => route.abort());
  await openAsPlayer(page, server, '/');
  await expect(clockOf(page)).toBeVisible();
  const menu = page.getByRole('button', { name: 'Menu' });
  for (const touch of [() => menu.hover(), () => menu.press('Enter')]) {
    const refused = page.waitForEvent('requestfailed');
    await touch();
    await refused;
  }
  await page.unroute(/MenuSheet-.*\.js$/);
  await expect(page.getByRole('dialog').getByRole('link', { name: 'My bets' })).toBeVisible();
  await expect(clockOf(page)).toHaveCount(1);
});

test('going offline is reported immediately and recovers on its own', async ({ context, page }) => {
  allow(/ERR_INTERNET_DISCONNECTED|failed/);
  await openAsPlayer(page, server, '/');
  await expect(clockOf(page)).toBeVisible();
  await answerLastLook(page);
  await context.setOffline(true);
  await expect(page.getByText('No connection.')).toBeVisible();
  await expect(clockOf(page), 'what was shown stays').toBeVisible();
  await expectAccessible(page);
  await context.setOffline(false);
  await expect(page.getByText('No connection.')).toBeHidden();
});

test('it installs as an app: caches only build files and has an offline page', async ({ context, page }) => {
  allow(/ERR_INTERNET_DISCONNECTED|status of 503|failed/);
  await openAsPlayer(page, server, '/');
  await expect(clockOf(page)).toBeVisible();
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.reload();
  await expect(clockOf(page)).toBeVisible();
  const kept = () =>
    page.evaluate<string[]>(
      `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
        .then((all) => all.flat().map(({ url }) => new URL(url).pathname))`,
    );
  await expect.poll(async () => (await kept()).length).toBeGreaterThan(1);
  for (const path of await kept()) expect(path).toMatch(/^\/players\/assets\/[\w-]+-[\w-]{8}\.\w+$/);
  const worker = await page.request.get(`${server.url}/players/service-worker.js`);
  expect(worker.headers()).toMatchObject({ 'cache-control': 'no-cache', 'service-worker-allowed': '/' });

  await context.setOffline(true);
  await page.goto(`${server.url}/mine/bets`);
  await expect(headingOf(page, 'There is no connection')).toBeVisible();
  await expectAccessible(page);
  await context.setOffline(false);
  await expect(headingOf(page, 'My bets')).toBeVisible();

  const manifest = (await (await page.request.get(`${server.url}/players/players.webmanifest`)).json()) as {
    icons: { src: string; sizes: string }[];
  };
  for (const { src, sizes } of manifest.icons) {
    const size = await page.evaluate<string>(
      `createImageBitmap ? fetch('${src}').then((answer) => answer.blob()).then(createImageBitmap)
        .then(({ width, height }) => width + 'x' + height) : ''`,
    );
    expect(size, src).toBe(sizes);
  }
});

test('a newer version loads with the next page, but not while a bet in any tab is pending', async ({
  context,
  page,
}) => {
  await openAsPlayer(page, server, '/');
  await expect(clockOf(page)).toBeVisible();
  const other = await context.newPage();
  watch(other);
  await other.goto(`${server.url}/mine/account`);
  await other.evaluate(
    `void navigator.locks.request('drawhouse bet without an answer', { mode: 'shared' }, () => new ` +
      'Promise((done) => { window.answered = done; }))',
  );
  let loads = 0;
  page.on('load', () => loads++);
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'players-build': 'another' } });
  });
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await expect(page.getByText('New version available.')).toBeVisible();
  await page.getByRole('button', { name: 'Load now' }).click();
  await page.getByRole('link', { name: /^Wallet/ }).click();
  await expect(headingOf(page, 'My statement')).toBeFocused();
  expect(loads).toBe(0);

  await other.evaluate('window.answered()');
  await page.getByRole('link', { name: 'Drawhouse' }).click();
  await expect.poll(() => loads).toBe(1);
  await expect(headingOf(page, 'Games')).toBeVisible();
  await page.getByRole('link', { name: /^Wallet/ }).click();
  await expect(headingOf(page, 'My statement')).toBeFocused();
  expect(loads, 'where that did not bring it, once was enough').toBe(1);
  await page.unrouteAll({ behavior: 'wait' });
});

test("a switch in the menu turns on notifications of the player's draws, for pages in the background", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(window, {
      shown,
      Notification: class extends EventTarget {
        static permission = 'default';
        static async requestPermission() {
          return (this.permission = 'granted');
        }
        constructor(title: string, { body }: { body: string }) {
          super();
          shown.push(`${title}. ${body}`);
        }
      },
    });
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) =>
      void shown.push(`${title}. ${options!.body}`);
  });
  const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown);
  await openAsPlayer(page, server, '/');
  await page.getByRole('button', { name: 'Menu' }).click();
  const notify = page.getByRole('switch', { name: 'Notify me when my draw is over' });
  await expect(notify).not.toBeChecked();
  await notify.check();
  await expect(notify).toBeChecked();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: network.pair.gameName });
  const lines = [{ head: 'straight', drawno: '123', qty: 10 }];
  const token = await tokenOf(server.url, nameOf('user'));
  await callApi(server.url, 'app/bet', token, { gameId: network.pair.gameId, requestId: 'notify', lines });
  await expect(card).toContainText('Your open bets: 10.00');
  await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }));
  await drawNow(server, network.pair.gameId);
  await expect
    .poll(shown)
    .toEqual([expect.stringMatching(`^${network.pair.gameName}: your draw is over. You staked 10.00 and won `)]);
});

test('games are pinned and searched in the lobby, and show their last results with frequencies', async ({ page }) => {
  const { pair, accounts } = network;
  await drawNow(server, pair.gameId);
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', await tokenOf(server.url, nameOf('superadmin')));
  const games = [
    'roulette',
    'horse12',
    'luckycard12',
    'duskadum',
    'funtargetbingo',
    'andarbahar',
    'acqOpdpL',
    pair.gameId,
  ];
  await giveGames(
    server.url,
    await tokenOf(server.url, nameOf('superadmin')),
    accounts.admin._id,
    data.filter(({ gameId }) => games.includes(gameId)),
  );
  await openAsPlayer(page, server, '/');
  const main = page.getByRole('main');
  const kinds = main.getByRole('heading', { level: 2 });
  await expect(kinds.filter({ hasNotText: 'Last played' })).toHaveText([
    'Wheels',
    'Cards',
    'Pictures',
    'Balls and dice',
    'Numbers',
    'Lotteries',
  ]);
  await main.getByRole('button', { name: 'Pin Horse 12' }).click();
  await expect(kinds.first()).toHaveText('Pinned');
  await expect(main.getByRole('button', { name: 'Pin Horse 12' })).toBeFocused();
  await page.reload();
  await expect(main.getByRole('region', { name: 'Pinned' }).getByRole('link', { name: 'Horse 12' })).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, SIZES);
  await main.getByRole('searchbox', { name: 'Find a game' }).fill('card');
  await expect(main.getByRole('heading', { level: 3 })).toHaveText(['Lucky 12 Cards']);
  await main.getByRole('searchbox').fill('nothing like it');
  await expect(main.getByText('No game has this name.')).toBeVisible();
  await main.getByRole('searchbox').fill('');

  await main.getByRole('link', { name: `Last results of ${pair.gameName}` }).click();
  await expect(headingOf(page, `Last results of ${pair.gameName}`)).toBeFocused();
  await expect(main.getByText('What came before has no bearing on the next draw')).toBeVisible();
  await expect(main.getByRole('table').getByRole('row')).toHaveCount(11);
  await main.getByRole('combobox', { name: 'Part of the result' }).selectOption('Tens');
  await expect(main.getByRole('list').getByRole('listitem')).not.toHaveCount(0);
  await expectAccessible(page);
  await expectToFit(page, SIZES);
  await main.getByRole('link', { name: 'To the board' }).click();
  await main.getByRole('link', { name: 'Last 50 results' }).click();
  await expect(headingOf(page, `Last results of ${pair.gameName}`)).toBeFocused();
});

test('the lobby shows a break, its end and what continues', async ({ page }) => {
  await openAsPlayer(page, server, '/');
  await expect(clockOf(page).first()).toBeVisible();
  const token = await tokenOf(server.url, nameOf('user'));
  await callApi(server.url, 'app/protection/break', token, { length: '1 day' });
  await page.reload();
  await expect(page.getByText(/^You are on a break until \d\d \w{3,4} \d{4}, \d\d:\d\d\.$/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Limits and breaks' }).click();
  await expect(headingOf(page, 'Limits and breaks')).toBeFocused();
});
