import { expect, test } from '@playwright/test';
import { chipOf, expectPlayers, INACTIVE, makeInactivePlayer } from './accountListSteps.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { expectAccessible, failOnErrors, haveSession, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork('list-page', (...both) => ([server, network] = both));
test.beforeAll(() => makeInactivePlayer(server, network));
failOnErrors();
test.beforeEach(({ page }) => haveSession(page, server.url, nameOf('superadmin')));

test('days are picked in a calendar, and Escape closes one layer at a time', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/user`);
  await chipOf(page, 'Filter by Created').click();
  const dialog = page.getByRole('dialog', { name: 'Created' });
  const from = dialog.getByRole('textbox', { name: 'From' });
  await from.click();
  const nextMonth = page.getByRole('button', { name: 'Next month' });
  await expect(nextMonth).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(nextMonth).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await from.fill('3/4/2024');
  await dialog.getByRole('textbox', { name: 'To' }).fill('30 Apr 2024');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL('**/user?createdFrom=2024-04-03&createdTo=2024-04-30');
  await expect(chipOf(page, 'Created: 03 Apr 2024 – 30 Apr 2024')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await expectPlayers(page, nameOf('user'), INACTIVE);
});

test('invalid URL values fall back, and a page beyond the end shows the last', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/user?state=x&balanceFrom=1e3&sort=a;b&page=7&parentId=9&createdFrom=soon`);
  await expectPlayers(page, nameOf('user'), INACTIVE);
  await expect(page).toHaveURL(`${server.url}/superadmin/user`);
});

test('on a phone filters open in a sheet that counts them', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/superadmin/user?search=e`);
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await sheet.getByRole('group', { name: 'Status' }).getByRole('button', { name: 'Active', exact: true }).click();
  await sheet.getByRole('group', { name: 'Points' }).getByRole('textbox', { name: 'To' }).fill('100000');
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Show' }).click();
  await page.waitForURL('**/user?search=e&state=active&balanceTo=100000');
  await expectPlayers(page, nameOf('user'));
  await page.getByRole('button', { name: 'Filters (2)' }).click();
  await sheet.getByRole('button', { name: 'Clear all' }).click();
  await page.waitForURL('**/user?search=e');
  await expectPlayers(page, nameOf('user'), INACTIVE);
});

test('a saved view is shown, renamed, replaced and deleted', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/user?state=active&sort=username`);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Unique ID' }).uncheck();
  await page.keyboard.press('Escape');
  const menu = page.getByRole('dialog', { name: /^View/ });
  const button = page.getByRole('main').getByRole('button', { name: /^View/ });
  const name = menu.getByRole('textbox', { name: 'Save current view as' });

  await button.click();
  await name.fill('Who may play');
  await name.press('Enter');
  await expect(button).toHaveText('View: Who may play');

  await test.step('restores its state including columns', async () => {
    await page.goto(`${server.url}/superadmin/user?page=1`);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.keyboard.press('Escape');
    await expect(button).toHaveText('Views');
    await button.click();
    await expectAccessible(page);
    await menu.getByRole('button', { name: 'Who may play', exact: true }).click();
    await page.waitForURL(/\/user\?(?=.*state=active)(?=.*sort=username)/);
    await expectPlayers(page, nameOf('user'));
    await expect(page.getByRole('columnheader', { name: 'Unique ID' })).toHaveCount(0);
    await expect(button).toHaveText('View: Who may play');
  });

  await test.step('gets another name and contents by keyboard', async () => {
    await button.click();
    await menu.getByRole('button', { name: 'Rename Who may play' }).press('Enter');
    const renaming = menu.getByRole('textbox', { name: 'New name of Who may play' });
    await expect(renaming).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menu.getByRole('button', { name: 'Who may play', exact: true })).toBeFocused();
    await menu.getByRole('button', { name: 'Rename Who may play' }).press('Enter');
    await renaming.fill('Players');
    await page.keyboard.press('Enter');
    await expect(menu.getByRole('button', { name: 'Players', exact: true })).toBeFocused();
    await page.keyboard.press('Escape');
    await chipOf(page, 'Clear the filter Status').click();
    await expect(button).toHaveText('Views');
    await button.click();
    await menu.getByRole('button', { name: 'Replace Players with the current view' }).click();
    await expectAccessible(page);
    await menu.getByRole('button', { name: 'Replace', exact: true }).click();
    await expect(button).toHaveText('View: Players');
  });

  await page.reload();
  await button.click();
  await menu.getByRole('button', { name: 'Delete Players' }).click();
  await menu.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(menu.getByRole('list')).toHaveCount(0);
  await expect(button).toHaveText('Views');
});
