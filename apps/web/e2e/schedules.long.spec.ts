import type { Game } from '@drawhouse/contract/games/games';
import { expect, test } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { giveGames, makeNetwork, nameOf } from './testNetwork.ts';
import { callApi, expectAccessible, haveSession, startTestServer, tokenOf, type TestServer } from './support.ts';

const GAME = 'titlisorrat';

let server: TestServer;

test.beforeAll(async () => {
  server = await startTestServer('schedules');
  const { accounts } = await makeNetwork(server.url);
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  await giveGames(server.url, token, accounts.admin._id, [data.find(({ gameId }) => gameId === GAME)!]);
});
test.afterAll(() => server.remove());

test('a schedule is previewed, made, given to a game, and kept while the game uses it', async ({ page }) => {
  await haveSession(page, server.url, nameOf('superadmin'));
  await page.goto(`${server.url}/superadmin/timemaster`);
  await page.getByRole('link', { name: 'Schedules' }).click();
  await page.getByRole('link', { name: 'Add Schedule' }).first().click();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText('Enter a name for the schedule')).toBeVisible();
  await expect(page.getByText('Enter at least one clock time')).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill('Evenings');
  await page.getByRole('textbox', { name: 'Clock times' }).fill('21:00 19:00 13.00');
  await page.getByRole('checkbox', { name: 'Sunday' }).uncheck();
  const preview = page.getByRole('region', { name: 'Next 20 draws' }).getByRole('listitem');
  await expect(preview).toHaveCount(20);
  await expect(preview.filter({ hasText: 'Sun,' }).filter({ hasText: /^Sun/ })).toHaveCount(0);
  await expect(preview.filter({ hasText: '19:00' }).first()).toContainText('Betting 13:00 to');
  await expectAccessible(page);
  await page.getByRole('combobox', { name: 'Games' }).click();
  await page.getByRole('option', { name: 'Titli Sorrat', exact: true }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL('**/timemaster/schedules');
  const row = page.getByRole('row').filter({ hasText: 'Evenings' });
  await expect(row).toContainText('13:00, 19:00, 21:00');
  await expect(row).toContainText('Titli Sorrat');
  await row.getByRole('button', { name: /^Delete/ }).click();
  await expect(page.getByText('Games draw by it. Take them out before you delete it.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goto(`${server.url}/superadmin/gamemaster?search=Titli`);
  await expect(page.getByRole('row').filter({ hasText: GAME }).first()).toContainText('Evenings');
});

test('an admin closes its game between hours and sees the next draws', async ({ page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/closures`);
  const hours = page.getByRole('textbox', { name: 'No draws between: Titli Sorrat' });
  await hours.fill('25:00');
  await page.getByRole('button', { name: 'Set closed days' }).click();
  await expect(page.getByText('Enter hours such as 01:00-09:00, 22:00-23:00')).toBeVisible();
  await hours.fill('18:00-20:00');
  await expectSaid(page, 'Closed days and hours of the-admin set.', () =>
    page.getByRole('button', { name: 'Set closed days' }).click(),
  );
  await page.reload();
  await expect(hours).toHaveValue('18:00-20:00');
  await expect(page.getByText(/^Next: /)).not.toContainText('19:00');
});
