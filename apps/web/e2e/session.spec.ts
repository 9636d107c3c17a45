import { expect, test } from '@playwright/test';
import type { Page, Route, WebSocket } from '@playwright/test';
import { LONG } from '../../server/test/how-much.ts';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { makeNetwork, nameOf } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  haveSession,
  holdClock,
  PASSWORD,
  signIn,
  signInByForm,
  signOut,
  startTestServer,
} from './support.ts';
import type { TestServer } from './support.ts';

let server: TestServer;

const { watch, allow } = failOnErrors();
test.beforeAll(async () => {
  server = await startTestServer('session');
  await makeNetwork(server.url);
});
test.afterAll(() => server.remove());

/** Signs in, and opens a page that says so. */
async function openProfile(page: Page, role: Role): Promise<void> {
  await haveSession(page, server.url, nameOf(role));
  await page.goto(`${server.url}/${role}/profile`);
  await expect(page.getByText('This one')).toBeVisible();
}

const offer = (page: Page) => page.getByRole('dialog', { name: 'Are you still there?' });

test('a session is kept for all tabs at once, and ends in all of them', async ({ context, page }) => {
  // A jump of the clock cuts a live connection and what asks for it: found again, it reads the page anew, which is a use.
  await context.routeWebSocket('**/socket.io/**', () => undefined);
  // Nor is there one by polling, which is tried once nobody has answered a WebSocket's handshake.
  await context.route('**/socket.io/**', () => undefined);
  await context.clock.install();
  await haveSession(page, server.url, nameOf('retailer'));
  const other = await context.newPage();
  watch(other);
  // A page's own first calls are uses too: none is answered after the clock has jumped.
  await page.goto(`${server.url}/retailer/dashboard`, { waitUntil: 'networkidle' });
  await other.goto(`${server.url}/retailer/profile`, { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { name: 'Today so far' })).toBeVisible();
  await expect(other.getByText('This one')).toBeVisible();

  await test.step('only the auth and users parts are kept', async () => {
    const kept = await page.evaluate<string>("Object.keys(JSON.parse(localStorage.getItem('auth'))).join()");
    expect(kept).toBe('auth,users');
  });

  await test.step('nothing is offered before the last two minutes, then in each tab', async () => {
    // The clock goes on between its last use and here.
    const leftMs = await page.evaluate<number>("JSON.parse(localStorage.getItem('auth')).auth.expiresAt - Date.now()");
    await context.clock.fastForward(leftMs - 135_000);
    await expect(offer(page)).toBeHidden();
    await context.clock.fastForward('00:30');
    await expect(offer(page)).toBeVisible();
    await expect(offer(other)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('staying in one tab is staying in the other', async () => {
    await offer(page).getByRole('button', { name: 'Stay signed in' }).click();
    await expect(offer(page)).toBeHidden();
    await expect(offer(other)).toBeHidden();
  });

  await test.step('without use both end by themselves, and nothing stays', async () => {
    await context.clock.fastForward('31:00');
    await page.waitForURL('**/auth/login**');
    await other.waitForURL('**/auth/login**');
    for (const tab of [page, other])
      await expect(tab.getByText('Your session has ended. Please sign in again.')).toBeVisible();
    await expect.poll(() => page.evaluate("localStorage.getItem('auth')")).toBeNull();
    await expect.poll(() => other.evaluate('sessionStorage.length')).toBe(0);
  });
});

// In one tab: the browser's clock is set tab by tab here, and two tabs never differ by hours.
test('a wall clock that is set forward ends nothing: the server is asked', async ({ context, page }) => {
  await context.clock.install();
  await haveSession(page, server.url, nameOf('retailer'));
  // A call that is answered after the clock was set is a use, which settles it.
  await page.goto(`${server.url}/retailer/profile`, { waitUntil: 'networkidle' });
  await expect(page.getByText('This one')).toBeVisible();
  await holdClock(page);
  await context.clock.setSystemTime((await page.evaluate<number>('Date.now()')) + 5 * 3600 * 1000);
  const asked = page.waitForResponse('**/api/auth/session');
  let isAsked = false;
  page.on('request', (request) => (isAsked ||= request.url().endsWith('/api/auth/session')));
  // It looks at the clocks within this time. Once it has asked, none goes by: without an answer in four seconds it is over.
  for (let passedMs = 0; passedMs < 16_000 && !isAsked; passedMs += 500) await context.clock.runFor(500);
  expect((await asked).status()).toBe(200);
  await expect(page.getByText('This one')).toBeVisible();
});

test('signing out in one tab signs out the other without a word', async ({ context, page }) => {
  await signIn(page, server.url, nameOf('retailer'), 'retailer');
  const other = await context.newPage();
  watch(other);
  await other.goto(`${server.url}/retailer/profile`);
  await expect(other.getByText('This one')).toBeVisible();
  await signOut(page);
  await other.waitForURL('**/auth/login**');
  await expect(other.getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(other.getByRole('alert')).toBeHidden();
  await expect(other.getByText('Your session has ended')).toBeHidden();
});

test('a player who signs in at the back-office is led to the players’ pages', async ({ page }) => {
  await signInByForm(page, server.url, nameOf('user'), 'user');
  await expect(page.getByRole('heading', { name: 'Games' })).toBeVisible();
  // By the session that the browser keeps, where the link that led here has brought no cookie.
  await page.context().clearCookies();
  await page.goto(`${server.url}/superadmin/dashboard`);
  await expect(page.getByRole('heading', { name: 'Games' })).toBeVisible();
});

test('what is kept without an expiry is forgotten everywhere, whichever page finds it', async ({ context, page }) => {
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
      await openProfile(page, 'retailer');
      await page.evaluate(lose);
      await page.goto(server.url + path);
      if (path !== '/fair') await page.waitForURL('**/auth/login**');
      await expect.poll(kept).toEqual([null, 0]);
    });
  }

  await test.step('another tab of the session ends with it', async () => {
    await openProfile(page, 'retailer');
    const other = await context.newPage();
    watch(other);
    await other.goto(`${server.url}/retailer/profile`);
    await expect(other.getByText('This one')).toBeVisible();
    await page.evaluate(losses[2]![1]);
    await other.waitForURL('**/auth/login**');
    await expect.poll(() => other.evaluate("[localStorage.getItem('auth'), sessionStorage.length]")).toEqual([null, 0]);
  });
});

test('who signs out is told of no end, whatever the page still asks for', async ({ page }) => {
  await haveSession(page, server.url, nameOf('retailer'));
  const { promise: asked, resolve } = Promise.withResolvers<Route>();
  await page.route('**/api/auth/sessions', resolve);
  await page.goto(`${server.url}/retailer/profile`);
  const held = await asked;
  await page.route('**/api/auth/logout', async (route) => {
    // The browser may have given it up by then.
    await held.fulfill({ status: 401, json: { success: false, code: 'SESSION_ENDED' } }).catch(() => undefined);
    await route.continue();
  });
  await signOut(page);
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(page.getByText('Your session has ended')).toBeHidden();
});

test('a new password ends the other sessions, and a session can be ended from another', async ({ browser, page }) => {
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await openProfile(other, 'distributor');
  await openProfile(page, 'distributor');
  const form = page.getByRole('form', { name: 'Change Password' });
  const fill = async (old: string, fresh: string, again: string) => {
    await form.getByLabel('Old password').fill(old);
    await form.getByLabel('New password').fill(fresh);
    await form.getByLabel('Confirm password').fill(again);
    await form.getByRole('button', { name: 'Change Password' }).click();
  };

  await test.step('its rules, in the words of the spec', async () => {
    await fill('', PASSWORD, PASSWORD);
    await expect(form.getByText('⚠️ Please fill all fields.')).toBeVisible();
    await fill(PASSWORD, 'a longer battery', 'another battery');
    await expect(form.getByText('❌ New and confirm password do not match.')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('what is typed is not lost unasked', async () => {
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    await expect(question).toBeHidden();
    await expect(form.getByLabel('Confirm password')).toHaveValue('another battery');
  });

  await test.step('the other session ends, this one stays', async () => {
    await fill(PASSWORD, 'a longer battery', 'a longer battery');
    await expect(form.getByText('✅ Password changed successfully!')).toBeVisible();
    await other.reload();
    await other.waitForURL('**/auth/login**');
    await expect(page.getByText('This one')).toBeVisible();
  });

  await test.step('signing the other out by its row', async () => {
    await other.getByRole('textbox', { name: 'Username' }).fill(nameOf('distributor'));
    await other.getByLabel('Password', { exact: true }).fill('a longer battery');
    await other.getByRole('button', { name: 'Login' }).click();
    await other.waitForURL('**/distributor/profile');
    await page.reload();
    const rows = page.getByRole('region', { name: 'Where you are signed in' }).getByRole('listitem');
    await expect(rows).toHaveCount(2);
    await rows.nth(1).getByRole('button').click();
    await expect(rows).toHaveCount(1);
    await other.reload();
    await other.waitForURL('**/auth/login**');
  });
  await elsewhere.close();
});

test('a session that gave way to newer ones says so at once, in every tab', async ({ context, page }) => {
  // Of what is asked for at that moment.
  allow(/status of 401/);
  await openProfile(page, 'superdistributor');
  const other = await context.newPage();
  await other.goto(`${server.url}/superdistributor/profile`);
  await expect(other.getByText('This one')).toBeVisible();
  for (let more = 0; more < 10; more++)
    await callApi(server.url, 'auth/login', undefined, { username: nameOf('superdistributor'), password: PASSWORD });
  for (const tab of [page, other]) {
    await expect(tab.getByText('You have signed in elsewhere too often')).toBeVisible();
    await expect(tab).toHaveURL(/\/auth\/login/);
  }
});

test('without locks a tab that is crowded out stays out until it is looked at', { tag: LONG }, async ({ browser }) => {
  const context = await browser.newContext();
  // As on plain http outside localhost: each tab has a connection of its own.
  await context.addInitScript('delete Navigator.prototype.locks');
  const first = await context.newPage();
  await first.clock.install();
  const opened: WebSocket[] = [];
  first.on('websocket', (socket) => opened.push(socket));
  await openProfile(first, 'admin');
  await expect.poll(() => opened.length).toBe(1);
  const crowdedOut = opened[0]!.waitForEvent('close', { timeout: 90_000 });
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
