import { ROLE_PREFIX } from '@drawhouse/contract/accounts/accounts';
import { expect, test, type Page } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { LONG_DRAWS, nameOf, serveNetwork, type Network } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  PASSWORD,
  haveSession,
  signIn,
  tokenOf,
  type TestServer,
  holdClock,
  whileTimeCreeps,
} from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork(
  'connection',
  (its, made) => {
    server = its;
    network = made;
  },
  LONG_DRAWS,
);

const NO_CONNECTION = 'No connection to the server.';
const NO_RESPONSE = 'An unexpected error occurred';
const DOUBT = 'No answer. We don’t know whether it went through. Send it again unchanged; it won’t be done twice.';
const notice = (page: Page) => page.getByText('No connection.', { exact: true });

async function retailerBalance(): Promise<number> {
  const token = await tokenOf(server.url, nameOf('retailer'));
  const { data } = await callApi<{ data: { walletBalance: number } }>(
    server.url,
    `${ROLE_PREFIX.retailer}/${network.accounts.retailer._id}`,
    token,
  );
  return data.walletBalance;
}

test('an unloaded page waits inside the app while offline and loads when back', async ({ context, page }) => {
  await signIn(page, server.url, nameOf('distributor'), 'distributor');
  await expect(page.getByRole('region', { name: 'Everything is set up' })).toBeVisible();
  await context.setOffline(true);
  await expect(notice(page), 'said at once, before anything is done').toBeVisible();
  await page.getByRole('link', { name: 'Turnover Report' }).click();
  const main = page.getByRole('main');
  await expect(main.getByText(NO_CONNECTION)).toBeVisible();
  await main.getByRole('button', { name: 'Try again' }).click();
  await expect(main.getByText(NO_CONNECTION)).toBeVisible();
  await expect(page.getByRole('navigation').first(), 'the app still stands').toBeVisible();
  await expectAccessible(page);
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: /Turnover Report/ })).toBeVisible();
  await expect(notice(page)).toBeHidden();
});

/** Must match the app's retry interval. */
const RETRY_MS = 2_000;

/** Records in `places` where each message is, however briefly. Runs in the browser. */
const NOTE_PLACES = `(() => {
  window.places = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes)
      for (const said of [node, ...(node.querySelectorAll?.('*') ?? [])])
        if (said.role === 'alert' && said.textContent.includes('Error occurred while adding result!'))
          places.push(getComputedStyle(said.closest('[data-position]')).position);
  }).observe(document.body, { childList: true, subtree: true });
})()`;

test('a lost connection may be the first message, shown once possible', async ({ context, page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.clock.install();
  const { gameId, adminId } = network.pair;
  await page.goto(`${server.url}/admin/game/${gameId}/${adminId}/${nameOf('admin')}`);
  const main = page.getByRole('main');
  await expect(main.locator('[data-drawno]').first()).toBeVisible();
  await context.setOffline(true);
  await main.locator('[data-drawno]').first().click();
  await main.getByRole('button', { name: 'SAVE' }).click();
  await expect(main.getByText('Reconnecting…')).toBeVisible();
  await expect(main.locator('[data-drawno]').first()).toBeVisible();
  await page.evaluate(NOTE_PLACES);
  const script = page.waitForResponse(/MessageList-.*\.js$/);
  await page.route(/MessageList-.*\.css$/, async (route) => {
    await page.evaluate(`import(${JSON.stringify((await script).url())})`);
    for (let tries = 0; tries < 3; tries++) {
      await page.clock.fastForward(RETRY_MS);
      await page.evaluate('document.body.animate([], 1).finished.then(() => {})');
    }
    await route.continue();
  });
  await context.setOffline(false);
  const places = () => page.evaluate<string[]>('places');
  await expect.poll(places, 'with its looks from the first: it stands above the page').toEqual(['fixed']);
  await expect(main.locator('[data-drawno]').first()).toBeVisible();
});

test('a list reports the lost connection, keeps its rows and recovers on its own', async ({ context, page }) => {
  await haveSession(page, server.url, nameOf('distributor'));
  await page.goto(`${server.url}/distributor/retailer`);
  const row = page.getByRole('row').filter({ hasText: nameOf('retailer') });
  await expect(row).toBeVisible();
  await context.setOffline(true);
  await expect(notice(page)).toBeVisible();
  await expect(row).toBeVisible();
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await expect(page.getByRole('main').getByText(NO_RESPONSE, { exact: true })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('row').filter({ hasText: nameOf('user') })).toBeVisible();
  await expect(notice(page)).toBeHidden();
});

test('a transfer without an answer says whether it may have happened, and acts once', async ({ context, page }) => {
  const had = await retailerBalance();
  await haveSession(page, server.url, nameOf('distributor'));
  await page.goto(`${server.url}/distributor/retailer/credittransfer/${network.accounts.retailer._id}`);
  const main = page.getByRole('main');
  const fill = async () => {
    await page.getByRole('textbox', { name: 'Amount' }).fill('20');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  };
  const submit = () => main.getByRole('button', { name: 'Credit Transfer', exact: true }).click();
  const alert = main.getByRole('alert');

  await test.step('without a network nothing was sent', async () => {
    await fill();
    await context.setOffline(true);
    await expectSaid(page, { whole: NO_RESPONSE }, submit);
    await expect(alert.getByText(/^No connection\. Nothing was sent\./)).toBeVisible();
    await context.setOffline(false);
    await expect(alert, 'that it could not be sent is no news').toHaveCount(0);
    await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('20');
    await expect(notice(page)).toBeHidden();
    expect(await retailerBalance()).toBe(had);
  });

  const balances = main.getByRole('table').getByRole('row').locator('td:nth-child(2)');
  const before = await balances.allInnerTexts();

  await test.step('a lost answer leaves the outcome unknown and both balances unchanged', async () => {
    await page.route('**/healthz', (route) => route.abort());
    await page.route('**/api/**', async (route) => {
      if (route.request().url().endsWith('/credit-transfer')) await route.fetch();
      await route.abort();
    });
    await expectSaid(page, { whole: NO_RESPONSE }, submit);
    await expect(alert.getByText(DOUBT, { exact: true })).toBeVisible();
    await expect(main.getByText(/^Balances before it was sent\./)).toBeVisible();
    await expectAccessible(page);
    expect(await retailerBalance()).toBe(had + 20);
  });

  await test.step('reconnecting clears the error, but not the uncertainty', async () => {
    await page.unroute('**/healthz');
    await page.unroute('**/api/**');
    await expect(notice(page)).toBeHidden();
    await expect(alert.getByText(NO_RESPONSE)).toBeHidden();
    await expect(alert).toHaveText([DOUBT]);
    // The bar shows the server's balance; the form must not mix old and new ones.
    await expect(page.getByRole('banner')).not.toContainText(before[1]!);
    expect(await balances.allInnerTexts()).toEqual(before);
  });

  await test.step('an unrelated refusal changes nothing', async () => {
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await submit();
    await expect(main.getByText('The password is wrong')).toBeVisible();
    expect(await balances.allInnerTexts()).toEqual(before);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  });

  await test.step('resending acts once and shows both balances', async () => {
    await submit();
    await expect(page.getByText('This had already gone through')).toBeVisible();
    await expect(main.getByText(/^Balances before it was sent/)).toBeHidden();
    await expect(alert).toHaveCount(0);
    await expect(balances.first()).toHaveText((had + 20).toLocaleString('en-US', { minimumFractionDigits: 2 }));
    expect(await retailerBalance()).toBe(had + 20);
  });
});

test('a refusal clears as the specification times it; field errors stay', async ({ page }) => {
  await page.clock.install();
  await page.goto(`${server.url}/auth/login`);
  await page.getByRole('textbox', { name: 'Username' }).fill('nobody');
  await page.getByLabel('Password', { exact: true }).fill('not the one');
  await holdClock(page);
  await page.getByRole('button', { name: 'Login' }).click();
  const refusal = page.getByText('Username or password is wrong.');
  await whileTimeCreeps(page, expect(refusal).toBeVisible());
  await refusal.hover();
  await page.clock.runFor(10_000);
  await expect(refusal, 'not while it is pointed at').toBeVisible();
  await page.mouse.move(0, 0);
  await page.clock.runFor(3000);
  await expect(refusal).toBeHidden();

  await page.getByRole('textbox', { name: 'Username' }).fill('');
  await page.getByRole('button', { name: 'Login' }).click();
  await page.clock.runFor(10_000);
  await expect(page.getByText('Username is required')).toBeVisible();
});

test.describe('without WebSockets', () => {
  const REFUSED = `window.WebSocket = class {
    constructor() {
      queueMicrotask(() => this.onerror(new Event('error')));
    }
    close() {}
  }`;
  test.beforeEach(({ page }) => page.addInitScript(REFUSED));

  const layBet = async (requestId: string) => {
    const token = await tokenOf(server.url, nameOf('user'));
    const lines = [{ head: 'straight', drawno: '123', qty: 10 }];
    await callApi(server.url, 'app/bet', token, { gameId: network.pair.gameId, requestId, lines });
  };

  test('a panel stays live', async ({ page }) => {
    const { gameId, adminId } = network.pair;
    await haveSession(page, server.url, nameOf('admin'));
    await page.goto(`${server.url}/admin/game/${gameId}/${adminId}/${nameOf('admin')}`);
    const cell = page.getByRole('main').locator('[data-drawno="123"]');
    await expect(cell).toContainText('0');
    await layBet('by-polling-1');
    await expect(cell).toContainText('10');
    await expect(page.getByText('Reconnecting…')).toBeHidden();
  });

  test('a player’s wallet stays live', async ({ page }) => {
    await haveSession(page, server.url, nameOf('user'));
    await page.goto(server.url);
    const wallet = page.getByRole('link', { name: /^Wallet/ });
    await expect(wallet).toHaveText(/Wallet [\d,.]+/);
    const had = (await wallet.textContent())!;
    await layBet('by-polling-2');
    await expect(wallet).not.toHaveText(had);
    await expect(page.getByText('Reconnecting.')).toBeHidden();
  });
});

test.describe('a new release', () => {
  // Ignores requests still pending at the test's end.
  test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

  const announce = (page: Page) =>
    page.route(/\/api\/|\/healthz$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'web-build': 'another' } });
    });
  const said = (page: Page) => page.getByText('New version available.');
  const mark = (page: Page) => page.evaluate('window.sameDocument = true');
  const isSame = (page: Page) => page.evaluate<boolean>('window.sameDocument === true');

  test('is announced and loaded with the next page', async ({ page }) => {
    await haveSession(page, server.url, nameOf('distributor'));
    await page.goto(`${server.url}/distributor/retailer`);
    await mark(page);
    await announce(page);
    await page.getByRole('main').getByRole('searchbox').fill(nameOf('retailer'));
    await expect(said(page)).toBeVisible();
    expect(await isSame(page)).toBe(true);
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await expect.poll(() => isSame(page).catch(() => true)).toBe(false);
    await page.waitForURL('**/distributor/dashboard');
    // The server reports another build even after the reload, which must not loop.
    await mark(page);
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    await expect(said(page)).toBeVisible();
    expect(await isSame(page)).toBe(true);
    await expectAccessible(page);
  });

  test('waits while something would be lost', async ({ page }) => {
    await page.clock.install();
    await haveSession(page, server.url, nameOf('distributor'));
    await page.goto(`${server.url}/distributor/retailer/create`);
    await page.getByRole('textbox', { name: 'Username' }).fill('half-typed');
    await mark(page);
    await announce(page);
    await page.getByRole('textbox', { name: 'Username' }).blur();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.clock.runFor(60_000);
    await expect(said(page)).toBeVisible();
    await page.clock.runFor(60_000);
    expect(await isSame(page)).toBe(true);
    await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue('half-typed');
    await page.getByRole('textbox', { name: 'Username' }).fill('');
    await page.clock.runFor(31_000);
    await expect.poll(() => isSame(page).catch(() => true)).toBe(false);
  });

  test('is named in every server answer', async ({ page }) => {
    await page.goto(`${server.url}/auth/login`);
    const own = await page.locator('meta[name="build"]').getAttribute('content');
    for (const path of ['/healthz', '/api/auth/session', '/'])
      expect((await fetch(server.url + path)).headers.get('web-build')).toBe(own);
  });
});
