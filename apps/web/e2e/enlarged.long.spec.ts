import type { Game } from '@drawhouse/contract/games/games';
import { expect, test, type Page } from '@playwright/test';
import { expectToFit } from './look.ts';
import { openAsPlayer } from './playersPage.ts';
import { callApi, failOnErrors, tokenOf, type TestServer } from './support.ts';
import { giveGames, LONG_DRAWS, nameOf, serveNetwork, type Network } from './testNetwork.ts';

let server: TestServer;
let network: Network;

serveNetwork('enlarged', (...both) => ([server, network] = both), LONG_DRAWS);
failOnErrors();

const GAMES = ['roulette', 'luckycard12', 'lottery3d'];

test.beforeAll(async () => {
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  const games = data.filter(({ gameId }) => [...GAMES, network.pair.gameId].includes(gameId));
  await giveGames(server.url, token, network.accounts.admin._id, games);
});

/** The countdown must stay in view over the whole board, and the menu must open from any place. */
async function expectInReach(page: Page): Promise<void> {
  const clock = page.getByRole('main').getByRole('timer').first();
  await page.getByRole('grid').getByRole('button').last().scrollIntoViewIfNeeded();
  await expect(clock).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'My bets' })).toBeVisible();
  await page.keyboard.press('Escape');
}

for (const gameId of GAMES) {
  test(`the board of ${gameId} works at a zoom of 400 %`, async ({ page }) => {
    // 1280 × 1024 px at 400 %.
    await page.setViewportSize({ width: 320, height: 256 });
    await openAsPlayer(page, server, `/play/${gameId}`);
    await expectInReach(page);
    await expectToFit(page, [[320, 256]]);
  });

  test(`the board of ${gameId} works with text of 200 %`, async ({ page }) => {
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = '200%'));
    });
    await page.setViewportSize({ width: 360, height: 740 });
    await openAsPlayer(page, server, `/play/${gameId}`);
    await expectInReach(page);
    await expectToFit(page, [
      [360, 740],
      [1280, 800],
    ]);
  });
}

for (const path of ['/', '/mine/statement', '/mine/limits', '/mine/account'])
  test(`${path} works at a zoom of 400 % and with text of 200 %`, async ({ page }) => {
    await openAsPlayer(page, server, path);
    await expect(page.locator('main h1')).toBeVisible();
    await expect(page.locator('main output[aria-label]')).toHaveCount(0);
    await expectToFit(page, [[320, 256]]);
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    await expectToFit(page, [
      [360, 740],
      [1280, 800],
    ]);
  });
