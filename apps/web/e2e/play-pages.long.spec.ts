import { expect, test } from '@playwright/test';
import { cellOf, declare, drawPart, fateOf, NO_DRAWS, openBoard, placeButton, playGames } from './playTable.ts';
import { drawNow, serveNetwork } from './testNetwork.ts';
import type { Network } from './testNetwork.ts';
import { failOnErrors } from './support.ts';
import type { TestServer } from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork('play-pages', (...both) => ([server, network] = both), NO_DRAWS);
failOnErrors();

test.beforeAll(() => playGames(server, network, ['europeanroulette']));

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
