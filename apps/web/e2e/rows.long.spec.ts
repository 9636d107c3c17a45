import { randomUUID } from 'node:crypto';
import { ROLE_PREFIX } from '@drawhouse/contract/accounts/accounts';
import { BULK_MAX, type Role } from '@drawhouse/contract/core/primitives';
import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import { expect, test, type Page } from '@playwright/test';
import { extractText } from 'unpdf';
import { chooseExport } from './accountListSteps.ts';
import { expectToFit } from './look.ts';
import { callApi, expectAccessible, failOnErrors, haveSession, PASSWORD, tokenOf, type TestServer } from './support.ts';
import { LONG_DRAWS, nameOf, serveNetwork, type Network } from './testNetwork.ts';

const CREDIT = 20_000;
const SIZES = [360, 768, 1024, 1440, 1920] as const;

let server: TestServer;
let network: Network;
let players = 1;

failOnErrors();
serveNetwork('rows', (...both) => ([server, network] = both), LONG_DRAWS);
test.beforeAll(async () => {
  const { accounts } = network;
  await callApi(server.url, 'superadmins/credit-adjust', await tokenOf(server.url, nameOf('superadmin')), {
    toUserId: accounts.superadmin._id,
    adjustAmount: CREDIT,
    transactionType: 'credit',
    password: PASSWORD,
  });
  let by: Role = 'superadmin';
  for (const role of ['admin', 'superdistributor', 'distributor', 'retailer', 'user'] as const) {
    await callApi(server.url, `${ROLE_PREFIX[role]}/credit-transfer`, await tokenOf(server.url, nameOf(by)), {
      toUserId: accounts[role]._id,
      transferAmount: role === 'user' ? 2_000 : CREDIT,
      password: PASSWORD,
    });
    by = role;
  }
});

/** Also grows the retailer's movements to at least as many. */
async function growTo(count: number): Promise<void> {
  const token = await tokenOf(server.url, nameOf('retailer'));
  while (players < count) {
    const names = Array.from({ length: Math.min(BULK_MAX, count - players) }, (_, nth) => `player-${players + nth}`);
    const { accounts } = await callApi<{ accounts: { _id: string }[] }>(server.url, 'accounts/import', token, {
      role: 'user',
      rows: names.map((username) => ({ username, password: PASSWORD })),
    });
    players += accounts.length;
    await callApi(server.url, 'credit/bulk-transfer', token, {
      transfers: accounts.map(({ _id }) => ({ toUserId: _id, amount: 1 })),
      password: PASSWORD,
    });
  }
}

const LISTS = ['user', 'transactionreport', 'profile/statement', 'logactivities', 'turnoverreport'];

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${server.url}/retailer/${path}`);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(main.locator('[aria-busy="true"], tbody[aria-hidden]')).toHaveCount(0);
}

for (const count of [1, 25, 10_000])
  test(`lists, reports and the statement fit with ${count} rows`, async ({ page }) => {
    test.setTimeout(900_000);
    await growTo(count);
    await haveSession(page, server.url, nameOf('retailer'));
    for (const path of LISTS)
      await test.step(path, async () => {
        await open(page, path);
        await expectToFit(page, SIZES, `${path} with ${count} rows`);
      });
    await open(page, 'user?pageSize=500');
    await expect(page.getByRole('main').getByText(`of ${count.toLocaleString('en-US')}`)).toBeVisible();
    await expect(page.getByRole('main').getByRole('row')).toHaveCount(Math.min(count, 500) + 1);
    if (count === 25) await expectAccessible(page);
    if (count === 1) return;
    await open(page, 'user');
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
    const bar = page.getByRole('region', { name: 'Selected rows' });
    const more = bar.getByRole('button', { name: /^Select (all pages|the first)/ });
    await expect(bar).toContainText('25 selected');
    await expect(more).toHaveCount(count === 25 ? 0 : 1);
    if (count === 25) return;
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).uncheck();
    await open(page, 'user?page=30');
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
    await more.click();
    await expect(bar).toContainText('500 selected');
    await expect(more).toBeHidden();
    await expectToFit(page, SIZES, 'the selection bar');
  });

test('a list of 10,000 rows prints whole', async ({ page }) => {
  test.setTimeout(600_000);
  await growTo(10_000);
  await page.addInitScript(`window.print = () => (window.hasPrinted = true)`);
  await haveSession(page, server.url, nameOf('retailer'));
  await open(page, 'user');
  await chooseExport(page, 'Print');
  await expect.poll(() => page.evaluate<boolean>('window.hasPrinted === true'), { timeout: 240_000 }).toBe(true);
  const { text } = await extractText(new Uint8Array(await page.pdf({ preferCSSPageSize: true })), { mergePages: true });
  const printed = new Set(text.match(/player-\d+/g));
  expect(printed.size).toBe(players - 1);
});

test('the page of a ticket fits with 1, 25 and the most lines', async ({ page }) => {
  const token = await tokenOf(server.url, nameOf('user'));
  await haveSession(page, server.url, nameOf('retailer'));
  for (const count of [1, 25, TICKET_LIMITS.lines]) {
    const lines = Array.from({ length: count }, (_, nth) => ({
      drawno: String(nth % 1_000).padStart(3, '0'),
      head: 'straight',
      qty: 1,
    }));
    const bet = { gameId: network.pair.gameId, requestId: randomUUID(), lines };
    const { ticket } = await callApi<{ ticket: { ticketId: string } }>(server.url, 'app/bet', token, bet);
    await open(page, `ticket/${ticket.ticketId}`);
    await expect(page.getByRole('main').getByRole('row').first()).toBeVisible();
    await expectToFit(page, SIZES, `a ticket with ${count} lines`);
  }
});
