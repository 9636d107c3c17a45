import { expect, test } from '@playwright/test';
import { isWhole } from '../../server/test/test-tier.ts';
import { exportedName, openList } from './accountListSteps.ts';
import { nameOf, serveNetwork } from './testNetwork.ts';
import { expectAccessibleInLong, failOnErrors, haveSession } from './support.ts';
import type { TestServer } from './support.ts';

let server: TestServer;

failOnErrors();
serveNetwork('lists', (its) => (server = its));
test.beforeEach(({ page }) => haveSession(page, server.url, nameOf('superadmin')));

const FILES = [
  ['admin', 'AdminsList.xlsx'],
  ['superdistributor', 'SuperDistributorsList.xlsx'],
  ['distributor', 'DistributorsList.xlsx'],
  ['retailer', 'RetailersList.xlsx'],
  ['user', 'PlayersList.xlsx'],
] as const;

test('each list exports under its name, whole or selected rows', async ({ page }) => {
  for (const [level, fileName] of isWhole ? FILES : FILES.slice(-1)) {
    await openList(page, server.url, level);
    expect(await exportedName(page, 'Export XLS')).toBe(fileName);
    await page.getByRole('checkbox', { name: `Select the-${level}` }).check();
    expect(await exportedName(page, 'Export selected')).toBe(fileName);
  }
});

test('many accounts toggle after one question, with a result each', async ({ page }) => {
  await openList(page, server.url, 'user');
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Deactivate Confirmation' });
  await expect(dialog).toContainText('Are you sure you want to deactivate 1 player?');
  await dialog.getByRole('button', { name: 'Deactivate 1' }).click();
  await expect(dialog).toContainText('1 of 1 deactivated.');
  await expectAccessibleInLong(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByText('1 selected')).toBeHidden();
  await expect(page.getByRole('row', { name: /the-user/ })).toContainText('Deactive');
  await expect(page.getByRole('region', { name: 'Player' })).toBeFocused();
});

test('pages name themselves from list to account to form and back', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/retailer?search=the`);
  await expect(page).toHaveTitle('Retailer – Drawhouse');
  await page.getByRole('link', { name: 'the-retailer', exact: true }).click();
  await expect(page).toHaveTitle('Retailer the-retailer – Drawhouse');
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('listitem');
  await expect(crumbs).toHaveText([
    'superadmin',
    'the-admin',
    'the-superdistributor',
    'the-distributor',
    'the-retailer',
  ]);
  await page.getByRole('main').getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page).toHaveTitle('Edit Retailer the-retailer – Drawhouse');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveTitle('Retailer the-retailer – Drawhouse');
  await page.goBack();
  await expect(page).toHaveTitle('Retailer – Drawhouse');
  await expect(page).toHaveURL(/\/superadmin\/retailer\?search=the$/);
});
