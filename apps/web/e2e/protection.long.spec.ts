import { randomUUID } from 'node:crypto';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { expectToFit } from './look.ts';
import { nameOf, LONG_DRAWS, serveNetwork, type Network } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  haveSession,
  submitSignIn,
  tokenOf,
  type TestServer,
} from './support.ts';

let server: TestServer;
let network: Network;
serveNetwork('protection', (...both) => ([server, network] = both), LONG_DRAWS);
const { allow } = failOnErrors();

const PLAYER = nameOf('user');
const WIDTHS = [390, 768, 1280];

const section = (page: Page): Locator => page.getByRole('region', { name: 'Player protection', exact: true });
const limits = (page: Page): Locator => section(page).getByRole('table').first();
const row = (page: Page, name: string): Locator => limits(page).getByRole('row', { name });
const dialog = (page: Page): Locator => page.getByRole('dialog');

async function openPlayer(page: Page): Promise<void> {
  await haveSession(page, server.url, nameOf('retailer'));
  await page.goto(`${server.url}/retailer/player/players/details/${network.accounts.user._id}`);
  await expect(limits(page)).toBeVisible();
}

test("a manager sees a player's limits and use, sets a stricter one, and it applies to the next bet", async ({
  page,
}) => {
  const token = await tokenOf(server.url, PLAYER);
  const lay = (qty: number) =>
    page.request.post(`${server.url}/api/app/bet`, {
      headers: { authorization: `Bearer ${token}` },
      data: {
        gameId: network.pair.gameId,
        requestId: randomUUID(),
        lines: [{ drawno: '123', head: 'straight', qty }],
      },
    });
  await page.request.put(`${server.url}/api/app/protection/limits/stakePerDay`, {
    headers: { authorization: `Bearer ${token}` },
    data: { value: 300 },
  });
  expect((await lay(60)).status()).toBe(201);

  await openPlayer(page);
  await expect(row(page, 'Stake per day')).toContainText('300.00');
  await expect(row(page, 'Stake per day')).toContainText('60.00');

  await page.getByRole('button', { name: 'Set limit: Stake per day' }).click();
  await expect(dialog(page)).toContainText('The player’s own limit is 300.00');
  await dialog(page).getByRole('textbox', { name: 'Points' }).fill('0');
  await dialog(page).getByRole('button', { name: 'Set limit' }).click();
  await expect(dialog(page)).toContainText('Enter points above 0');
  await expectAccessible(page);
  await dialog(page).getByRole('textbox', { name: 'Points' }).fill('80');
  await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('A call of the family');
  await dialog(page).getByRole('button', { name: 'Set limit' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(row(page, 'Stake per day')).toContainText('80.00');
  const told = section(page).getByRole('table', { name: 'Changes' });
  await expect(told.getByRole('row').nth(1)).toContainText('Stake per day: none → 80.00');
  await expect(told.getByRole('row').nth(1)).toContainText('A call of the family');
  const refused = (await (await lay(21)).json()) as { code: string; message: string };
  expect(refused).toMatchObject({
    code: 'OWN_LIMIT',
    message: 'Your limit is 80.00 points staked per day: 20.00 points are left today.',
  });
  await expectAccessible(page);
  await expectToFit(page, WIDTHS);
});

test('excluding a player requires confirmation; sign-in shows its end', async ({ page }) => {
  await openPlayer(page);
  await callApi(server.url, 'app/protection/break', await tokenOf(server.url, PLAYER), { length: '1 week' });
  await page.reload();
  await expect(section(page)).toContainText(/On a break until \d/);
  await section(page).getByRole('button', { name: 'Exclude' }).click();
  await dialog(page).getByRole('combobox', { name: 'For' }).selectOption('1 year');
  await dialog(page).getByRole('button', { name: 'Exclude' }).click();
  await expect(dialog(page)).toContainText('Tick this first');
  await expectAccessible(page);
  await dialog(page).getByRole('checkbox').check();
  await dialog(page).getByRole('button', { name: 'Exclude' }).click();
  await expect(section(page)).toContainText(/Excluded until \d/);
  await expectAccessible(page);

  allow(/403/);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.context().clearCookies();
  await page.goto(`${server.url}/auth/login`);
  await submitSignIn(page, PLAYER);
  await expect(page.getByRole('alert')).toContainText(/This account is excluded until \d+ \w+ \d{4}/);
});
