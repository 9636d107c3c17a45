import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectToFit } from './look.ts';
import { expectSaid } from './messages-heard.ts';
import { drawNow, LONG_DRAWS, nameOf, serveNetwork } from './testNetwork.ts';
import type { Network } from './testNetwork.ts';
import {
  answerLastLook,
  callApi,
  expectAccessible,
  failOnErrors,
  haveSession,
  PASSWORD,
  submitSignIn,
  tokenOf,
} from './support.ts';
import type { TestServer } from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork(
  'players',
  (its, made) => {
    server = its;
    network = made;
  },
  LONG_DRAWS,
);
const { watch, allow } = failOnErrors();

/** The widths of the look of the players' pages, and a window of 1280 px at 200 %. */
const SIZES = [[320, 640], [360, 740], [390, 844], [600, 844], [640, 450], 768, 1024, 1280, 1440] as const;
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** The countdown of the game in the lobby: to the close, or where its draw is over, to the next. */
const clockOf = (page: Page) => page.getByRole('main').getByRole('timer');

/** Signs the player in, and opens one of its pages. */
async function open(page: Page, path: string): Promise<void> {
  await haveSession(page, server.url, nameOf('user'));
  await page.goto(server.url + path);
}

/** Lays one bet of ten points on the game of the network. */
async function layBet(requestId: string): Promise<string> {
  const token = await tokenOf(server.url, nameOf('user'));
  const lines = [{ head: 'straight', drawno: '123', qty: 10 }];
  const { ticket } = await callApi<{ ticket: { drawId: string } }>(server.url, 'app/bet', token, {
    gameId: network.pair.gameId,
    requestId,
    lines,
  });
  return ticket.drawId;
}

test('anybody sees what is played here, and the way in', async ({ page }) => {
  await page.goto(`${server.url}/welcome`);
  await expect(heading(page, 'Welcome to Drawhouse')).toBeVisible();
  await expect(page).toHaveTitle('Welcome – Drawhouse');
  for (const title of ['Lucky 12 Coupon', 'Lucky 16', 'Triple Chance', 'Roulette', 'DusKaDum', 'Lucky 10 Coupon'])
    await expect(page.getByRole('main').getByText(title, { exact: true })).toBeVisible();
  await expect(page.getByText('There are no winners to show.')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, SIZES);
  await page.getByRole('link', { name: 'Play Now' }).click();
  await page.waitForURL('**/sign-in');
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused();
});

test('the back-office’s sign-in leads there, and the games of who is signed in are one step away', async ({ page }) => {
  await page.goto(`${server.url}/`);
  await page.getByRole('link', { name: 'What is played here' }).click();
  await page.waitForURL('**/welcome');
  await open(page, '/welcome');
  await page.getByRole('link', { name: 'Play Now' }).click();
  await expect(heading(page, 'Games')).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/`);
});

test('the sign-in says what is wrong, remembers the name and leads to where one was going', async ({ page }) => {
  allow(/status of (401|403)|answered (401|403)/);
  await page.goto(`${server.url}/mine/statement`);
  await page.waitForURL('**/sign-in?back=*');
  const username = page.getByRole('textbox', { name: 'Username' });
  await expect(username).toBeFocused();
  await page.getByLabel('Password', { exact: true }).focus();
  await expect(page.getByText('Username is required')).toBeVisible();
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Password is required')).toBeVisible();
  await expect(username).toBeFocused();
  await expectAccessible(page);
  await expectToFit(page, SIZES);

  await submitSignIn(page, nameOf('user'), 'wrong password');
  // By which the log of the server has the call, beneath what is said of it.
  await expect(page.getByRole('alert')).toHaveText(/^Username or password is wrong\.\s*Request [0-9A-Z]{26}$/);
  await page.getByRole('checkbox', { name: 'Remember me' }).check();
  await expectSaid(page, 'Login successful!', () => submitSignIn(page, ` ${nameOf('user')} `));
  await page.waitForURL('**/mine/statement');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL('**/sign-in');
  await expect(username).toHaveValue(nameOf('user'));
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
});

test('staff who sign in there are led to their back-office, and nobody to another host', async ({ page }) => {
  await page.goto(`${server.url}/sign-in?back=//elsewhere.example`);
  await submitSignIn(page, nameOf('retailer'));
  await page.waitForURL('**/retailer/dashboard');
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto(`${server.url}/play/whatever`);
  await page.waitForURL('**/retailer/dashboard');
});

test('who may not sign in is told why, in the server’s words', async ({ page }) => {
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

test('the lobby has the wallet and the games, and shows a result and its win without being loaded again', async ({
  page,
}) => {
  await open(page, '/');
  await expect(heading(page, 'Games')).toBeVisible();
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: network.pair.gameName });
  await expect(card).toContainText('Betting closes in');
  const wallet = page.getByRole('link', { name: /^Wallet/ });
  await expect(wallet).toContainText('1,000.00');
  await expectAccessible(page);
  await expectToFit(page, SIZES);
  let loads = 0;
  page.on('load', () => loads++);

  const drawId = await layBet('lobby-1');
  await expect(wallet).toContainText('990.00');
  const token = await tokenOf(server.url, nameOf('admin'));
  const pair = { gameId: network.pair.gameId, adminId: network.accounts.admin._id };
  await callApi(server.url, 'live/addresult', token, { ...pair, drawId, result: '123' });
  await expect(card).toContainText('Betting is closed');
  await drawNow(server, network.pair.gameId);
  await expect(card).toContainText('Last result123');
  await expect(card, 'its source is never hidden').toContainText('Declared by the operator');
  await expect(wallet).toContainText('9,990.00');
  const today = page.getByRole('region', { name: 'Today' });
  await expect(today).toContainText('+8,990.00');
  await expect(today).toContainText('won 9,000.00 of 10.00 staked');
  expect(loads).toBe(0);

  await page.goto(`${server.url}/welcome`);
  const winners = page.getByRole('region', { name: 'Recent winners' });
  await expect(winners.getByRole('listitem')).toHaveText([/^t\*{5}.*9,000\.00$/]);
  await expect(winners).toContainText('There are no more to show.');
});

test('pages are reached by links, and left by Back and Forward, with the focus on their headings', async ({ page }) => {
  await open(page, '/');
  const game = page.getByRole('main').getByRole('link', { name: network.pair.gameName });
  await expect(game).toHaveAttribute('href', `/play/${network.pair.gameId}`);
  await page.getByRole('link', { name: /^Wallet/ }).click();
  await expect(heading(page, 'My statement')).toBeFocused();
  await expect(page).toHaveTitle('My statement – Drawhouse');
  await page.goBack();
  await expect(heading(page, 'Games')).toBeFocused();
  await page.goForward();
  await expect(heading(page, 'My statement')).toBeFocused();

  const [elsewhere] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Drawhouse' }).click({ modifiers: ['ControlOrMeta'] }),
  ]);
  watch(elsewhere);
  await expect(heading(elsewhere, 'Games')).toBeVisible();
  await elsewhere.close();

  await page.goto(`${server.url}/mine/nothing/here`);
  await expect(heading(page, 'Nothing is here')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'To the games' }).click();
  await expect(heading(page, 'Games')).toBeFocused();
});

test('the menu is reached, used and left by keyboard', async ({ page }) => {
  await open(page, '/mine/account');
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

test('a menu that can’t be fetched leaves the page as it is, and opens once it can be', async ({ page }) => {
  allow(/ERR_FAILED|Failed to fetch|dynamically imported/);
  await page.route(/MenuSheet-.*\.js$/, (route) => route.abort());
  await open(page, '/');
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

test('a session ends in all tabs, and where the server ends it that is said', async ({ context, page }) => {
  await open(page, '/');
  const other = await context.newPage();
  watch(other);
  await other.goto(`${server.url}/mine/account`);
  await expect(heading(other, 'Password and devices')).toBeVisible();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Log Out' }).click();
  for (const tab of [page, other]) await tab.waitForURL('**/sign-in*');
  await expect(other.getByText('Your session has ended')).toBeHidden();

  await open(page, '/');
  await expect(heading(page, 'Games')).toBeVisible();
  allow(/status of 401|answered 401/);
  const token = await tokenOf(server.url, nameOf('retailer'));
  await callApi(server.url, `app/logout?id=${network.accounts.user._id}&role=retailer`, token);
  await page.waitForURL('**/sign-in');
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible();
});

test('without a connection it is said at once, and goes on by itself', async ({ context, page }) => {
  allow(/ERR_INTERNET_DISCONNECTED|failed/);
  await open(page, '/');
  await expect(clockOf(page)).toBeVisible();
  await answerLastLook(page);
  await context.setOffline(true);
  await expect(page.getByText('No connection.')).toBeVisible();
  await expect(clockOf(page), 'what was shown stays').toBeVisible();
  await expectAccessible(page);
  await context.setOffline(false);
  await expect(page.getByText('No connection.')).toBeHidden();
});

test('it can be installed: files of the build alone are kept, and without a connection a page says so', async ({
  context,
  page,
}) => {
  allow(/ERR_INTERNET_DISCONNECTED|status of 503|failed/);
  await open(page, '/');
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
  await expect(heading(page, 'There is no connection')).toBeVisible();
  await expectAccessible(page);
  await context.setOffline(false);
  await expect(heading(page, 'My bets')).toBeVisible();

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

test('a newer version comes with the next page, but not while a bet of any tab has no answer', async ({
  context,
  page,
}) => {
  await open(page, '/');
  await expect(clockOf(page)).toBeVisible();
  const other = await context.newPage();
  watch(other);
  await other.goto(`${server.url}/mine/account`);
  await other.evaluate(
    `void navigator.locks.request('drawhouse bet without an answer', { mode: 'shared' }, () => new Promise((done) => { window.answered = done; }))`,
  );
  let loads = 0;
  page.on('load', () => loads++);
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'players-build': 'another' } });
  });
  // As if the page were looked at again, which reads it anew.
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await expect(page.getByText('There is a new version.')).toBeVisible();
  await page.getByRole('button', { name: 'Load it now' }).click();
  await page.getByRole('link', { name: /^Wallet/ }).click();
  await expect(heading(page, 'My statement')).toBeFocused();
  expect(loads).toBe(0);

  await other.evaluate('window.answered()');
  await page.getByRole('link', { name: 'Drawhouse' }).click();
  await expect.poll(() => loads).toBe(1);
  await expect(heading(page, 'Games')).toBeVisible();
  await page.getByRole('link', { name: /^Wallet/ }).click();
  await expect(heading(page, 'My statement')).toBeFocused();
  expect(loads, 'where that did not bring it, once was enough').toBe(1);
  // What the last page asks for is still on its way through this test.
  await page.unrouteAll({ behavior: 'wait' });
});

test('a break is said in the lobby, until when and what goes on', async ({ page }) => {
  await open(page, '/');
  await expect(clockOf(page)).toBeVisible();
  const token = await tokenOf(server.url, nameOf('user'));
  await callApi(server.url, 'app/protection/break', token, { length: '1 day' });
  await page.reload();
  await expect(page.getByText(/^You are on a break until \d\d \w{3,4} \d{4}, \d\d:\d\d\.$/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Limits and breaks' }).click();
  await expect(heading(page, 'Limits and breaks')).toBeFocused();
});
