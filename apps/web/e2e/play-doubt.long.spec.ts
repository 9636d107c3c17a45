import { expect, test } from '@playwright/test';
import {
  ASK,
  SEND,
  declare,
  layAndPlace,
  fateOf,
  NO_DRAWS,
  openBoard,
  placeButton,
  playGames,
  ticketsOf,
} from './playTable.ts';
import { serveNetwork, type Network } from './testNetwork.ts';
import { expectAccessible, failOnErrors, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork('play-doubt', (...both) => ([server, network] = both), NO_DRAWS);
const { allow } = failOnErrors();
/** Keeps their tickets apart. */
const GAMES = ['horse12', 'luckycard16', 'pingpong1'] as const;

test.beforeAll(() => playGames(server, network, GAMES));
test.beforeEach(() => allow(/Failed to load resource|net::ERR|answered|status of/));

test('an untaken ticket is not placed once betting on its draw has closed', async ({ page }) => {
  const gameId = GAMES[0];
  await page.route(SEND, (route) => route.abort());
  await layAndPlace(page, server, gameId);
  await expect(fateOf(page, 'Checking whether your ticket was placed')).toBeVisible();
  await page.reload();
  await expect(fateOf(page, 'Checking whether your ticket was placed')).toBeVisible();
  await declare(server, network, gameId);
  await expect(fateOf(page, 'Not placed')).toBeVisible();
  await page.unroute(SEND);
  await page.reload();
  await expect(fateOf(page, 'Not placed')).toBeVisible();
  expect(await ticketsOf(server, gameId)).toEqual([]);
  await page.getByRole('button', { name: 'Back to slip' }).click();
  await expect(page.getByRole('region', { name: 'Your slip' })).toContainText('1 bet');
  await expect(fateOf(page, 'Not placed')).toBeHidden();
});

test('every page reports a ticket without an answer and its outcome', async ({ page }) => {
  const gameId = GAMES[2];
  let isCut = true;
  await page.route(SEND, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.route(ASK, (route) => (isCut ? route.abort() : route.continue()));
  await layAndPlace(page, server, gameId);
  const line = page.getByText('Checking whether your ticket was placed:');
  await expect(fateOf(page, 'Checking whether your ticket was placed')).toBeVisible();
  await expect(line, 'the board says it itself').toBeHidden();
  await page.getByRole('banner').getByRole('link', { name: 'Drawhouse' }).click();
  await expect(line).toBeVisible();
  await page.goto(`${server.url}/mine/limits`);
  await expect(line).toBeVisible();
  await expectAccessible(page);
  isCut = false;
  await expect(page.getByText('Your ticket of 1.00 points was placed.')).toBeVisible();
  await expect(line).toBeHidden();
});

test('offline nothing is placed, and bets on the slip stay', async ({ page, context }) => {
  const gameId = GAMES[1];
  await openBoard(page, server, gameId);
  await page.getByRole('grid').getByRole('button').nth(3).click();
  await expect(placeButton(page)).toHaveText('Place 1.00');
  await context.setOffline(true);
  await expect(placeButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('No connection. Your slip waits here.')).toBeVisible();
  await context.setOffline(false);
  await expect(placeButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await placeButton(page).click();
  await expect(fateOf(page, 'Placed')).toBeVisible();
});
