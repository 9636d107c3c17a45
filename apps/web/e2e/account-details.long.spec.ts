import { randomUUID } from 'node:crypto';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { expectToFit } from './look.ts';
import { drawNow, LONG_DRAWS, nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { callApi, expectAccessible, failOnErrors, haveSession, signIn, tokenOf, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;
let ticketId: string;
serveNetwork('account-details', (...both) => ([server, network] = both), LONG_DRAWS);
failOnErrors();

const PLAYER = nameOf('user');
const WIDTHS = [390, 768, 1024, 1440];

test.beforeAll(async () => {
  const { gameId, adminId } = network.pair;
  const playerToken = await tokenOf(server.url, PLAYER);
  const laid = await callApi<{ ticket: { ticketId: string } }>(server.url, 'app/bet', playerToken, {
    gameId,
    requestId: randomUUID(),
    lines: [{ drawno: '123', head: 'straight', qty: 40 }],
  });
  ({ ticketId } = laid.ticket);
  const token = await tokenOf(server.url, nameOf('admin'));
  await callApi(server.url, 'live/addresult', token, { gameId, adminId, result: '987', boosterValue: 1 });
  await drawNow(server, gameId);
  const played = async () =>
    (await callApi<{ mostPlay: unknown[] }>(server.url, 'reports/dashboard', token)).mostPlay.length;
  await expect.poll(played).toBe(1);
});

const part = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true });

async function expectFits(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectToFit(page, WIDTHS);
}

test('a player shows totals, games, and latest movements and tickets with links', async ({ page }) => {
  await haveSession(page, server.url, nameOf('retailer'));
  await page.goto(`${server.url}/retailer/user`);
  await page.getByRole('link', { name: PLAYER, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Player ${PLAYER}`);
  await expect(part(page, 'All time').getByRole('row')).toHaveText([
    /Figure/,
    'Played40.00',
    'Won0.00',
    'Commission of all levels4.00',
    'Net, kept by the house36.00',
  ]);
  await expect(part(page, 'Games with the most play').getByRole('row').nth(1)).toHaveText(
    `${network.pair.gameName}40.000.0040.00`,
  );
  const movements = part(page, 'Last movements');
  await expect(movements.getByRole('row').nth(1)).toContainText(/^Bet.*−40\.00$/);
  await expect(movements.getByRole('row').nth(2)).toContainText(/^Credit transferthe-retailer.*1,000\.00$/);
  await expectFits(page);

  await part(page, 'Last tickets').getByRole('link', { name: ticketId }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Ticket ${ticketId}`);
  await page.goBack();
  await movements.getByRole('link', { name: 'All' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Statement');
  await expect(page.getByRole('main')).toContainText(PLAYER);
  await page.goBack();
  await part(page, 'Last tickets').getByRole('link', { name: 'All' }).click();
  await page.waitForURL('**/statement?kind=stake&period=1');
});

test('higher levels show the most active accounts below, with links', async ({ page }) => {
  await haveSession(page, server.url, nameOf('superadmin'));
  await page.goto(`${server.url}/superadmin/retailer/users/details/${network.accounts.retailer._id}`);
  await expect(part(page, 'All time')).toContainText(`Bets and wins below ${nameOf('retailer')}.`);
  await expect(part(page, 'Most credit below, this week').getByRole('row').nth(1)).toHaveText(`${PLAYER}1,000.000.00`);
  const play = part(page, 'Most play below, this week');
  await expect(play.getByRole('row').nth(1)).toHaveText(`${PLAYER}40.000.0040.00`);
  await expectFits(page);
  await play.getByRole('link', { name: PLAYER }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Player ${PLAYER}`);

  await page.goto(`${server.url}/superadmin/admin/users/details/${network.accounts.admin._id}`);
  await expect(play.getByRole('link', { name: nameOf('superdistributor') })).toBeVisible();
});

test('a deleted account keeps name and figures, without dead links', async ({ page }) => {
  const gone = await fetch(`${server.url}/api/users/${network.accounts.user._id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${await tokenOf(server.url, nameOf('retailer'))}` },
  });
  expect(gone.status).toBe(200);
  await signIn(page, server.url, nameOf('retailer'), 'retailer');
  const most = page.locator('section').filter({ hasText: 'Most play today' });
  await expect(most.getByRole('listitem')).toHaveText(`${PLAYER}40.00`);
  await expect(most.getByRole('link', { name: PLAYER })).toHaveCount(0);

  await page.goto(`${server.url}/retailer/profile/statement`);
  const row = page.getByRole('row').filter({ hasText: PLAYER }).first();
  await expect(row).toBeVisible();
  await expect(row.getByRole('link', { name: PLAYER })).toHaveCount(0);
});
