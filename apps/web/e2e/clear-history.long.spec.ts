import { expect, test } from '@playwright/test';
import { expectToFit } from './look.ts';
import { expectSaid } from './messages-heard.ts';
import { nameOf, serveNetwork, transfersDaysAgo } from './testNetwork.ts';
import { expectAccessible, failOnErrors, signIn, type TestServer } from './support.ts';

let server: TestServer;
serveNetwork('clear-history', (served) => (server = served));
failOnErrors();

const SIZES = [
  [390, 844],
  [768, 900],
  [1280, 900],
] as const;
const DAY_MS = 86_400_000;
const dayText = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * DAY_MS).toLocaleDateString('en-GB', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
  });

test('an admin clears history: chooses it, confirms what goes and stays, and sees the outcome', async ({ page }) => {
  await transfersDaysAgo(server);
  await signIn(page, server.url, nameOf('admin'), 'admin');
  await page.getByRole('link', { name: 'Clear History' }).click();
  await page.waitForURL('**/admin/clearhistory');
  const main = page.getByRole('main');
  await expect(main).toContainText('Nothing cleared yet.');
  const clear = main.getByRole('button', { name: 'Clear Selected History' });

  await expectSaid(page, { whole: 'Please select start and end date.' }, () => clear.click());
  await main.getByLabel('Start date').fill(dayText(2));
  await main.getByLabel('End date').fill(dayText(8));
  await clear.click();
  await expect(main.getByText('The end is before the start')).toBeVisible();
  await expect(main.getByLabel('End date')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Next month' }), 'the calendar would hide that').toBeHidden();
  await main.getByLabel('Start date').fill(dayText(8));
  await main.getByLabel('End date').fill(dayText(2));
  await expectSaid(page, { whole: 'Select at least one model to clear' }, () => clear.click());
  await expect(main.getByRole('checkbox')).toHaveCount(10);
  await main.getByRole('checkbox', { name: 'Credit transfers' }).check();
  await main.getByRole('checkbox', { name: 'Frequencies' }).check();
  await expectAccessible(page);

  await clear.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(/Clear the history of .* to .*\?/);
  const transfers = dialog.getByRole('row').filter({ hasText: 'Credit transfers' });
  await expect(transfers).toContainText('4 movements');
  await expect(transfers).toContainText('1 between networks');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await clear.click();
  await dialog.getByRole('button', { name: 'Clear history' }).click();
  await expect(dialog).toBeHidden();
  const last = main.getByRole('region', { name: 'The last clearing' });
  await expect(last.getByRole('row').filter({ hasText: 'Credit transfers' })).toContainText('4 movements');
  await expect(last).toContainText('Backup taken before it:');

  await page.reload();
  await expect(last.getByRole('row').filter({ hasText: 'Credit transfers' })).toContainText('4 movements');
  await expect(main.getByRole('region', { name: 'Cleared so far' })).toContainText('Frequencies, Credit transfers');
  await expectAccessible(page);
  await expectToFit(page, SIZES, 'what came of a clearing');
  await main.getByLabel('Start date').fill(dayText(8));
  await main.getByLabel('End date').fill(dayText(0));
  await main.getByRole('checkbox', { name: 'Credit transfers' }).check();
  await clear.click();
  await expect(dialog).toContainText('Nothing to clear');
  await expect(dialog).toContainText('Today is not over, so it is kept.');
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await page.goto(
    `${server.url}/admin/transactionreport?date=${new Date(Date.now() - 3 * DAY_MS).toLocaleDateString('en-CA')}`,
  );
  await expect(main.getByRole('note')).toContainText('Cleared history is not listed: Credit transfers');

  await page.goto(`${server.url}/admin/profile/statement`);
  await expect(main.getByRole('row').filter({ hasText: '1 movement' })).toContainText('History cleared');
});
