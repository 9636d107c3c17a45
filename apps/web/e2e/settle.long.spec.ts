import { expect, test, type Page } from '@playwright/test';
import { accountsOf, pointsText } from './creditForms.ts';
import { expectSaid } from './messages-heard.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { callApi, expectAccessible, failOnErrors, PASSWORD, tokenOf, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;
failOnErrors();
serveNetwork('settle', (...both) => ([server, network] = both));
const { idOf, signInAs, balanceOf } = accountsOf(() => ({ server, network }));

async function openSettle(page: Page): Promise<void> {
  await signInAs(page, 'distributor');
  await page.goto(`${server.url}/distributor/week`);
  const settle = page.getByRole('button', { name: 'Settle' });
  await expect(settle).toBeEnabled();
  await settle.press('Enter');
}

test('a week is settled by keyboard, with the credit it announces on both sides', async ({ page }) => {
  const [had, own] = [await balanceOf('retailer'), await balanceOf('distributor')];
  const wanted = had + 12.5;
  await openSettle(page);
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

test('Enter moves from amount to amount and then to the confirmation', async ({ page }) => {
  const token = await tokenOf(server.url, nameOf('distributor'));
  for (const username of ['second-shop', 'third-shop'])
    await callApi(server.url, 'retailers/create', token, {
      username,
      password: PASSWORD,
      commission: 1,
      note: 'add notes',
      refId: idOf('distributor'),
      userStatus: true,
    });
  await openSettle(page);
  const amountOf = (username: string) => page.getByRole('textbox', { name: `Amount paid now with ${username}` });
  const confirmation = page.getByLabel('Paid by');
  await amountOf('second-shop').press('Enter');
  await expect(amountOf('third-shop')).toBeFocused();
  await page.keyboard.press('Shift+Enter');
  await expect(amountOf('second-shop')).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(confirmation).toBeFocused();
  await amountOf('third-shop').press('Enter');
  await expect(confirmation).toBeFocused();
  await page.getByRole('button', { name: 'Go to confirmation' }).press('Enter');
  await expect(confirmation).toBeFocused();
});

test('a disputed line reaches the manager, and the answer the account that disputed', async ({ page }) => {
  const dispute = {
    day: new Date().toISOString().slice(0, 10),
    kind: 'dispute',
    about: 'win',
    note: 'Two tickets missing',
  };
  await callApi(server.url, 'weeks/notes', await tokenOf(server.url, nameOf('retailer')), dispute);
  await signInAs(page, 'distributor');
  await page.goto(`${server.url}/distributor/dashboard`);
  const notice = page.getByRole('listitem').filter({ hasText: 'A line of a week is disputed' });
  await expect(notice).toContainText('Win: Two tickets missing');
  await notice.getByRole('link', { name: 'Open the Weekly Sheet' }).click();
  const notes = page.getByRole('region', { name: 'Notes and disputes' });
  await expect(notes).toContainText('Dispute (Win): Two tickets missing');
  await expect(notes.getByLabel('Kind')).toHaveValue('answer');
  await notes.getByLabel('Text').fill('They are in the sheet of Monday');
  await notes.getByRole('button', { name: 'Add' }).click();
  await expect(notes).toContainText('Answer: They are in the sheet of Monday');
  await expect(notes.getByLabel('Kind')).toHaveValue('note');
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to Dashboard' })).toBeVisible();
  await expect(notice).toBeHidden();
  await signInAs(page, 'retailer');
  await page.goto(`${server.url}/retailer/dashboard`);
  const answered = page.getByRole('listitem').filter({ hasText: 'Your dispute was answered' });
  await expect(answered).toContainText('Win: They are in the sheet of Monday');
});
