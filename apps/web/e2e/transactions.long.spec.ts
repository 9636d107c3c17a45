import { STAFF_ROLES } from '@drawhouse/contract/core/primitives';
import { expect, test, type Page } from '@playwright/test';
import { readXlsx } from 'hucre';
import { readFile } from 'node:fs/promises';
import { chooseExport } from './accountListSteps.ts';
import { nameOf, serveNetwork } from './testNetwork.ts';
import { expectAccessible, failOnErrors, haveSession, type TestServer } from './support.ts';

let server: TestServer;
failOnErrors();
serveNetwork('transactions', (its) => (server = its));

const HEADS = [
  'Transaction ID',
  'User',
  'Recipient',
  'Credit',
  'Debit',
  'Transaction Message',
  'Status',
  'Created Date',
];
const open = (page: Page, role: string, search = '') => page.goto(`${server.url}/${role}/transactionreport${search}`);
const rowsOf = (page: Page) => page.getByRole('table').getByRole('row').filter({ hasText: 'Credit transfer' });

test("each role sees today's transfers of itself and below", async ({ page }) => {
  for (const [index, role] of STAFF_ROLES.entries()) {
    await haveSession(page, server.url, nameOf(role));
    await open(page, role);
    await expect(rowsOf(page)).toHaveCount(index === 0 ? 5 : 6 - index);
  }
});

test('filters by day and user, with the same columns in table and export', async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 900 });
  await haveSession(page, server.url, nameOf('admin'));
  await open(page, 'admin');
  await expect(rowsOf(page)).toHaveCount(5);
  for (const [place, head] of ['No', ...HEADS].entries())
    await expect(page.getByRole('columnheader').nth(place)).toHaveText(head, { useInnerText: true });
  const last = rowsOf(page).first();
  await expect(last).toContainText(nameOf('retailer'));
  await expect(last).toContainText(nameOf('user'));
  await expect(last).toContainText(`Credit transfer by ${nameOf('retailer')}`);
  await expect(last).toContainText('Completed');
  await expectAccessible(page);

  await test.step('filters a user', async () => {
    await page.getByRole('combobox', { name: 'User' }).fill('the-dist');
    await page.getByRole('option', { name: nameOf('distributor') }).click();
    await expect(page.getByText(`Credit: received by ${nameOf('distributor')}. Debit: taken from`)).toBeVisible();
    await expect(rowsOf(page)).toHaveCount(2);
    await page.reload();
    await expect(rowsOf(page)).toHaveCount(2);
    await expect(page.getByRole('combobox', { name: 'User' })).toHaveValue(nameOf('distributor'));
  });

  await test.step('exports', async () => {
    const downloading = page.waitForEvent('download');
    await chooseExport(page, 'Export XLS');
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('TransactionsList.xlsx');
    const { sheets } = await readXlsx(await readFile(await download.path()));
    expect(sheets[0]!.rows[0]).toEqual(['No', ...HEADS]);
    expect(sheets[0]!.rows).toHaveLength(3);
  });

  await test.step('shows another day', async () => {
    await page.getByRole('button', { name: 'Show all users' }).click();
    await expect(rowsOf(page)).toHaveCount(5);
    await page.getByRole('textbox', { name: 'Date' }).fill('01 Jan 2024');
    await page.getByRole('textbox', { name: 'Date' }).press('Enter');
    await expect(page.getByText('No transfers on this day')).toBeVisible();
    await page.getByRole('button', { name: 'Show the previous day' }).click();
    await expect(page).toHaveURL(/date=2023-12-31/);
  });
});
