import { expect, test } from '@playwright/test';
import {
  cellOf,
  declare,
  placeUnheard,
  drawPart,
  fateOf,
  NO_DRAWS,
  openBoard,
  placeButton,
  playGames,
  ticketsOf,
} from './playTable.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { callApi, failOnErrors, tokenOf, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork('play-refusals', (...both) => ([server, network] = both), NO_DRAWS);
const { allow } = failOnErrors();
const GAMES = ['funtargetbingo', 'fruit12', 'horse12'];

test.beforeAll(() => playGames(server, network, GAMES));
test.beforeEach(() => allow(/status of 422|answered 422/));

test('more than the wallet is reported before placing, and refused if another page was faster', async ({ page }) => {
  await openBoard(page, server, 'funtargetbingo');
  await page.getByRole('radio', { name: '500.00 points' }).press('Space');
  for (let touch = 0; touch < 3; touch++) await cellOf(page, /^7/).click();
  await expect(page.getByText('This is 500.00 points more than your wallet has.')).toBeVisible();
  await expect(placeButton(page)).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('button', { name: 'Undo' }).click();
  const token = await tokenOf(server.url, nameOf('user'));
  const bet = { gameId: 'fruit12', requestId: 'elsewhere', lines: [{ drawno: '1', qty: 10 }] };
  await placeUnheard(page, () => callApi(server.url, 'app/bet', token, bet));
  await expect(fateOf(page, 'Not placed')).toBeVisible();
  await expect(page.getByText('Not enough credit.')).toBeVisible();
  await page.getByRole('button', { name: 'Back to slip' }).click();
  await expect(placeButton(page)).toHaveText('Place 1,000.00');
  await expect(fateOf(page, 'Not placed')).toBeHidden();
  expect(await ticketsOf(server, 'funtargetbingo')).toEqual([]);
});

test('a ticket closed meanwhile is not placed and waits for the next draw', async ({ page }) => {
  await openBoard(page, server, 'horse12');
  await cellOf(page, /Comet/).click();
  await placeUnheard(page, () => declare(server, network, 'horse12'));
  await expect(fateOf(page, 'Not placed')).toBeVisible();
  await expect(page.getByText('Betting on this draw is closed. Nothing was taken')).toBeVisible();
  await page.getByRole('button', { name: 'Back to slip' }).click();
  await expect(drawPart(page)).toContainText('Closed. Drawn in');
  await expect(placeButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('Your slip waits for the next one.')).toBeVisible();
});
