import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectToFit } from './look.ts';
import { makeNetwork, nameOf } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  expectAccessibleInLong,
  failOnErrors,
  PASSWORD,
  haveSession,
  startTestServer,
  tokenOf,
} from './support.ts';
import type { TestServer } from './support.ts';

let server: TestServer;

/** More movements than a page of ten holds. */
const ISSUES = 12;

test.beforeAll(async () => {
  server = await startTestServer('list-page');
  const { accounts } = await makeNetwork(server.url);
  const token = await tokenOf(server.url, nameOf('superadmin'));
  for (let issue = 1; issue <= ISSUES; issue++) {
    await callApi(server.url, 'superadmins/credit-adjust', token, {
      toUserId: accounts.superadmin._id,
      adjustAmount: issue,
      transactionType: 'credit',
      password: PASSWORD,
    });
  }
  await callApi(server.url, 'users/create', token, {
    username: 'penniless',
    password: PASSWORD,
    commission: 0,
    note: 'add notes',
    refId: accounts.retailer._id,
    userStatus: false,
  });
});
test.afterAll(() => server.remove());
failOnErrors();
test.beforeEach(({ page }) => haveSession(page, server.url, nameOf('superadmin')));

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
const chip = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });

/** Expects that exactly these players are listed. */
async function expectPlayers(page: Page, ...names: string[]): Promise<void> {
  for (const name of [nameOf('user'), 'penniless']) {
    await expect(rowOf(page, name)).toHaveCount(names.includes(name) ? 1 : 0);
  }
}

test('filters narrow a list by keyboard, stand in its URL, and Back takes them away', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/user`);
  await expectPlayers(page, nameOf('user'), 'penniless');
  await expectToFit(page, [390, 1280]);

  await chip(page, 'Filter by Status').focus();
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await page.getByRole('dialog', { name: 'Status' }).getByRole('button', { name: 'Deactive' }).press('Enter');
  await page.waitForURL('**/user?state=inactive');
  await expect(chip(page, 'Status: Deactive')).toBeFocused();
  await expectPlayers(page, 'penniless');

  await chip(page, 'Filter by Points').click();
  const dialog = page.getByRole('dialog', { name: 'Points' });
  await dialog.getByRole('textbox', { name: 'From' }).fill('1,000');
  const to = dialog.getByRole('textbox', { name: 'To', exact: true });
  await to.fill('10');
  await to.press('Enter');
  await expect(dialog).toContainText('The most is less than the least');
  await expect(to).toBeFocused();
  await expectAccessibleInLong(page);
  await to.fill('');
  await to.press('Enter');
  await page.waitForURL('**/user?state=inactive&balanceFrom=1000');
  await expect(page.getByText('No users fit these filters.')).toBeVisible();

  await page.goBack();
  await expectPlayers(page, 'penniless');
  await page.goForward();
  await expect(chip(page, 'Points: from 1,000.00')).toBeVisible();
  await page.reload();
  await chip(page, 'Clear the filter Status').click();
  await expectPlayers(page, nameOf('user'));
  await chip(page, 'Clear the filter Points').click();
  await expectPlayers(page, nameOf('user'), 'penniless');
  await expect(page).toHaveURL(`${server.url}/superadmin/user`);
});

test('nonsense in the URL falls back, and a page that is no more is the last', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/user?state=x&balanceFrom=1e3&sort=a;b&page=7&parentId=9&createdFrom=soon`);
  await expectPlayers(page, nameOf('user'), 'penniless');
  await expect(page).toHaveURL(`${server.url}/superadmin/user`);
});
