import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { LONG_DRAWS, nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { printedBy } from './printedBy.ts';
import { callApi, expectAccessible, haveSession, PASSWORD, tokenOf, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;
serveNetwork('objects', (...both) => ([server, network] = both), LONG_DRAWS);

let ticket: { ticketId: string; placedAt: string };
test.beforeAll(async () => {
  const lines = [{ drawno: '123', head: 'straight', qty: 2 }];
  const bet = { gameId: network.pair.gameId, requestId: randomUUID(), lines };
  ({ ticket } = await callApi<{ ticket: typeof ticket }>(
    server.url,
    'app/bet',
    await tokenOf(server.url, nameOf('user')),
    bet,
  ));
});

test('a complaint about a time is two steps: name and time, then the ticket', async ({ page }) => {
  const { ticketId, placedAt } = ticket;
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/dashboard`);
  await expect(page.getByRole('heading', { name: 'Welcome to Dashboard' })).toBeVisible();
  const minute = await page.evaluate((at) => new Date(at).toTimeString().slice(0, 5), placedAt);
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`${nameOf('user')} ${minute}`);
  await expect(page.getByRole('option', { name: `Tickets of ${nameOf('user')} at ${minute}` })).toBeVisible();
  await page.keyboard.press('Enter');
  const time = page.getByRole('textbox', { name: 'Tickets until this time' });
  await expect(time).toHaveValue(minute);
  const link = page.getByRole('link', { name: ticketId });
  await expect(link).toBeVisible();

  await time.fill('later');
  await time.press('Enter');
  await expect(page.getByText('Enter a time such as 03:49')).toBeVisible();
  await time.fill('0:00');
  await time.press('Enter');
  await expect(link).toBeHidden();
  await time.fill('');
  await time.press('Enter');
  await expect(time).toBeFocused();
  await link.click();
  await expect(page.getByRole('heading', { name: `Ticket ${ticketId}` })).toBeVisible();
});

test('a ticket is two steps from the dashboard, and leads to its draw, movements and player', async ({ page }) => {
  const { adminId, gameId } = network.pair;
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/dashboard`);
  await page.getByRole('navigation').getByRole('link', { name: 'Game History' }).click();
  await page.getByRole('link', { name: ticket.ticketId }).click();

  await expect(page.getByRole('heading', { name: `Ticket ${ticket.ticketId}` })).toBeVisible();
  const facts = page.getByRole('region', { name: 'Details' });
  await expect(facts).toContainText('Nothing was paid yet');
  await expect(facts.getByRole('link', { name: nameOf('retailer') })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Proof' })).toContainText('Betting on this draw is open');
  await expectAccessible(page);

  await callApi(server.url, 'live/generateresult', await tokenOf(server.url, nameOf('admin')), { adminId, gameId });
  await page.reload();
  await expect(page.getByRole('region', { name: 'Proof' })).toContainText('Ticket 1 of 1 in this draw');
  await expect(page.getByRole('region', { name: 'In the activity log' })).toContainText(nameOf('admin'));
  const printed = (await printedBy(page, () => page.keyboard.press('Control+p'))).join('\n');
  for (const part of [ticket.ticketId, nameOf('user'), 'Ticket 1 of 1 in this draw', 'On the statement', 'Page 1 of '])
    expect(printed).toContain(part);
  expect(printed).not.toContain('Game History');
  await page.getByRole('region', { name: 'On the statement' }).getByRole('row').nth(1).getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Bet: 2.00' })).toBeVisible();
  await page.getByRole('link', { name: ticket.ticketId }).click();

  await facts.getByRole('definition').filter({ hasText: ':' }).getByRole('link').click();
  await expect(page.getByRole('heading', { name: /^Draw \d+$/ })).toBeVisible();
  await expect(page.getByRole('region', { name: '1 ticket of 1 player' })).toContainText(ticket.ticketId);
  const draw = (await printedBy(page, () => page.keyboard.press('Control+p'))).join('\n');
  for (const part of ['1 ticket of 1 player', ticket.ticketId, nameOf('admin'), 'Page 1 of '])
    expect(draw).toContain(part);
  await expect(page.getByRole('link', { name: 'Check this draw' })).toHaveAttribute('href', /\/fair\/[0-9a-f-]{36}$/);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'All tickets' }).click();
  await expect(page.getByRole('button', { name: /^Draw of/ })).toBeVisible();
  await expect(page.getByRole('link', { name: ticket.ticketId })).toBeVisible();

  await page.goto(`${server.url}/admin/ticket/0000-0000-0000`);
  await expect(page.getByRole('alert')).toContainText('This ticket was not found');
});

test('a transfer is reversed once, from its page', async ({ page }) => {
  const { _id: toUserId } = network.accounts.retailer;
  const { transferId } = await callApi<{ transferId: string }>(
    server.url,
    'retailers/credit-transfer',
    await tokenOf(server.url, nameOf('admin')),
    { toUserId, transferAmount: 12.5, password: PASSWORD },
  );
  await page.setViewportSize({ width: 1440, height: 900 });
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/transactionreport`);
  await page.getByRole('link', { name: transferId.slice(-12) }).click();
  await expect(page.getByRole('heading', { name: 'Credit transfer: 12.50' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Accounts' })).toContainText(nameOf('retailer'));
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Reverse' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reverse transaction' });
  await expect(dialog).toContainText(`12.50 points go from ${nameOf('retailer')} back to ${nameOf('admin')}`);
  await dialog.getByLabel('Reason').fill('Wrong account');
  await dialog.getByRole('button', { name: 'Reverse' }).click();
  await expect(dialog).toContainText('Password is required');
  await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Reverse' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Reversed', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reverse' })).toHaveCount(0);

  await page
    .getByRole('region', { name: 'Transaction' })
    .getByRole('link', { name: /^Transaction/ })
    .click();
  await expect(page.getByRole('heading', { name: 'Credit taken back: 12.50' })).toBeVisible();
  await expect(page.getByText('Reversal: Wrong account')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reverse' })).toHaveCount(0);
});

test('a transfer that its receiver has spent offers no reversal, and says why', async ({ page }) => {
  const token = await tokenOf(server.url, nameOf('admin'));
  const { _id: toUserId } = network.accounts.distributor;
  const { transferId } = await callApi<{ transferId: string }>(server.url, 'distributors/credit-transfer', token, {
    toUserId,
    transferAmount: 7,
    password: PASSWORD,
  });
  const { data } = await callApi<{ data: { walletBalance: number } }>(server.url, `distributors/${toUserId}`, token);
  await callApi(server.url, 'distributors/credit-adjust', token, {
    toUserId,
    adjustAmount: data.walletBalance - 2,
    password: PASSWORD,
    transactionType: 'debit',
  });
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/transaction/${transferId}`);
  await expect(page.getByRole('region', { name: 'Accounts' })).toContainText(
    `Can’t be reversed now: ${nameOf('distributor')} has only 2.00 of the 7.00 points left.`,
  );
  await expect(page.getByRole('button', { name: 'Reverse' })).toHaveCount(0);
});

test('names in the log lead to the account, subjects to their objects', async ({ page }) => {
  await haveSession(page, server.url, nameOf('superadmin'));
  await page.goto(`${server.url}/superadmin/logactivities`);
  const table = page.getByRole('region', { name: 'Log Activities' });
  await table.getByRole('link', { name: /^Reversed the transfer/ }).click();
  await expect(page.getByRole('heading', { name: 'Credit taken back: 12.50' })).toBeVisible();
  await page.goBack();
  await table
    .getByRole('link', { name: nameOf('admin'), exact: true })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: `Admin ${nameOf('admin')}` })).toBeVisible();
});
