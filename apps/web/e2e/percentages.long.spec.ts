import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { playerGames, type Game } from '@drawhouse/contract/games/games';
import { expect, test, type Page } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { giveGames, nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { callApi, expectAccessible, failOnErrors, haveSession, tokenOf, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;
serveNetwork('percentages', (...both) => ([server, network] = both));
const { allow } = failOnErrors();

test.beforeAll(async () => {
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  await giveGames(server.url, token, network.accounts.admin._id, data);
});

const percentageOf = (page: Page, game: string) =>
  page.getByRole('textbox', { name: `Percentage of ${game} of ${nameOf('admin')}`, exact: true });
const set = (page: Page) => page.getByRole('button', { name: 'Set Percentage' });

test('a percentage is typed, validated, sent once and shown with its first draw', async ({ page }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  await haveSession(page, server.url, nameOf('superadmin'));
  await page.goto(`${server.url}/superadmin/winpercentage`);
  const bingo = percentageOf(page, 'Fun Target Bingo');
  const row = page.getByRole('row').filter({ has: bingo });
  await expect(bingo).toBeVisible();
  await expect(page.getByRole('columnheader')).toContainText(['No.', 'ID', 'Game', 'Percentage', 'Base return']);
  await expectAccessible(page);

  await bingo.fill('95');
  await expect(row).toContainText('95.00\u{a0}%');
  await expect(row).toContainText('1.056');
  await bingo.fill('1800.01');
  await set(page).click();
  await expect(row).toContainText('At most 1800');
  await expect(bingo).toBeFocused();
  await bingo.fill('95.5');

  const game = page.getByRole('columnheader', { name: 'Game' });
  const first = page.getByRole('row').nth(1);
  await page.getByRole('button', { name: 'Last page' }).click();
  await expect(bingo).toBeHidden();
  await game.getByRole('button').click();
  await expect(first).toContainText('3D/1000 Lottery');
  await game.getByRole('button').click();
  await expect(game).toHaveAttribute('aria-sort', 'descending');
  await expect(first).toContainText('Triple Fun');
  await game.getByRole('button').click();
  await expect(bingo).toHaveValue('95.5');

  await page.getByRole('button', { name: 'Last page' }).click();
  const triple = percentageOf(page, 'Triple Fun');
  await triple.fill('0.5');
  await page.getByRole('button', { name: 'First page' }).click();
  await expect(bingo).toHaveValue('95.5');
  await set(page).click();
  await expect(triple).toBeFocused();
  await expect(bingo).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(bingo).toHaveValue('');

  const sent: unknown[] = [];
  await page.route('**/percentage/bulk/**', async (route) => {
    sent.push(route.request().postDataJSON());
    await route.continue();
  });
  await bingo.fill('95.5');
  await set(page).dblclick();
  await expect(page.getByRole('status').filter({ hasText: '95.5 % holds from draw' })).toBeVisible();
  expect(sent).toEqual([{ updates: [{ id: expect.any(String), winpercentage: 95.5 }] }]);
  await expect(row).toContainText(/From draw \d{4,}, /);
  await expect(page.getByText('1 row changed')).toBeHidden();
  await page.reload();
  await expect(bingo).toHaveValue('95.5');
  await bingo.fill('0.99');
  await set(page).click();
  await expect(row).toContainText('At least 1, or empty for none');
  expect(sent).toHaveLength(1);
  // Empty means unset.
  await bingo.fill('');
  await expect(row).toContainText('90.00\u{a0}%');
  await set(page).click();
  await expect(page.getByRole('status').filter({ hasText: 'no percentage is set from draw' })).toBeVisible();
  expect(sent[1]).toEqual({ updates: [{ id: expect.any(String), winpercentage: 0 }] });
  await page.reload();
  await expect(bingo).toHaveValue('');
  await expect(bingo).toHaveAttribute('placeholder', 'Not set');
});

test('input survives a lost connection and changes in another tab', async ({ page, context }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/winpercentage?search=Fruit+12`);
  const fruit = percentageOf(page, 'Fruit 12');
  await fruit.fill('90');
  const other = await context.newPage();
  await other.goto(`${server.url}/admin/winpercentage?search=12`);
  await percentageOf(other, 'Horse 12').fill('88');
  await set(other).click();
  await expect(other.getByRole('status').filter({ hasText: '88 % holds from draw' })).toBeVisible();
  await other.close();

  allow(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await set(page).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expect(fruit).toHaveValue('90');
  await context.setOffline(false);
  await expect(set(page)).toBeEnabled();
  await page.getByRole('link', { name: 'Profile', exact: true }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
  await set(page).click();
  await expect(page.getByRole('status').filter({ hasText: '90 % holds from draw' })).toBeVisible();
  await page.goto(`${server.url}/admin/winpercentage?search=12`);
  await expect(percentageOf(page, 'Horse 12')).toHaveValue('88');
});

test('limits are set and cleared, contradictions reported, and shown to players', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await haveSession(page, server.url, nameOf('superadmin'));
  await page.goto(`${server.url}/superadmin/limits`);
  const limit = (name: string) => page.getByRole('textbox', { name: `${name}: Fun Target Bingo`, exact: true });
  await limit('On one number').fill('500');
  await limit('On one ticket').fill('200');
  await limit('By one player on one draw').fill('100.005');
  await page.getByRole('button', { name: 'Set Limits' }).click();
  await expect(page.getByText('Enter points above 0 with at most 2 decimals')).toBeVisible();
  await limit('By one player on one draw').fill('100');
  await expect(page.getByText('Never reached: a player may stake 100.00 on a draw')).toBeVisible();
  await expectAccessible(page);
  allow(/limits.* answered 400|status of 400 .*limits/);
  await page.getByRole('button', { name: 'Set Limits' }).click();
  await expect(page.getByText('A player can bet 100 on one draw')).toBeVisible();
  await limit('On one ticket').fill('100');
  await expectSaid(page, `Limits of ${nameOf('admin')} set`, () =>
    page.getByRole('button', { name: 'Set Limits' }).click(),
  );
  await limit('On one ticket').fill('');
  await page.getByRole('button', { name: 'Set Limits' }).click();
  await expect(page.getByText('1 row changed')).toBeHidden();
  await page.reload();
  await expect(limit('On one number')).toHaveValue('500');
  await expect(limit('On one ticket')).toHaveValue('');

  const firstTicket = page.getByRole('textbox', { name: /^On one ticket: / }).first();
  await firstTicket.fill('70');
  await page.getByRole('button', { name: /^Set for all \d+ games$/ }).click();
  await expect(firstTicket).toBeFocused();
  await expect(limit('On one ticket')).toHaveValue('70');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(limit('On one ticket')).toHaveValue('');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'More about Fun Target Bingo', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('textbox')).toHaveCount(3);
  await page.getByRole('dialog').getByRole('textbox').nth(1).fill('50');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Set Limits' }).click();
  await expect(page.getByText('1 row changed')).toBeHidden();

  const { data } = await callApi<RouteAnswer<typeof playerGames>>(
    server.url,
    playerGames.path,
    await tokenOf(server.url, nameOf('user')),
  );
  expect(data.map(({ gameName, limits }) => [gameName, limits])).toContainEqual([
    'Fun Target Bingo',
    { perNumber: 500, perTicket: 50, perPlayer: 100 },
  ]);
});
