import { expect, test } from '@playwright/test';
import {
  cellOf,
  drawPart,
  placeUnheard,
  closeGame,
  fateOf,
  NO_DRAWS,
  openBoard,
  placeButton,
  playGames,
  ticketsOf,
} from './playTable.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { callApi, failOnErrors, submitSignIn, tokenOf, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork('play-refusals', (...both) => ([server, network] = both), NO_DRAWS);
const { allow } = failOnErrors();
const GAMES = ['fruit12', 'europeanroulette', 'lottery3d'];

test.beforeAll(() => playGames(server, network, GAMES));
test.beforeEach(() => allow(/status of 422|answered 422/));

const asAdmin = async <T>(path: string, body: unknown, method: 'POST' | 'PUT' = 'POST'): Promise<T> => {
  const token = await tokenOf(server.url, nameOf('admin'));
  return callApi<T>(server.url, path, token, body, method);
};

test("beyond a game's limit, the remainder is shown", async ({ page }) => {
  const admin = await tokenOf(server.url, nameOf('admin'));
  const limits = `limits/${network.accounts.admin._id}`;
  const { data } = await callApi<{ data: { id: string; gameId: string }[] }>(server.url, limits, admin);
  const { id } = data.find(({ gameId }) => gameId === 'fruit12')!;
  await openBoard(page, server, 'fruit12');
  await page.getByRole('radio', { name: '10.00 points', exact: true }).press('Space');
  await cellOf(page, /Apple/).click();
  await placeUnheard(page, () => asAdmin(limits, { updates: [{ id, perTicket: 5 }] }, 'PUT'));
  await expect(fateOf(page, 'Not placed')).toBeVisible();
  await expect(
    page.getByText('5.00 points are the limit per ticket. Nothing was taken from your wallet'),
  ).toBeVisible();
});

test("a ticket above the player's amount asks for confirmation", async ({ page }) => {
  await openBoard(page, server, 'europeanroulette');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('textbox', { name: 'Above this many points' }).fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('radio', { name: '10.00 points', exact: true }).press('Space');
  await cellOf(page, /^Column 2/).click();
  await expect(placeButton(page)).toHaveText('Place 10.00');
  await placeButton(page).click();
  const sheet = page.getByRole('dialog', { name: 'Place bet of 10.00 points?' });
  await expect(sheet).toContainText('1 bet on the draw of');
  await sheet.getByRole('button', { name: 'Go back' }).click();
  expect(await ticketsOf(server, 'europeanroulette')).toEqual([]);
  await placeButton(page).click();
  await sheet.getByRole('button', { name: 'Place bet' }).click();
  await expect(fateOf(page, 'Placed')).toBeVisible();
  await page.getByRole('button', { name: 'Repeat' }).click();
  await expect(page.getByRole('region', { name: 'Your slip' })).toContainText('1 bet');
  expect(await ticketsOf(server, 'europeanroulette')).toHaveLength(1);
});

test('a bet between numbers is one chip', async ({ page }) => {
  await openBoard(page, server, 'europeanroulette');
  await page.getByRole('radio', { name: 'Split', exact: true }).press('Space');
  await cellOf(page, /^Split 14-17/).click();
  await cellOf(page, /^Split 14-17/).click();
  await expect(cellOf(page, /^Split 14-17/)).toHaveAttribute('aria-label', 'Split 14-17, 2.00 points on your slip');
  await expect(page.getByRole('region', { name: 'Your slip' })).toContainText('1 bet');
  await expect(placeButton(page)).toHaveText('Place 2.00');
  await page.getByRole('radio', { name: 'Number', exact: true }).press('Space');
  await expect(cellOf(page, /^Split/)).toHaveCount(1);
});

test('a board works by keyboard only', async ({ page }) => {
  await openBoard(page, server, 'europeanroulette');
  await cellOf(page, /^0 green/).focus();
  for (const key of ['ArrowRight', 'ArrowDown', 'Enter', 'Enter']) await page.keyboard.press(key);
  const focused = page.locator(':focus');
  await expect(focused).toHaveAttribute('aria-label', '1 red, 2.00 points on your slip');
  await page.keyboard.press('Delete');
  await expect(focused).toHaveAttribute('aria-label', '1 red');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('grid').locator(':focus')).toHaveCount(0);
  await page.keyboard.press('Shift+Tab');
  await expect(focused).toHaveAttribute('aria-label', '1 red');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(focused).toHaveAttribute('aria-label', /^19 to 36, pays 2 for 1, .*, 1.00 points on your slip$/);
  await expect(placeButton(page)).toHaveText('Place 1.00');
});

test('a pasted list is parsed, with errors reported', async ({ page }) => {
  await openBoard(page, server, 'lottery3d');
  await page.getByRole('button', { name: 'List' }).click();
  const list = page.getByRole('dialog').getByRole('textbox');
  await list.fill('120-122*2\nfp 12\n12');
  await expect(page.getByRole('dialog')).toContainText(
    '12 Say which bet this is: ap (Any Pair), fp (Front Pair), bp (Back Pair) or sp (Split Pair), such as ap 12.',
  );
  await list.fill('120-122*2\nfp 12');
  await page.getByRole('dialog').getByRole('button', { name: 'Add 4 bets' }).click();
  await expect(placeButton(page)).toHaveText('Place 7.00');
});

test("slip and input return after a session's end", async ({ page }) => {
  await openBoard(page, server, 'lottery3d');
  const list = page.getByRole('dialog').getByRole('textbox');
  const openList = () => page.getByRole('button', { name: 'List' }).click();
  await openList();
  await list.fill('120-122*2\nfp 12');
  await page.getByRole('dialog').getByRole('button', { name: 'Add 4 bets' }).click();
  await expect(placeButton(page)).toHaveText('Place 7.00');
  await openList();
  await list.fill('sp 3');
  allow(/status of 401|answered 401/);
  const token = await tokenOf(server.url, nameOf('retailer'));
  await callApi(server.url, `app/logout?id=${network.accounts.user._id}&role=retailer`, token);
  await page.waitForURL('**/sign-in*');
  await submitSignIn(page, nameOf('user'));
  await page.waitForURL('**/play/lottery3d');
  await expect(placeButton(page)).toHaveText('Place 7.00');
  await openList();
  await expect(list).toHaveValue('sp 3');
  expect(await ticketsOf(server, 'lottery3d')).toEqual([]);
  await page.reload();
  await expect(drawPart(page)).toContainText('Betting closes in');
  await openList();
  await expect(list, 'it is given back once').toHaveValue('');
});

test('a removed game is reported on its board and by a ticket', async ({ page }) => {
  await openBoard(page, server, 'lottery3d');
  await page.getByRole('grid').getByRole('button').first().click();
  await placeUnheard(page, () => closeGame(server, 'lottery3d'));
  await expect(fateOf(page, 'Not placed')).toBeVisible();
  await expect(page.getByText('This game is not available to you. Nothing was taken')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This game is not available to you' })).toBeVisible();
  await page.getByRole('link', { name: 'See games' }).click();
  await expect(page.getByRole('heading', { name: 'Games', level: 1 })).toBeVisible();
});
