import { ROLE_PREFIX } from '@drawhouse/contract/accounts/accounts';
import { expect, test, type Page } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  loseAnswers,
  PASSWORD,
  haveSession,
  signIn,
  tokenOf,
  type TestServer,
} from './support.ts';

let server: TestServer;
let network: Network;
const { allow } = failOnErrors();
serveNetwork('top-up', (...both) => ([server, network] = both));

const PLAYER = nameOf('user');
const dialogOf = (page: Page) => page.getByRole('dialog', { name: `Top up ${PLAYER}` });
const buttonOf = (page: Page) => page.getByRole('button', { name: `Top up: ${PLAYER}` });
const amountOf = (page: Page) => dialogOf(page).getByRole('textbox', { name: 'Amount' });
const passwordOf = (page: Page) => dialogOf(page).getByLabel('Password', { exact: true });
const submitOf = (page: Page) => dialogOf(page).getByRole('button', { name: 'Top up', exact: true });
const text = (points: number) => points.toLocaleString('en-US', { minimumFractionDigits: 2 });

async function playerBalance(): Promise<number> {
  const path = `${ROLE_PREFIX.user}/${network.accounts.user._id}`;
  const { data } = await callApi<{ data: { walletBalance: number } }>(
    server.url,
    path,
    await tokenOf(server.url, nameOf('retailer')),
  );
  return data.walletBalance;
}

async function openDialog(page: Page, path = 'retailer/user'): Promise<void> {
  await page.goto(`${server.url}/${path}`);
  await buttonOf(page).click();
  await expect(amountOf(page)).toBeFocused();
}

test('a player is topped up in the list by keyboard, and the receipt stays', async ({ page }) => {
  const had = await playerBalance();
  await haveSession(page, server.url, nameOf('retailer'));
  await page.goto(`${server.url}/retailer/user`);
  await buttonOf(page).press('Enter');
  const dialog = dialogOf(page);
  await expect(amountOf(page)).toBeFocused();
  await expect(dialog.getByRole('row', { name: PLAYER })).toContainText(text(had));
  await expectAccessible(page);

  await dialog.getByRole('button', { name: '100', exact: true }).press('Enter');
  await expect(amountOf(page)).toHaveValue('100');
  await expect(passwordOf(page)).toBeFocused();
  await expect(dialog.getByRole('row', { name: PLAYER })).toContainText(text(had + 100));
  await page.keyboard.type(PASSWORD);
  await expectSaid(page, { whole: 'Credit transfer successful!' }, () => page.keyboard.press('Enter'));
  const receipt = dialog.getByRole('status');
  await expect(receipt).toHaveText(new RegExp(`100.00 given to ${PLAYER}. ${PLAYER} now has ${text(had + 100)}, `));
  await expect(dialog.getByRole('button')).toHaveText(['Done']);
  await expect(dialog.getByRole('button', { name: 'Done' })).toBeFocused();
  await expect(page.getByRole('row').filter({ has: buttonOf(page) })).toContainText(text(had + 100));
  await expectAccessible(page);
  expect(await playerBalance()).toBe(had + 100);

  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(buttonOf(page)).toBeFocused();
  await expect(page).toHaveURL(/\/retailer\/user$/);
});

test('a player is topped up on its own page, which shows the new balance', async ({ page }) => {
  const had = await playerBalance();
  await haveSession(page, server.url, nameOf('distributor'));
  await page.goto(`${server.url}/distributor/user/users/details/${network.accounts.user._id}`);
  const button = page.getByRole('main').getByRole('button', { name: 'Top up', exact: true });
  await button.click();
  await expect(amountOf(page)).toBeFocused();
  await amountOf(page).fill('3');
  await passwordOf(page).fill(PASSWORD);
  await submitOf(page).click();
  await dialogOf(page).getByRole('button', { name: 'Done' }).click();
  await expect(button).toBeFocused();
  await expect(
    page
      .getByRole('main')
      .getByText(text(had + 3), { exact: true })
      .first(),
  ).toBeVisible();
  await page.goto(`${server.url}/distributor/retailer/users/details/${network.accounts.retailer._id}`);
  await expect(page.getByRole('main').getByRole('link', { name: 'Credit Transfer', exact: true })).toBeVisible();
  await expect(button).toBeHidden();
});

test("top-up errors read like the credit form's, and nothing moves", async ({ page }) => {
  const had = await playerBalance();
  await haveSession(page, server.url, nameOf('retailer'));
  await openDialog(page);
  const dialog = dialogOf(page);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Amount is required')).toBeVisible();
  await expect(dialog.getByText('Password is required')).toBeVisible();
  await expect(amountOf(page)).toBeFocused();
  await amountOf(page).fill('1000000');
  await expect(dialog.getByText(/^You have only [\d,.]+ points to give\.$/)).toBeVisible();
  await amountOf(page).fill('5');
  await passwordOf(page).fill('not the password');
  allow(/status of 403 .*credit-transfer/);
  const answer = page.waitForResponse('**/credit-transfer');
  await submitOf(page).click();
  expect((await answer).status()).toBe(403);
  await expect(dialog.getByText('The password is wrong')).toBeVisible();
  await expect(passwordOf(page)).toBeFocused();
  await expect(amountOf(page)).toHaveValue('5');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await buttonOf(page).click();
  await expect(amountOf(page)).toHaveValue('');
  expect(await playerBalance()).toBe(had);
});

test('a repeated top-up acts once: double click, reload before the answer', async ({ page }) => {
  const had = await playerBalance();
  await signIn(page, server.url, nameOf('retailer'), 'retailer');
  const fill = async () => {
    await amountOf(page).fill('7');
    await passwordOf(page).fill(PASSWORD);
  };
  await openDialog(page);
  await fill();
  await submitOf(page).dblclick();
  await expect(dialogOf(page).getByRole('status')).toContainText('7.00 given');
  expect(await playerBalance()).toBe(had + 7);

  const { acted } = await loseAnswers(page, '**/credit-transfer');
  await openDialog(page);
  await fill();
  await submitOf(page).click();
  await acted;
  await page.keyboard.press('Escape');
  await expect(dialogOf(page), 'it stays until the answer is there').toBeVisible();
  await page.reload();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await buttonOf(page).click();
  await fill();
  await submitOf(page).click();
  await expect(dialogOf(page).getByRole('status')).toContainText('Nothing was moved twice.');
  expect(await playerBalance()).toBe(had + 14);
});

test("top-up respects daily limits and inactive players, also in a retailer's list", async ({ page }) => {
  const limit = (dailyLimit: number | null, token: string) =>
    callApi(server.url, `${ROLE_PREFIX.retailer}/${network.accounts.retailer._id}`, token, { dailyLimit }, 'PUT');
  const above = await tokenOf(server.url, nameOf('distributor'));
  await limit(2000, above);
  await haveSession(page, server.url, nameOf('retailer'));
  await openDialog(page);
  const dialog = dialogOf(page);
  await expect(dialog.getByText(/^Left to give today: /)).toBeVisible();
  await dialog.getByRole('button', { name: '5,000' }).click();
  await expect(dialog.getByText(/^Your daily limit leaves [\d,.]+ points to give today\.$/)).toBeVisible();
  await limit(null, above);

  const toggle = (action: string) =>
    fetch(`${server.url}/api/${ROLE_PREFIX.user}/toggle-status/${network.accounts.user._id}/${action}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${above}` },
    });
  expect((await toggle('deactivate')).status).toBe(200);
  await openDialog(page, `retailer/user`);
  await expect(dialog.getByRole('alert')).toContainText('This account is not active, so it can’t receive credit.');
  await expectAccessible(page);
  expect((await toggle('activate')).status).toBe(200);

  await page.context().clearCookies();
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await haveSession(page, server.url, nameOf('distributor'));
  await openDialog(page, `distributor/retailer/users/details/${network.accounts.retailer._id}`);
  await expect(dialog.getByRole('row', { name: nameOf('distributor') })).toBeVisible();
});

test("on a phone it opens from the row's sheet and fits", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await haveSession(page, server.url, nameOf('retailer'));
  await page.goto(`${server.url}/retailer/user`);
  await page.getByRole('button', { name: `More about ${PLAYER}` }).click();
  await page.getByRole('dialog', { name: PLAYER, exact: true }).getByRole('button', { name: 'Top up' }).click();
  await expect(amountOf(page)).toBeFocused();
  await expectAccessible(page);
  const widths =
    `[document.documentElement, ...document.querySelectorAll('[role="dialog"] *')].filter((e) => ` +
    'e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1 && getComputedStyle(e).overflowX !== ' +
    `'visible').length`;
  expect(await page.evaluate<number>(widths), 'nothing is wider than its place').toBe(0);

  // Page-wide messages must not cover its buttons.
  await page.setViewportSize({ width: 390, height: 600 });
  allow(/ERR_INTERNET_DISCONNECTED/);
  await page.context().setOffline(true);
  const notice = page.getByRole('status').filter({ hasText: 'No connection.' });
  await expect(notice).toBeVisible();
  const buttons = (await submitOf(page).boundingBox())!;
  const said = (await notice.boundingBox())!;
  expect(said.y + said.height, 'above the upper half of the dialog').toBeLessThan(buttons.y / 2);
  await page.context().setOffline(false);
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialogOf(page)).toBeHidden();
});
