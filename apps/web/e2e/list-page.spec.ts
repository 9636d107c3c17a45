import { expect, test } from '@playwright/test';
import { expectToFit } from './look.ts';
import { chipOf, expectPlayers, INACTIVE, makeInactivePlayer } from './accountListSteps.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  expectAccessibleInLong,
  failOnErrors,
  PASSWORD,
  haveSession,
  tokenOf,
  type TestServer,
} from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork('list-page', (...both) => ([server, network] = both));
test.beforeAll(() => makeInactivePlayer(server, network));
failOnErrors();
test.beforeEach(({ page }) => haveSession(page, server.url, nameOf('superadmin')));

test('filters work by keyboard, stay in the URL, and Back removes them', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/user`);
  await expectPlayers(page, nameOf('user'), INACTIVE);
  await expectToFit(page, [390, 1280]);

  await chipOf(page, 'Filter by Status').focus();
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await page.getByRole('dialog', { name: 'Status' }).getByRole('button', { name: 'Deactive' }).press('Enter');
  await page.waitForURL('**/user?state=inactive');
  await expect(chipOf(page, 'Status: Deactive')).toBeFocused();
  await expectPlayers(page, INACTIVE);

  await chipOf(page, 'Filter by Points').click();
  const dialog = page.getByRole('dialog', { name: 'Points' });
  await dialog.getByRole('textbox', { name: 'From' }).fill('1,000');
  const to = dialog.getByRole('textbox', { name: 'To', exact: true });
  await to.fill('10');
  await to.press('Enter');
  await expect(dialog).toContainText('The maximum is less than the minimum');
  await expect(to).toBeFocused();
  await expectAccessibleInLong(page);
  await to.fill('');
  await to.press('Enter');
  await page.waitForURL('**/user?state=inactive&balanceFrom=1000');
  await expect(page.getByText('No users match these filters.')).toBeVisible();

  await page.goBack();
  await expectPlayers(page, INACTIVE);
  await page.goForward();
  await expect(chipOf(page, 'Points: from 1,000.00')).toBeVisible();
  await page.reload();
  await chipOf(page, 'Clear the filter Status').click();
  await expectPlayers(page, nameOf('user'));
  await chipOf(page, 'Clear the filter Points').click();
  await expectPlayers(page, nameOf('user'), INACTIVE);
  await expect(page).toHaveURL(`${server.url}/superadmin/user`);
});

test("keyset pages move on and back by their buttons and the browser's", async ({ page }) => {
  const token = await tokenOf(server.url, nameOf('superadmin'));
  for (let issue = 1; issue <= 12; issue++) {
    await callApi(server.url, 'superadmins/credit-adjust', token, {
      toUserId: network.accounts.superadmin._id,
      adjustAmount: issue,
      transactionType: 'credit',
      password: PASSWORD,
    });
  }
  await page.goto(`${server.url}/superadmin/profile/statement?pageSize=10`);
  const newest = page.getByRole('cell', { name: '12.00', exact: true });
  const oldest = page.getByRole('cell', { name: '10,000.00', exact: true });
  await expect(newest.first()).toBeVisible();
  await page.getByRole('button', { name: 'Older' }).click();
  await page.waitForURL('**/statement?*before=*');
  await expect(oldest.first()).toBeVisible();
  await expect(newest).toHaveCount(0);
  await page.goBack();
  await expect(newest.first()).toBeVisible();
  await page.goForward();
  await expect(newest).toHaveCount(0);
  await expect(oldest.first()).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Newer' }).click();
  await expect(newest.first()).toBeVisible();
});
