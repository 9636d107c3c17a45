import { expect, test } from '@playwright/test';
import { chooseExport } from './accountListSteps.ts';
import { makeNetwork, nameOf } from './testNetwork.ts';
import { expectAccessible, failOnErrors, haveSession, startTestServer, type TestServer } from './support.ts';

let server: TestServer;

test.beforeAll(async () => {
  server = await startTestServer('activity');
  await makeNetwork(server.url);
});
test.afterAll(() => server.remove());
failOnErrors();
test.beforeEach(({ page }) => haveSession(page, server.url, nameOf('superadmin')));

test('a row expands to before and after', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/logactivities`);
  const row = page.getByRole('row', { name: /Created retailer the-retailer/ });
  await row.getByRole('button', { name: /^More about/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Created retailer the-retailer' });
  const changes = sheet.getByRole('table', { name: 'Changes' });
  await expect(changes.getByRole('row', { name: /^Reference/ })).toContainText('the-distributor');
  await expect(changes.getByRole('row', { name: /^Status/ })).toContainText('Active');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('row', { name: /Signed in/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Show sign-ins' }).click();
  await expect(page).toHaveURL(/signIns=shown/);
  await page
    .getByRole('row', { name: /Signed in/ })
    .first()
    .click();
  await expect(page.getByRole('dialog', { name: 'Signed in' })).toContainText('Nothing else was changed.');
});

test('filters by action and actor stay in the address', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/logactivities`);
  const rows = page.getByRole('region', { name: 'Log Activities' }).locator('tbody tr');
  await page.getByRole('button', { name: 'Filter by Action' }).click();
  await page.getByRole('dialog', { name: 'Action' }).getByRole('button', { name: 'Accounts' }).click();
  await expect(rows.filter({ hasText: 'Created retailer' })).toHaveCount(1);
  await expect(rows.filter({ hasText: 'Signed in' })).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Person' }).fill('the-retail');
  await page.getByRole('option', { name: nameOf('retailer') }).click();
  await expect(page).toHaveURL(/accountId=[\w-]{36}/);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Created user');
  await page.reload();
  await expect(rows).toHaveCount(1);
  await expect(page.getByRole('combobox', { name: 'Person' })).toHaveValue(nameOf('retailer'));
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show all users' }).click();
  await expect(rows.filter({ hasText: 'Created retailer' })).toHaveCount(1);
});

test('shows the number of entries and exports the search as logs.csv', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/logactivities?search=Created`);
  await expect(page.getByText(/^Showing (\d+) of \1 entries$/)).toBeVisible();
  const download = page.waitForEvent('download');
  await chooseExport(page, 'Export CSV');
  expect((await download).suggestedFilename()).toBe('logs.csv');
});

test('a search cut short says how far it came and continues', async ({ page }) => {
  const place = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';
  const cut = { success: true, data: [], total: 0, totalIsMore: true, older: place, newer: null };
  await page.route('**/api/logs?**', (route) =>
    new URL(route.request().url()).searchParams.has('before')
      ? route.continue()
      : route.fulfill({ json: { ...cut, searchedTo: '2026-03-10T10:00:00.000Z' } }),
  );
  await page.goto(`${server.url}/superadmin/logactivities?search=Created`);
  await expect(page.getByRole('status').filter({ hasText: 'Searched for 2 seconds, back to' })).toBeVisible();
  await expect(page.getByText('No matches so far')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue searching' }).click();
  await expect(page).toHaveURL(new RegExp(`before=${place}`));
  await expect(page.getByText('No matches so far')).toBeHidden();
});
