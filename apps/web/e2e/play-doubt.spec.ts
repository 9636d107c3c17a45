import { expect, test, type Page, type Route } from '@playwright/test';
import {
  ASK,
  SEND,
  layAndPlace,
  cellOf,
  declare,
  drawPart,
  fateOf,
  NO_DRAWS,
  openBoard,
  placeButton,
  playGames,
  ticketsOf,
} from './playTable.ts';
import { serveNetwork, type Network } from './testNetwork.ts';
import { failOnErrors, loseAnswers, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork('play-doubt', (...both) => ([server, network] = both), NO_DRAWS);
const { watch, allow } = failOnErrors();
const GAMES = ['funtargetbingo', 'titlisorrat', 'fruit12', 'duskadum', 'horse12'] as const;

test.beforeAll(() => playGames(server, network, GAMES));
test.beforeEach(() => allow(/Failed to load resource|net::ERR|answered|status of/));

test('a ticket lost before the server is resent and placed once', async ({ page }) => {
  const [gameId] = GAMES;
  let sent = 0;
  await page.route(SEND, (route) => (++sent === 1 ? route.abort() : route.continue()));
  await layAndPlace(page, server, gameId);
  await expect(fateOf(page, 'Placed')).toBeVisible();
  expect(sent).toBe(2);
  expect(await ticketsOf(server, gameId)).toHaveLength(1);
});

test('a ticket lost after the server took it is found and not resent', async ({ page }) => {
  const gameId = GAMES[1];
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/app/bet')) sent++;
  });
  const held = Promise.withResolvers<void>();
  await page.route(ASK, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.route(SEND, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await layAndPlace(page, server, gameId);
  await expect(fateOf(page, 'Checking whether your ticket was placed')).toBeVisible();
  await expect(placeButton(page)).toHaveAttribute('aria-disabled', 'true');
  held.resolve();
  await expect(fateOf(page, 'Placed')).toBeVisible();
  expect(sent).toBe(1);
  expect(await ticketsOf(server, gameId)).toHaveLength(1);
});

test('a ticket is found after a reload while the server takes it', async ({ page }) => {
  const gameId = GAMES[2];
  const { acted } = await loseAnswers(page, SEND);
  await layAndPlace(page, server, gameId);
  await acted;
  await page.reload();
  await expect(fateOf(page, 'Placed')).toBeVisible();
  expect(await ticketsOf(server, gameId)).toHaveLength(1);
});

test('two tabs agree on a ticket, placed once even if the tab that sent it is closed', async ({ page, context }) => {
  const gameId = GAMES[3];
  const other = await context.newPage();
  watch(other);
  const routes: Route[] = [];
  const held = Promise.withResolvers<void>();
  await context.route(SEND, (route) => (routes.push(route) === 1 ? held.resolve() : route.continue()));
  await page.route(ASK, () => undefined);
  await openBoard(page, server, gameId);
  await other.goto(page.url());
  await expect(drawPart(other)).toContainText('Betting closes in');
  await cellOf(page, /^3/).first().click();
  await placeButton(page).click();
  await held.promise;
  await expect(other.getByText('Placing your ticket')).toBeVisible();
  await expect(placeButton(other)).toHaveAttribute('aria-disabled', 'true');
  expect(routes).toHaveLength(1);
  await page.close();
  await expect(fateOf(other, 'Placed')).toBeVisible();
  expect(await ticketsOf(server, gameId)).toHaveLength(1);
});

test('a slip survives Back, the logo and a reload, is shared by tabs, and ends with the draw', async ({
  page,
  context,
}) => {
  const gameId = GAMES[4];
  const slipOf = (tab: Page) => tab.getByRole('region', { name: 'Your slip' });
  await openBoard(page, server, gameId);
  await cellOf(page, /Comet/).click();
  await expect(slipOf(page)).toContainText('1 bet');
  await page.getByRole('banner').getByRole('link', { name: 'Drawhouse' }).click();
  await page.goBack();
  await expect(slipOf(page)).toContainText('1 bet');
  await page.reload();
  await expect(slipOf(page)).toContainText('1 bet');
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog'), 'Back closes a sheet first').toBeHidden();
  await expect(slipOf(page)).toContainText('1 bet');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'My bets' }).click();
  await expect(page).toHaveURL(/\/mine\/bets$/);
  await page.goBack();
  await expect(slipOf(page), 'a page opened from a menu is one step away').toContainText('1 bet');
  const other = await context.newPage();
  watch(other);
  await other.goto(page.url());
  await expect(slipOf(other)).toContainText('1 bet');
  await placeButton(page).click();
  await expect(fateOf(page, 'Placed')).toBeVisible();
  await expect(slipOf(other)).toContainText('0 bets');
  await cellOf(other, /Comet/).click();
  await expect(slipOf(page)).toContainText('1 bet');
  await declare(server, network, gameId);
  for (const tab of [page, other]) {
    await expect(tab.getByText('The draw of your slip is over. It was not placed.')).toBeVisible();
    await expect(slipOf(tab)).toContainText('0 bets');
  }
  await page.getByRole('button', { name: 'Put bets back' }).click();
  await expect(slipOf(page)).toContainText('1 bet');
  expect(await ticketsOf(server, gameId)).toHaveLength(1);
});
