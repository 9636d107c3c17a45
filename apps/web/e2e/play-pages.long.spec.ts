import { expect, test } from '@playwright/test';
import { expectToFit } from './look.ts';
import { cellOf, declare, drawPart, fateOf, NO_DRAWS, openBoard, placeButton, playGames } from './playTable.ts';
import { drawNow, serveNetwork, type Network } from './testNetwork.ts';
import { expectAccessible, failOnErrors, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork('play-pages', (...both) => ([server, network] = both), NO_DRAWS);
const { watch } = failOnErrors();

const GAMES = ['europeanroulette', 'titlisorrat', 'triplefun', 'andarbahar', 'lottery3d', 'lottery4d', 'acqOpdpL'];
const SIZES = [[320, 640], [360, 740], 768, 1280, 1440] as const;

test.beforeAll(() => playGames(server, network, GAMES));

for (const gameId of GAMES)
  test(`the rules of ${gameId} explain each kind of bet with the chosen chip`, async ({ page }) => {
    await openBoard(page, server, gameId);
    await page.getByRole('radio', { name: '5.00 points', exact: true }).press('Space');
    await page.getByRole('link', { name: 'Rules', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^Rules and pays of/ })).toBeFocused();
    await expect(page).toHaveURL(`${server.url}/play/${gameId}/rules?chip=5`);
    await expect(page.getByText('You bet 5.00 on').first()).toBeVisible();
    await page.getByRole('radio', { name: '50.00', exact: true }).check();
    await expect(page.getByText('You bet 50.00 on').first()).toBeVisible();
    if (gameId === 'lottery3d')
      await expect(page.getByText('You bet 50.00 on SP Box 123. If 321 is drawn, 7,500.00 is paid')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'The booster' })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, SIZES, `rules of ${gameId}`);
    await page.getByRole('link', { name: 'Back to the board' }).click();
    await expect(page.getByRole('grid')).toBeVisible();
  });

test('a kind of bet says what wins once it is chosen', async ({ page }) => {
  await openBoard(page, server, 'lottery3d');
  await page.getByRole('radio', { name: 'SP Box' }).press('Space');
  await expect(page.getByText('SP Box 123 in any order: pays 150 for 1, returns 90%')).toBeVisible();
});

test('favorites are kept on the account and load on another device', async ({ page, browser }) => {
  await openBoard(page, server, 'titlisorrat');
  await page.getByRole('grid').getByRole('button').nth(2).click();
  await page.getByRole('button', { name: 'Favorites' }).click();
  const sheet = page.getByRole('dialog', { name: 'Favorites' });
  await expect(sheet).toContainText('kept on your account');
  await sheet.getByRole('textbox', { name: 'Save these bets as' }).fill('Sundays');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(sheet.getByRole('button', { name: /^Sundays/ })).toContainText('1.00');
  await expectAccessible(page);

  const other = await (await browser.newContext()).newPage();
  watch(other);
  await openBoard(other, server, 'titlisorrat');
  await other.getByRole('button', { name: 'Favorites' }).click();
  const there = other.getByRole('dialog', { name: 'Favorites' });
  await there.getByRole('button', { name: /^Sundays/ }).click();
  await expect(placeButton(other)).toHaveText('Place 1.00');
  await other.getByRole('button', { name: 'Favorites' }).click();
  await there.getByRole('button', { name: 'Delete Sundays' }).click();
  await expect(there.getByRole('button', { name: /^Sundays/ })).toHaveCount(0);
  await there.getByRole('button', { name: 'Undo' }).click();
  await expect(there.getByRole('button', { name: /^Sundays/ })).toContainText('1.00');
  await other.context().close();
});

test('a mark between numbers shows its placed chip, and that its bet has won', async ({ page }) => {
  await openBoard(page, server, 'europeanroulette');
  await page.getByRole('radio', { name: 'Split' }).press('Space');
  await cellOf(page, 'Split 2-3').click();
  await expect(cellOf(page, 'Split 2-3, 1.00 points on your slip')).toBeVisible();
  await placeButton(page).click();
  await expect(fateOf(page, 'Placed')).toBeVisible();
  await page.reload();
  await expect(cellOf(page, 'Split 2-3, 1.00 points placed'), 'without choosing the kind').toBeVisible();
  await declare(server, network, 'europeanroulette');
  await expect(drawPart(page)).toContainText('Closed. Drawn in');
  await drawNow(server, 'europeanroulette');
  await page.getByRole('radio', { name: 'Split' }).press('Space');
  await expect(cellOf(page, 'Split 2-3, drawn last')).toBeVisible();
  await expect(cellOf(page, 'Split 1-2')).toBeVisible();
});
