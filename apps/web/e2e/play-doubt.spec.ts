import { expect, test } from '@playwright/test';
import type { Page, Route } from '@playwright/test';
import { cellOf, drawPart, fateOf, NO_DRAWS, openBoard, placeButton, playGames, ticketsOf } from './playTable.ts';
import { nameOf, serveNetwork } from './testNetwork.ts';
import type { Network } from './testNetwork.ts';
import { callApi, expectAccessible, failOnErrors, loseAnswers, tokenOf } from './support.ts';
import type { TestServer } from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork(
  'play-doubt',
  (its, made) => {
    server = its;
    network = made;
  },
  NO_DRAWS,
);
const { watch, allow } = failOnErrors();
/** A game that no other of these tests has laid on, so that its tickets are those of one. */
const GAMES = [
  'funtargetbingo',
  'titlisorrat',
  'fruit12',
  'horse12',
  'duskadum',
  'luckycard16',
  'pingpong1',
  'miniroulette',
];

test.beforeAll(() => playGames(server, network, GAMES));
// What is cut is said in the console.
test.beforeEach(() => allow(/Failed to load resource|net::ERR|answered|status of/));

const SEND = '**/api/app/bet';
const ASK = '**/api/app/bet/*';
const finding = 'Finding out whether your ticket was placed';

async function layAndPlace(page: Page, gameId: string): Promise<void> {
  await openBoard(page, server, gameId);
  await page.getByRole('grid').getByRole('button').nth(3).click();
  await placeButton(page).click();
}

test('cut before it reaches the server, a ticket is sent again, and placed once', async ({ page }) => {
  const [gameId] = GAMES;
  let sent = 0;
  await page.route(SEND, (route) => (++sent === 1 ? route.abort() : route.continue()));
  await layAndPlace(page, gameId!);
  await expect(fateOf(page, 'Placed')).toBeVisible();
  expect(sent).toBe(2);
  expect(await ticketsOf(server, gameId!)).toHaveLength(1);
});

test('cut after the server took it, a ticket is found, and not sent again', async ({ page }) => {
  const gameId = GAMES[1]!;
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
  await layAndPlace(page, gameId);
  await expect(fateOf(page, finding)).toBeVisible();
  await expect(placeButton(page)).toHaveAttribute('aria-disabled', 'true');
  held.resolve();
  await expect(fateOf(page, 'Placed')).toBeVisible();
  expect(sent).toBe(1);
  expect(await ticketsOf(server, gameId)).toHaveLength(1);
});

test('reloaded while the server takes it, a ticket is found again', async ({ page }) => {
  const gameId = GAMES[2]!;
  const { acted } = await loseAnswers(page, SEND);
  await layAndPlace(page, gameId);
  await acted;
  await page.reload();
  await expect(fateOf(page, 'Placed')).toBeVisible();
  expect(await ticketsOf(server, gameId)).toHaveLength(1);
});

test('never taken, a ticket is not placed once betting on its draw has closed', async ({ page }) => {
  const gameId = GAMES[3]!;
  await page.route(SEND, (route) => route.abort());
  await layAndPlace(page, gameId);
  await expect(fateOf(page, finding)).toBeVisible();
  await page.reload();
  await expect(fateOf(page, finding)).toBeVisible();
  await closeNow(gameId);
  await expect(fateOf(page, 'Not placed')).toBeVisible();
  await page.unroute(SEND);
  await page.reload();
  await expect(fateOf(page, 'Not placed')).toBeVisible();
  expect(await ticketsOf(server, gameId)).toEqual([]);
  await page.getByRole('button', { name: 'Lay it again' }).click();
  await expect(page.getByRole('region', { name: 'Your ticket' })).toContainText('1 bet');
  await expect(fateOf(page, 'Not placed')).toBeHidden();
});

test('two tabs say the same of a ticket, and it is placed once, also where the one that placed it is closed', async ({
  page,
  context,
}) => {
  const gameId = GAMES[4]!;
  const other = await context.newPage();
  watch(other);
  // Whichever tab sends it first: the one that placed it, as a rule.
  const routes: Route[] = [];
  const held = Promise.withResolvers<void>();
  await context.route(SEND, (route) => (routes.push(route) === 1 ? held.resolve() : route.continue()));
  // Without an answer to either it sends nothing again, however long all this takes.
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

test('a ticket without an answer is said on every page, and what became of it where one is by then', async ({
  page,
}) => {
  const gameId = GAMES[6]!;
  let isCut = true;
  await page.route(SEND, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.route(ASK, (route) => (isCut ? route.abort() : route.continue()));
  await layAndPlace(page, gameId);
  const line = page.getByText('Finding out whether your ticket was placed:');
  await expect(fateOf(page, finding)).toBeVisible();
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

test('without a connection nothing is placed, and what is laid stays', async ({ page, context }) => {
  const gameId = GAMES[5]!;
  await openBoard(page, server, gameId);
  await page.getByRole('grid').getByRole('button').nth(3).click();
  await context.setOffline(true);
  await expect(placeButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('There is no connection. Nothing can be placed until it is back.')).toBeVisible();
  await context.setOffline(false);
  await expect(placeButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await placeButton(page).click();
  await expect(fateOf(page, 'Placed')).toBeVisible();
});

/** Ends the time for betting on the running draw of a game, which stays to be drawn. */
async function closeNow(gameId: string): Promise<void> {
  const token = await tokenOf(server.url, nameOf('admin'));
  const adminId = network.accounts.admin._id;
  await callApi(server.url, 'live/addresult', token, { gameId, adminId, result: '3' });
}
