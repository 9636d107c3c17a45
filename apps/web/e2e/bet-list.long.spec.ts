import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { LONG_DRAWS, nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { callApi, expectAccessible, haveSession, tokenOf, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;
serveNetwork('bet-list', (...both) => ([server, network] = both), LONG_DRAWS);

interface Bet {
  readonly ticket: { readonly ticketId: string };
}

async function lay(lines: object[]): Promise<string> {
  const token = await tokenOf(server.url, nameOf('user'));
  const { ticket } = await callApi<Bet>(server.url, 'app/bet', token, {
    gameId: network.pair.gameId,
    requestId: randomUUID(),
    lines,
  });
  return ticket.ticketId;
}

test('a ticket appears when placed, then with its result; both open dialogs', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/gamehistory`);
  const table = page.getByRole('region', { name: 'Game History' });
  await expect(table.getByText('No history found for this game.')).toBeVisible();

  const number = await lay([
    { drawno: '123', head: 'straight', qty: 2 },
    { drawno: '456', head: 'spbox', qty: 3 },
  ]);
  await page.reload();
  const row = table.getByRole('row').filter({ hasText: number });
  await expect(row).toBeVisible();
  const cells = row.getByRole('cell');
  const heads = await table.getByRole('columnheader').allTextContents();
  await expect(cells.nth(heads.indexOf('Won'))).toHaveText('–');
  await expect(cells.nth(heads.indexOf('W/L'))).toHaveText('–');
  await expect(cells.nth(heads.indexOf('Result'))).toContainText('Open');
  await expect(row.getByRole('link', { name: nameOf('user') })).toHaveAttribute(
    'href',
    `/admin/player/players/details/${network.accounts.user._id}`,
  );
  await expect(row.getByRole('link', { name: number })).toHaveAttribute('href', `/admin/ticket/${number}`);
  await row.getByRole('button', { name: 'View Results' }).click();
  const results = page.getByRole('dialog', { name: 'Grouped Results' });
  await expect(results.getByRole('alert')).toContainText('No results found for this ticket');
  await page.keyboard.press('Escape');
  await expect(results).toHaveCount(0);

  await row.getByRole('button', { name: 'View: ' }).click();
  const details = page.getByRole('dialog', { name: 'Ticket Details' });
  await expect(details.getByRole('columnheader')).toHaveText(['Draw No', 'Qty', 'Total']);
  await expect(details.getByRole('row').filter({ hasText: 'Total' }).last()).toContainText('5.00');
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  const token = await tokenOf(server.url, nameOf('admin'));
  const { adminId, gameId } = network.pair;
  await callApi(server.url, 'live/generateresult', token, { adminId, gameId });
  await page.reload();
  await row.getByRole('button', { name: 'View Results' }).click();
  await expect(results).toContainText('Generated from the committed seed');
  await expect(results.getByRole('link', { name: 'Check this draw' })).toHaveAttribute(
    'href',
    /\/fair\/[0-9a-f-]{36}$/,
  );
  await expectAccessible(page);
});

test('game, player and day filter the list and stay in the address', async ({ page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/gamehistory`);
  await page.getByRole('combobox', { name: 'Game' }).click();
  await page.getByRole('option', { name: network.pair.gameName }).click();
  await page.waitForURL(`**/gamehistory?gameId=${network.pair.gameId}`);
  await page.getByRole('combobox', { name: 'User' }).fill(nameOf('user').slice(0, 6));
  await page.getByRole('option', { name: nameOf('user') }).click();
  await page.waitForURL(`**userId=${network.accounts.user._id}`);
  await expect(page.getByRole('region', { name: 'Game History' }).getByRole('row').nth(1)).toContainText(
    nameOf('user'),
  );
  await page.getByRole('button', { name: 'Date Range' }).click();
  await page.getByRole('textbox', { name: 'Single date' }).fill('01 Jan 2026');
  await page.waitForURL('**startDate=2026-01-01**');
  await expect(page.getByText('No history found for this game.')).toBeVisible();
});
