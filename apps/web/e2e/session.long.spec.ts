import { expect, test, type Locator, type Route, type WebSocket } from '@playwright/test';
import { openProfile } from './openProfile.ts';
import { nameOf, serveNetwork } from './testNetwork.ts';
import {
  failOnErrors,
  haveSession,
  holdClock,
  openUntilQuiet,
  PASSWORD,
  signInByForm,
  signOut,
  submitSignIn,
  type TestServer,
} from './support.ts';

let server: TestServer;

const { watch, allow } = failOnErrors();
serveNetwork('session', (its) => (server = its));

// Playwright sets clocks per tab, but real tabs share one.
test('advancing the wall clock does not end the session, because the server is asked', async ({ context, page }) => {
  await context.clock.install();
  await haveSession(page, server.url, nameOf('retailer'));
  // An answer after the clock change would count as use.
  await openUntilQuiet(page, `${server.url}/retailer/profile`);
  await expect(page.getByText('This device')).toBeVisible();
  await holdClock(page);
  await context.clock.setSystemTime((await page.evaluate<number>('Date.now()')) + 5 * 3600 * 1000);
  const asked = page.waitForResponse('**/api/auth/session');
  let isAsked = false;
  page.on('request', (request) => (isAsked ||= request.url().endsWith('/api/auth/session')));
  // Stops once the check has started, which times out after four seconds.
  for (let passedMs = 0; passedMs < 16_000 && !isAsked; passedMs += 500) await context.clock.runFor(500);
  expect((await asked).status()).toBe(200);
  await expect(page.getByText('This device')).toBeVisible();
});

test('a player signing in at the back-office reaches the players’ pages', async ({ page }) => {
  await signInByForm(page, server.url, nameOf('user'), 'user');
  await expect(page.getByRole('heading', { name: 'Games' })).toBeVisible();
  // A cross-site link sends no cookie.
  await page.context().clearCookies();
  await page.goto(`${server.url}/superadmin/dashboard`);
  await expect(page.getByRole('heading', { name: 'Games' })).toBeVisible();
});

test('a failed session fetch clears the session, except without an answer or on retry', async ({ page }) => {
  const api = '**/api/auth/session';
  const kept = () => page.evaluate<unknown[]>("[localStorage.getItem('auth'), sessionStorage.length]");
  allow(/auth\/session answered|status of (421|500|503) .*auth\/session|ERR_FAILED, .*auth\/session/);
  await openProfile(page, server.url, 'retailer');

  await test.step('keeps it without an answer and when told to retry', async () => {
    let tries = 0;
    let isSaid = false;
    await page.route(api, async (route) => {
      if (!isSaid) return route.abort();
      tries += 1;
      if (tries === 1) await route.fulfill({ status: 421, json: { success: false, message: 'Elsewhere' } });
      else if (tries === 2) await route.fulfill({ status: 503, json: { success: false, message: 'Not yet' } });
      else await route.continue();
    });
    // Without the account, pages wait for the session.
    await page.evaluate(
      "localStorage.setItem('auth', JSON.stringify({ ...JSON.parse(localStorage.getItem('auth')), users: {} }))",
    );
    await page.reload();
    await expect(page.getByText('No connection to the server.')).toBeVisible();
    isSaid = true;
    await expect(page.getByText('This device')).toBeVisible();
    expect(tries).toBe(3);
    await page.unroute(api);
  });

  await test.step('clears it on an error', async () => {
    await page.route(api, (route) => route.fulfill({ status: 500, json: { success: false } }));
    await page.reload();
    await page.waitForURL('**/auth/login**');
    await expect.poll(kept).toEqual([null, 0]);
  });
});

test('a missing or wrong stored role leads to sign-in', async ({ page }) => {
  // Until the answer arrives, pages of the wrong role send forbidden requests.
  allow(/Failed to load resource: .* 403 /);
  for (const spoil of [
    'delete it.auth.roles',
    'delete it.users.authUser.role',
    "it.auth.roles = 'admin'",
    "sessionStorage.setItem('role', 'admin')",
    "sessionStorage.setItem('role', 'undefined')",
    "it.auth.roles = it.users.authUser.role = 'admin'; sessionStorage.setItem('role', 'admin')",
  ]) {
    await openProfile(page, server.url, 'retailer');
    const addresses: string[] = [];
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await page.evaluate(
      `{ const it = JSON.parse(localStorage.getItem('auth')); ${spoil}; localStorage.setItem('auth', JSON.stringify(it)); }`,
    );
    await page.goto(`${server.url}/`);
    await page.waitForURL('**/auth/login**');
    expect(addresses.filter((address) => address.includes('undefined'))).toEqual([]);
  }
});

test('form input returns for the same account, except passwords', async ({ context, page }) => {
  await haveSession(page, server.url, nameOf('retailer'));
  await page.goto(`${server.url}/retailer/user/create`);
  const [username, note] = ['Username', 'Note'].map((name) => page.getByRole('textbox', { name })) as [
    Locator,
    Locator,
  ];
  const password = page.getByLabel('Password', { exact: true });
  await username.fill('new-player');
  await note.fill('typed before');
  await password.fill(PASSWORD);
  const other = await context.newPage();
  watch(other);
  await other.goto(`${server.url}/fair`);
  await other.evaluate("localStorage.removeItem('auth')");
  await page.waitForURL('**/auth/login?**');
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(PASSWORD);
  await submitSignIn(page, nameOf('retailer'));
  await page.waitForURL('**/retailer/user/create');
  await expect(username).toHaveValue('new-player');
  await expect(note).toHaveValue('typed before');
  await expect(password).toHaveValue('');
});

test('stored state without expiry is dropped everywhere, whichever page finds it', async ({ context, page }) => {
  // The page requests its data before it reads what is stored.
  allow(/status of 401/);
  const kept = () => page.evaluate<unknown[]>("[localStorage.getItem('auth'), sessionStorage.length]");
  const auth = "JSON.parse(localStorage.getItem('auth'))";
  const losses: [string, string, string][] = [
    ['of the tab', "sessionStorage.removeItem('tokenExpiry')", '/retailer/profile'],
    ['of the tab, no time', "sessionStorage.setItem('tokenExpiry', 'soon')", '/fair'],
    [
      'of the state',
      `localStorage.setItem('auth', JSON.stringify({ ...${auth}, auth: { ...${auth}.auth, expiresAt: undefined } }))`,
      '/fair',
    ],
    [
      'of the state, alone',
      `localStorage.setItem('auth', '{"auth":{"token":"x","roles":"retailer"}}'); sessionStorage.clear()`,
      '/retailer/user',
    ],
  ];
  for (const [whose, lose, path] of losses) {
    await test.step(`${whose}, found at ${path}`, async () => {
      await openProfile(page, server.url, 'retailer');
      await page.evaluate(lose);
      await page.goto(server.url + path);
      if (path !== '/fair') await page.waitForURL('**/auth/login**');
      await expect.poll(kept).toEqual([null, 0]);
    });
  }

  await test.step('another tab of the session ends too', async () => {
    await openProfile(page, server.url, 'retailer');
    const other = await context.newPage();
    watch(other);
    await other.goto(`${server.url}/retailer/profile`);
    await expect(other.getByText('This device')).toBeVisible();
    await page.evaluate(losses[2]![1]);
    await other.waitForURL('**/auth/login**');
    await expect.poll(() => other.evaluate("[localStorage.getItem('auth'), sessionStorage.length]")).toEqual([null, 0]);
  });
});

test('signing out shows no session end, whatever the page still requests', async ({ page }) => {
  await haveSession(page, server.url, nameOf('retailer'));
  const { promise: asked, resolve } = Promise.withResolvers<Route>();
  await page.route('**/api/auth/sessions', resolve);
  await page.goto(`${server.url}/retailer/profile`);
  const held = await asked;
  await page.route('**/api/auth/logout', async (route) => {
    await held.fulfill({ status: 401, json: { success: false, code: 'SESSION_ENDED' } }).catch(() => undefined);
    await route.continue();
  });
  await signOut(page);
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(page.getByText('Your session has ended')).toBeHidden();
});

test('without locks a displaced tab stays out until viewed', async ({ browser }) => {
  const context = await browser.newContext();
  await context.addInitScript('delete Navigator.prototype.locks');
  const first = await context.newPage();
  await first.clock.install();
  const opened: WebSocket[] = [];
  first.on('websocket', (socket) => opened.push(socket));
  await openProfile(first, server.url, 'admin');
  await expect.poll(() => opened.length).toBe(1);
  const crowdedOut = opened[0]!.waitForEvent('close', { timeout: 0 });
  for (let more = 0; more < 6; more++) {
    const tab = await context.newPage();
    const connected = tab.waitForEvent('websocket');
    await tab.goto(`${server.url}/admin/profile`);
    await connected;
  }
  await crowdedOut;
  await first.clock.runFor(60_000);
  expect(opened).toHaveLength(1);
  const again = first.waitForEvent('websocket');
  await first.evaluate("window.dispatchEvent(new Event('focus'))");
  await again;
  await context.close();
});
