import { randomUUID } from 'node:crypto';
import type { Game } from '@drawhouse/contract/games/games';
import { STAFF_ROLES } from '@drawhouse/contract/core/primitives';
import { expect, test, type Page } from '@playwright/test';
import { chooseExport } from './accountListSteps.ts';
import { readXlsx } from 'hucre';
import { readFile } from 'node:fs/promises';
import { runAudit } from '../../server/test/processes/server-process.ts';
import { giveGames, makeNetwork, nameOf, setDrawInterval, type Network } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  loseAnswers,
  PASSWORD,
  startTestServer,
  haveSession,
  tokenOf,
  type TestServer,
} from './support.ts';

let server: TestServer;
let network: Network;
const { allow } = failOnErrors();
/** Four levels earn 2.5 % of the stake each. */
const STAKE = 200;
const EARNED = '5.00';
const GAME = 'funtargetbingo';

async function giveGame(): Promise<void> {
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  const games = data.filter(({ gameId }) => gameId === GAME);
  await giveGames(server.url, token, network.accounts.admin._id, games);
}

test.beforeAll(async () => {
  server = await startTestServer('commission');
  await setDrawInterval(server, GAME, 10);
  network = await makeNetwork(server.url);
  await giveGame();
  const token = await tokenOf(server.url, nameOf('user'));
  const gameId = GAME;
  const taken = async () => {
    const { draw } = await callApi<{ draw: { status: string } | null }>(
      server.url,
      `app/state?gameId=${gameId}`,
      token,
    );
    if (draw?.status !== 'open') return false;
    const body = { gameId, requestId: randomUUID(), lines: [{ drawno: '3', qty: STAKE }] };
    return fetch(`${server.url}/api/app/bet`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then((answer) => answer.ok);
  };
  await expect.poll(taken, { timeout: 60_000 }).toBe(true);
  const settled = () =>
    callApi<{ data: { status: string }[] }>(server.url, 'app/tickets', token).then(({ data }) =>
      data.some(({ status }) => status === 'settled'),
    );
  await expect.poll(settled, { timeout: 60_000 }).toBe(true);
});
test.afterAll(() => server.remove());

const open = (page: Page, role: string, path: string) => page.goto(`${server.url}/${role}/${path}`);
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const passwordOf = (page: Page) => page.getByRole('dialog').getByLabel('Password', { exact: true });
const pay = (page: Page, sum: string) => page.getByRole('dialog').getByRole('button', { name: `Pay ${sum}` });

test('each role sees pending commission below it and its own reports', async ({ page }) => {
  for (const role of STAFF_ROLES) {
    await haveSession(page, server.url, nameOf(role));
    await open(page, role, 'commissionpayoutReport');
    await expect(page.getByRole('heading', { name: 'Pending Commission' })).toBeVisible();
    await expect(rowOf(page, nameOf('user'))).toContainText(EARNED);
    await expect(rowOf(page, nameOf(role))).toHaveCount(0);
  }
});

test('pays one, then all shown, each with a result and nothing twice', async ({ page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await open(page, 'admin', 'commissionpayoutReport');
  await expect(page.getByRole('row').filter({ hasText: EARNED })).toHaveCount(4);
  await expect(page.getByRole('columnheader')).toHaveText(
    ['No', 'Username', 'Role', 'Percentage', 'Total Commission', 'Action'],
    { useInnerText: true },
  );

  await test.step('pays one', async () => {
    await page.getByRole('button', { name: `Pay: ${nameOf('retailer')}` }).click();
    const dialog = page.getByRole('dialog', { name: `Pay commission to ${nameOf('retailer')}` });
    await expect(dialog).toContainText('Pay out 5.00 points of commission to 1 account?');
    await expectAccessible(page);
    await pay(page, EARNED).click();
    await expect(dialog).toContainText('Password is required');
    allow(/status of 403 .*commission-payouts/);
    await passwordOf(page).fill('wrong password');
    await pay(page, EARNED).click();
    await expect(dialog).toContainText('The password is wrong');
    await passwordOf(page).fill(PASSWORD);
    await pay(page, EARNED).dblclick();
    await expect(dialog).toContainText('Paid 5.00 points of commission to 1 account.');
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(rowOf(page, nameOf('retailer'))).toHaveCount(0);
  });

  await test.step('resends after a reload when an answer was lost', async () => {
    const ask = async () => {
      await page.getByRole('button', { name: `Pay: ${nameOf('user')}` }).click();
      await passwordOf(page).fill(PASSWORD);
      await pay(page, EARNED).click();
    };
    allow(/ERR_.*commission-payouts/);
    const { acted } = await loseAnswers(page, '**/api/credit/commission-payouts');
    await ask();
    await acted;
    await page.unroute('**/api/credit/commission-payouts');
    await page.reload();
    await expect(page.getByRole('row').filter({ hasText: EARNED })).toHaveCount(2);
    await expect(rowOf(page, nameOf('user'))).toHaveCount(0);
  });

  await test.step('pays all shown although one was paid meanwhile', async () => {
    await page.getByRole('button', { name: 'Pay all shown' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pay all shown' });
    await expect(dialog).toContainText('Pay out 10.00 points of commission to 2 accounts?');
    await callApi(server.url, 'credit/commission-payout', await tokenOf(server.url, nameOf('superadmin')), {
      toUserId: network.accounts.distributor._id,
      password: PASSWORD,
    });
    await passwordOf(page).fill(PASSWORD);
    await pay(page, '10.00').click();
    await expect(dialog).toContainText('Paid 5.00 points of commission to 1 of 2 accounts. The others were not paid.');
    const results = dialog.getByRole('listitem');
    await expect(results.filter({ hasText: nameOf('superdistributor') })).toContainText('Paid 5.00');
    await expect(results.filter({ hasText: 'the-distributor' })).toContainText('There is no commission to pay out.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(page.getByText('No commission is pending')).toBeVisible();
  });
  await expect(page.getByRole('button', { name: 'Pay all shown' })).toBeDisabled();
  expect(await runAudit(server.dataDir, { DATABASE_URL: server.ownerUrl! })).toMatchObject({ code: 0 });
});

test('the admin commission report, its export and its Game Summary', async ({ page }) => {
  await haveSession(page, server.url, nameOf('superadmin'));
  await open(page, 'superadmin', 'admincommissionreport');
  const row = rowOf(page, 'funtargetbingo');
  for (const text of ['Fun Target Bingo', nameOf('admin'), '20.00', '200.00']) await expect(row).toContainText(text);
  const summary = page.getByRole('main').locator('dl').first();
  await expect(summary).toContainText('Total Commission Point');
  await expect(summary).toContainText('20.00');
  await expect(summary).toContainText('Total Won Point');
  await expectAccessible(page);

  const downloading = page.waitForEvent('download');
  await chooseExport(page, 'Export XLS');
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('AdminCommissionData.xlsx');
  const { sheets } = await readXlsx(await readFile(await download.path()));
  expect(sheets[0]!.rows[0]).toEqual([
    'No',
    'Game ID',
    'Game Name',
    'Username',
    'Commission Amount',
    'Total Points',
    'Total Win Points',
  ]);

  await page.getByRole('button', { name: 'Game Summary', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Game Summary' });
  await expect(dialog.getByRole('row').filter({ hasText: 'Fun Target Bingo' })).toContainText('20.00');
  await dialog.getByRole('textbox', { name: 'From Date' }).fill('01 Jan 2024');
  await dialog.getByRole('textbox', { name: 'To Date' }).fill('02 Jan 2024');
  await dialog.getByRole('button', { name: 'Get Summary' }).click();
  await expect(dialog).toContainText('No settled bets on these days.');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await expect(page.getByRole('link', { name: nameOf('admin'), exact: true })).toHaveAttribute('href', /\/details\//);
  await row.getByRole('link', { name: `Only ${nameOf('admin')}` }).click();
  await expect(page).toHaveURL(/role=admin&id=/);
  await expect(page.getByRole('button', { name: 'All admins' })).toBeVisible();
  await expect(row).toContainText('20.00');
});
