import { expect, test } from '@playwright/test';
import { accountsOf, pointsText } from './creditForms.ts';
import { expectSaid } from './messages-heard.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { expectAccessible, failOnErrors, PASSWORD, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;
failOnErrors();
serveNetwork('settle', (...both) => ([server, network] = both));
const { signInAs, balanceOf } = accountsOf(() => ({ server, network }));

test('a week is settled by keyboard, with the credit it announces on both sides', async ({ page }) => {
  const [had, own] = [await balanceOf('retailer'), await balanceOf('distributor')];
  const wanted = had + 12.5;
  await signInAs(page, 'distributor');
  await page.goto(`${server.url}/distributor/week`);
  await page.getByRole('button', { name: 'Settle' }).press('Enter');
  const line = page.getByRole('listitem').filter({ hasText: nameOf('retailer') });
  await expect(line).toContainText(`Credit stays ${pointsText(had)}`);
  await page.getByLabel('Credit of the accounts').selectOption({ label: 'Becomes a set amount' });
  await page.getByLabel('Credit of each account afterwards').fill(String(wanted));
  await expect(line).toContainText(`Credit ${pointsText(had)} → ${pointsText(wanted)}`);
  const form = page.getByRole('form', { name: 'Settle the week' });
  await expect(form).toContainText(`Your credit ${pointsText(own)} → ${pointsText(own - 12.5)}.`);
  await expectAccessible(page);
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await expectSaid(page, 'Week closed.', () => form.getByRole('button', { name: 'Close 1 account' }).press('Enter'));
  await expect(page.getByText('Every account of this week is closed.')).toBeVisible();
  expect([await balanceOf('retailer'), await balanceOf('distributor')]).toEqual([wanted, own - 12.5]);

  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Weekly Sheet' })).toBeVisible();
});
