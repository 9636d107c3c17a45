import { expect, test } from '@playwright/test';
import { isWhole } from '../../server/test/test-tier.ts';
import { exportedName, openList } from './accountListSteps.ts';
import { expectSaid } from './messages-heard.ts';
import { nameOf, serveNetwork } from './testNetwork.ts';
import { expectAccessibleInLong, failOnErrors, haveSession, PASSWORD, type TestServer } from './support.ts';

let server: TestServer;

const { allow } = failOnErrors();
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

test('many accounts toggle, get credit and give it back, each in one dialog', async ({ page }) => {
  await openList(page, server.url, 'user');
  allow(/status of 403 .*bulk-transfer/);
  const all = page.getByRole('checkbox', { name: 'Select all rows of this page' });
  const row = page.getByRole('row', { name: /the-user/ });
  await all.check();
  await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Deactivate Confirmation' });
  await expect(question).toContainText('Are you sure you want to deactivate 1 player?');
  await expectSaid(page, '1 account deactivated.', () =>
    question.getByRole('button', { name: 'Deactivate 1' }).click(),
  );
  await expect(page.getByText('1 selected')).toBeHidden();
  await expect(row).toContainText('Deactive');
  await expect(page.getByRole('region', { name: 'Player' })).toBeFocused();

  await all.check();
  await page.getByRole('button', { name: 'Transfer', exact: true }).click();
  const give = page.getByRole('dialog', { name: 'Transfer credit' });
  await expect(give).toContainText('Not active');
  await expectAccessibleInLong(page);
  await give.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Activate', exact: true }).click();
  await page.getByRole('button', { name: 'Activate 1' }).click();
  await expect(row).not.toContainText('Deactive');

  await all.check();
  await page.getByRole('button', { name: 'Transfer', exact: true }).click();
  await give.getByLabel('Amount for each account').fill('12.50');
  await give.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await expectSaid(page, 'Credit transfer successful! 12.50 to 1 account.', () => page.keyboard.press('Enter'));
  await expect(give).toBeHidden();

  await all.check();
  await page.getByRole('button', { name: 'Take back', exact: true }).click();
  const take = page.getByRole('dialog', { name: 'Take back credit' });
  await take.getByRole('radio', { name: 'All their credit' }).check();
  await take.getByRole('textbox', { name: 'Password' }).fill('wrong password');
  await page.keyboard.press('Enter');
  await expect(take).toContainText('The password is wrong');
  await take.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await expectSaid(page, 'Credit adjustment successful!', () => page.keyboard.press('Enter'));
  await expect(row).toContainText('0.00');
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
