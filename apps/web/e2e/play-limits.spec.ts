import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { expectToFitInLong } from './look.ts';
import { cellOf, fateOf, NO_DRAWS, openBoard, placeButton, playGames, ticketsOf } from './playTable.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { callApi, expectAccessibleInLong, failOnErrors, tokenOf, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork('play-limits', (...both) => ([server, network] = both), NO_DRAWS);
const { allow } = failOnErrors();
const [GAME, OTHER] = ['funtargetbingo', 'fruit12'];
const SIZES = [[320, 640], [390, 844], 768, 1280] as const;

test.beforeAll(() => playGames(server, network, [GAME, OTHER]));
test.beforeEach(() => allow(/status of (404|422)|answered (404|422)/));

test("a limit of one's own is checked before sending, and again by the server", async ({ page }) => {
  const token = await tokenOf(server.url, nameOf('user'));
  await callApi(server.url, 'app/protection/limits/stakePerDay', token, { value: 120 }, 'PUT');
  await openBoard(page, server, GAME);
  const lines = [{ drawno: '2', qty: 20 }];
  await callApi(server.url, 'app/bet', token, { gameId: OTHER, requestId: randomUUID(), lines });
  await page.getByRole('radio', { name: '50.00 points', exact: true }).press('Space');
  await cellOf(page, /^7/).click();
  await expect(page.getByText('Stake per day: 100.00 points are left of your limit of 120.00.')).toBeVisible();
  for (let touch = 0; touch < 2; touch++) await cellOf(page, /^7/).click();
  await expect(placeButton(page)).toHaveText('Place 150.00');
  await expect(placeButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expectAccessibleInLong(page);
  await expectToFitInLong(page, SIZES, 'beyond an own limit');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(placeButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await page.route('**/api/app/bet', async (route) => {
    const path = `players/${network.accounts.user._id}/protection/limits/stakePerDay`;
    const limit = { value: 60, reason: '' };
    await callApi(server.url, path, await tokenOf(server.url, nameOf('retailer')), limit, 'PUT');
    await route.continue();
  });
  await placeButton(page).click();
  await expect(fateOf(page, 'Not placed')).toBeVisible();
  await expect(page.getByText('Your limit is 60.00 points staked per day: 40.00 points are left today.')).toBeVisible();
  await page.getByRole('button', { name: 'Back to slip' }).click();
  await expect(page.getByText('Stake per day: 40.00 points are left of the limit set for you of 60.00.')).toBeVisible();
  await expect(placeButton(page)).toHaveAttribute('aria-disabled', 'true');
  expect(await ticketsOf(server, GAME)).toEqual([]);
});
