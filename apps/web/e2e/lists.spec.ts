import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { makeNetwork, nameOf } from './network.ts';
import { expectAccessible, signIn, startTestServer, watchErrors } from './support.ts';
import type { TestServer } from './support.ts';

let server: TestServer;
let problems: string[];

test.beforeAll(async () => {
  server = await startTestServer('lists');
  await makeNetwork(server.url);
});
test.afterAll(() => server.remove());
test.beforeEach(async ({ page }) => {
  problems = [];
  watchErrors(page, problems);
  await signIn(page, server.url, nameOf('superadmin'), 'superadmin');
});
test.afterEach(() => expect(problems).toEqual([]));

const FILES = {
  admin: 'AdminsList.xlsx',
  superdistributor: 'SuperDistributorsList.xlsx',
  distributor: 'DistributorsList.xlsx',
  retailer: 'RetailersList.xlsx',
  user: 'PlayersList.xlsx',
};

async function openList(page: Page, level: string): Promise<void> {
  await page.goto(`${server.url}/superadmin/${level}`);
  await expect(page.getByRole('checkbox', { name: `Select the-${level}` })).toBeVisible();
}

async function savedName(page: Page, button: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  return (await download).suggestedFilename();
}

test('each list is exported under its name, whole or what is selected', async ({ page }) => {
  for (const [level, fileName] of Object.entries(FILES)) {
    await openList(page, level);
    expect(await savedName(page, 'Export')).toBe(fileName);
    await page.getByRole('checkbox', { name: `Select the-${level}` }).check();
    expect(await savedName(page, 'Export selected')).toBe(fileName);
  }
});

test('an export can be stopped', async ({ page }) => {
  await openList(page, 'user');
  // Never answered: the page gives it up by itself.
  await page.route('**/api/users/export**', () => undefined);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(page.getByText('is on its way')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('is on its way')).toBeHidden();
  await page.unroute('**/api/users/export**');
  expect(await savedName(page, 'Export')).toBe(FILES.user);
});

test('many accounts are switched after one question, with a result for each', async ({ page }) => {
  await openList(page, 'user');
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Deactivate Confirmation' });
  await expect(dialog).toContainText('Are you sure you want to deactivate 1 player?');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Deactivate 1' }).click();
  await expect(dialog).toContainText('1 of 1 deactivated.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByText('1 selected')).toBeHidden();
  await expect(page.getByRole('row', { name: /the-user/ })).toContainText('Deactive');
});

test('the columns of a list are chosen and stay chosen', async ({ page }) => {
  await openList(page, 'retailer');
  const heading = page.getByRole('columnheader', { name: 'Unique ID' });
  await expect(heading).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Unique ID' }).uncheck();
  await expect(heading).toBeHidden();
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Columns, 1 hidden' })).toBeVisible();
  await expect(heading).toBeHidden();
  await page.getByRole('button', { name: 'Columns, 1 hidden' }).click();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(heading).toBeVisible();
});
