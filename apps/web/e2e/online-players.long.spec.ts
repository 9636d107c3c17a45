import { expect, test, type Browser, type Page } from '@playwright/test';
import { expectToFit } from './look.ts';
import { makeNetwork, nameOf, type Network } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  PASSWORD,
  haveSession,
  signIn,
  startTestServer,
  tokenOf,
  type TestServer,
} from './support.ts';

let server: TestServer;
let network: Network;

test.beforeAll(async () => {
  server = await startTestServer('online');
  network = await makeNetwork(server.url);
});
test.afterAll(() => server.remove());
const { allow } = failOnErrors();

const ROWS = 'tbody tr';

async function playerAt(browser: Browser, username: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, server.url, username, 'user');
  return page;
}

test("a player's sign-in, play and sign-out appear live", async ({ page, browser }) => {
  const token = await tokenOf(server.url, nameOf('retailer'));
  await callApi(server.url, 'users/create', token, {
    username: 'newcomer',
    password: PASSWORD,
    commission: 0,
    note: 'add notes',
    refId: network.accounts.retailer._id,
    userStatus: true,
  });
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/onlineplayers?search=newcomer`);
  const table = page.getByRole('region', { name: 'Online Players' });
  await expect(table).toContainText('No matches');
  let loads = 0;
  page.on('load', () => loads++);

  const player = await playerAt(browser, 'newcomer');
  const row = table.locator(ROWS).filter({ hasText: 'newcomer' });
  await expect(row).toContainText('Online');
  await expect(row).toContainText('0.00');
  await callApi(server.url, 'users/credit-transfer', token, {
    toUserId: (await callApi<{ data: { _id: string }[] }>(server.url, 'users/all?search=newcomer', token)).data[0]!._id,
    transferAmount: 123,
    password: PASSWORD,
  });
  await expect(row).toContainText('123.00');

  await row.getByRole('button', { name: 'Logout: newcomer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Logout Confirmation' });
  await expect(dialog).toContainText('Are you sure you want to logout newcomer?');
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(row).toHaveCount(0);
  await expect(player.getByRole('button', { name: 'Login' })).toBeVisible();
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect(page).toHaveURL(/show=all/);
  await expect(row).toContainText('Offline');
  expect(loads).toBe(0);
});

test('the menu leads to this page for every role at every width', async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await signIn(page, server.url, nameOf('superadmin'), 'superadmin');
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Online Players' }).click();
  await page.getByRole('button', { name: 'All', exact: true }).click();
  const table = page.getByRole('region', { name: 'Online Players' });
  await expect(table.locator(ROWS).filter({ hasText: nameOf('user') })).toBeVisible();
  await expect(table.getByRole('columnheader')).toContainText([
    'No',
    'User Name',
    'Unique Id',
    'Points',
    'Play Points',
    'Win Points',
    'Claim Points',
    'End Points',
    'Is Online',
    'Last Login',
  ]);
  await expectAccessible(page);
  await expectToFit(page, [390, 600, 768, 900, 1024, 1180, 1280, 1440, 1920]);
});

test('rows stay while offline and update on reconnect', async ({ page, context }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/onlineplayers?show=all`);
  const row = page
    .getByRole('region', { name: 'Online Players' })
    .locator(ROWS)
    .filter({ hasText: nameOf('user') });
  await expect(row).toBeVisible();
  const notice = page.getByText('No connection.', { exact: true });
  allow(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await expect(notice).toBeVisible();
  await expect(row).toBeVisible();
  const next = page.waitForResponse((response) => response.url().includes('/api/onlinePlayer') && response.ok());
  await context.setOffline(false);
  await expect(notice).toBeHidden();
  await next;
  await expect(row).toBeVisible();
});
