import { expect, test, type Page } from '@playwright/test';
import { chooseExport } from './accountListSteps.ts';
import { printedBy } from './printedBy.ts';
import { callApi, failOnErrors, haveSession, PASSWORD, tokenOf, type TestServer } from './support.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';

let server: TestServer;
let network: Network;
const ISSUES = 60;

serveNetwork('print', (...both) => ([server, network] = both));
test.beforeAll(async () => {
  const token = await tokenOf(server.url, nameOf('superadmin'));
  for (let issue = 1; issue <= ISSUES; issue++) {
    await callApi(server.url, 'superadmins/credit-adjust', token, {
      toUserId: network.accounts.superadmin._id,
      adjustAmount: 7_000 + issue,
      transactionType: 'credit',
      password: PASSWORD,
    });
  }
});
failOnErrors();
test.beforeEach(async ({ page }) => {
  await haveSession(page, server.url, nameOf('superadmin'));
});

async function printedAt(page: Page, path: string, shows: string): Promise<string[]> {
  await page.goto(server.url + path);
  await expect(page.getByRole('main').getByText(shows, { exact: true }).first()).toBeVisible();
  return printedBy(page, () => chooseExport(page, 'Print'));
}

test('a statement prints all of its rows and columns with their context', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${server.url}/superadmin/profile/statement?pageSize=10`);
  await expect(page.getByText('7,060.00', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('7,001.00', { exact: true })).toHaveCount(0);
  const sheets = await printedBy(page, () => page.keyboard.press('Control+p'));
  const text = sheets.join('\n');

  for (let issue = 1; issue <= ISSUES; issue++) expect(text).toContain(`7,0${String(issue).padStart(2, '0')}.00`);
  expect(sheets.length).toBeGreaterThan(1);
  for (const [index, sheet] of sheets.entries()) {
    expect(sheet).toContain('Statement superadmin – Drawhouse');
    expect(sheet).toContain(`Page ${index + 1} of ${sheets.length}`);
    for (const head of ['Date & Time', 'Type', 'Counterpart', 'Note', 'By', 'Credit', 'Debit', 'Balance'])
      expect(sheet, `sheet ${index + 1}`).toContain(head);
  }
  for (const part of ['Period: 01 ', 'Times in ', 'Sorted by: ', 'by superadmin', 'Opening balance'])
    expect(text).toContain(part);
  for (const control of ['Export', 'Older', 'Today', 'Columns', 'Dashboard']) expect(text).not.toContain(control);

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.evaluate<string>(`getComputedStyle(document.body).color`)).toBe('rgb(0, 0, 0)');
  expect(await page.evaluate<string>(`getComputedStyle(document.body).backgroundColor`)).toBe('rgb(255, 255, 255)');
});

test('lists and reports print their filters, all columns and totals at the end', async ({ page }) => {
  const players = (await printedAt(page, '/superadmin/user?state=active', nameOf('user'))).join('\n');
  for (const part of ['Status: Active', 'Rows: 1', nameOf('user'), nameOf('retailer')]) expect(players).toContain(part);

  const turnover = (await printedAt(page, '/superadmin/turnoverreport', nameOf('admin'))).join('\n');
  for (const part of ['Period: ', 'Play Points', 'Distributor', 'Net', nameOf('admin'), 'Total'])
    expect(turnover).toContain(part);
  expect(turnover.lastIndexOf('Total')).toBeGreaterThan(turnover.lastIndexOf(nameOf('admin')));

  await page.goto(`${server.url}/superadmin/limits`);
  await expect(page.getByPlaceholder('No limit').first()).toBeVisible();
  const limits = (await printedBy(page, () => page.keyboard.press('Control+p'))).join('\n');
  expect(limits).toContain('Limits');
  expect(limits).not.toContain('No limit');

  await page.goto(`${server.url}/superadmin/profile/statement`);
  await page
    .getByRole('main')
    .getByRole('link', { name: /\d\d:\d\d:\d\d/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'Accounts' })).toBeVisible();
  const transaction = (await printedBy(page, () => page.keyboard.press('Control+p'))).join('\n');
  for (const part of ['Completed', 'Before', 'Amount', 'After']) expect(transaction).toContain(part);

  const log = (await printedAt(page, '/superadmin/logactivities?pageSize=10', nameOf('superadmin'))).join('\n');
  expect(log.split('superadmin').length).toBeGreaterThan(ISSUES);
});

test('a page that still loads prints once it has its rows', async ({ page }) => {
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/api\/logs\b/, async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto(`${server.url}/superadmin/logactivities?pageSize=10`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const sheets = await printedBy(page, async () => {
    await page.keyboard.press('Control+p');
    await expect(page.getByText('The page is loading and prints then.')).toBeVisible();
    answer();
  });
  expect(sheets.join('\n').split('superadmin').length).toBeGreaterThan(ISSUES);
  expect(sheets[0]).not.toContain('Narrow the filters');
});

test('slips of first passwords print twelve to a sheet, and nothing else', async ({ page }) => {
  const names = Array.from({ length: 13 }, (_, nth) => `slip-${nth + 1}`);
  await page.goto(`${server.url}/superadmin/user/import`);
  const rows = names.map((name) => `${name},${nameOf('retailer')},${PASSWORD}`);
  await page.getByRole('textbox', { name: 'Rows' }).fill(['UserName,Refer ID,Password', ...rows].join('\n'));
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create 13 accounts' }).click();
  const sheets = await printedBy(page, () => page.getByRole('button', { name: 'Print slips' }).click());
  const slipsOf = (sheet = '') => sheet.split(PASSWORD).length - 1;
  expect(sheets.map(slipsOf)).toEqual([12, 1]);
  for (const name of names) expect(sheets.join('\n')).toContain(`UserName ${name} Password ${PASSWORD}`);
  for (const other of ['Print slips', 'Done', 'Dashboard', 'shown only here'])
    expect(sheets.join('\n')).not.toContain(other);
});
