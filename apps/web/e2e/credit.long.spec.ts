import { expect, test, type Download } from '@playwright/test';
import { parseCsv, readXlsx } from 'hucre';
import { readFile } from 'node:fs/promises';
import { ADJUSTED, accountsOf, amountOf, fillCredit, pointsText, previewOf, submitOf } from './creditForms.ts';
import { expectSaid } from './messages-heard.ts';
import { chooseExport } from './accountListSteps.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  holdClock,
  inRowMenu,
  PASSWORD,
  tokenOf,
  whileTimeCreeps,
  type TestServer,
} from './support.ts';

let server: TestServer;
let network: Network;
const { allow } = failOnErrors();
serveNetwork('credit', (...both) => ([server, network] = both));
const { idOf, signInAs, balanceOf } = accountsOf(() => ({ server, network }));

test('specification sentences disappear after 3 s; additional information stays', async ({ page }) => {
  const path = `${server.url}/retailer/user/creditadjust/${idOf('user')}`;
  await signInAs(page, 'retailer');
  await page.clock.install();
  await page.goto(path);
  const main = page.getByRole('main');
  const alert = main.getByRole('alert');

  await test.step('a success', async () => {
    const had = await balanceOf('user');
    await fillCredit(page, '1');
    await holdClock(page);
    await submitOf(page, 'Credit Adjust').click();
    const status = main.getByRole('status');
    await whileTimeCreeps(page, expect(status).toContainText(ADJUSTED));
    await expect(status).toContainText(`the-user now has ${pointsText(had + 1)}`);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await page.clock.runFor(3500);
    await page.clock.resume();
    await expect(status).not.toContainText(ADJUSTED);
    await expect(status).toContainText(`the-user now has ${pointsText(had + 1)}`);
  });

  allow(/status of (400|502) .*credit-adjust/);
  for (const [said, beyond, answer] of [
    ['An error occurred.', null, { status: 400, json: { success: false } }],
    ['Not today.', null, { status: 400, json: { success: false, message: 'Not today.' } }],
    [
      'An error occurred.',
      'We don’t know whether it went through. Send it again unchanged; it won’t be done twice.',
      { status: 502, body: '<h1>Bad Gateway</h1>' },
    ],
  ] as const) {
    await test.step(`a refusal with ${'body' in answer ? answer.body : JSON.stringify(answer.json)}`, async () => {
      await page.route('**/credit-adjust', (route) => route.fulfill(answer));
      await fillCredit(page, '1');
      await expectSaid(page, { whole: said }, () => submitOf(page, 'Credit Adjust').click());
      await expect(main.getByRole('status')).toBeEmpty();
      await page.clock.runFor(3500);
      await expect(alert.getByText(said, { exact: true })).toBeHidden();
      if (beyond === null) await expect(alert).toBeHidden();
      else await expect(alert).toHaveText(beyond);
      await page.unroute('**/credit-adjust');
    });
  }
});

test('a superadmin issues and retires credit on its profile, with a note', async ({ page }) => {
  const had = await balanceOf('superadmin');
  await signInAs(page, 'superadmin');
  await page.goto(`${server.url}/superadmin/profile`);
  await page.getByRole('link', { name: 'Issue / Retire credit' }).click();
  await fillCredit(page, '1000');
  await page.getByRole('textbox', { name: 'Note' }).fill('Start of the month');
  await expect(previewOf(page)).toHaveText([pointsText(had + 1000)]);
  await submitOf(page, 'Issue credit').click();
  await expect(page.getByRole('banner')).toContainText(pointsText(had + 1000));
  await page.getByRole('radio', { name: 'Retire credit' }).check();
  await fillCredit(page, '400');
  await expectSaid(page, ADJUSTED, () => submitOf(page, 'Retire credit').click());
  await expect(page.getByRole('banner')).toContainText(pointsText(had + 600));

  await page.getByRole('link', { name: /^Balance/ }).click();
  await expect(page).toHaveURL(/\/superadmin\/profile\/statement$/);
  const rows = page.getByRole('region', { name: 'Statement' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('Credit retired');
  await expect(rows.nth(2)).toContainText('Credit issued');
  await expect(rows.nth(2)).toContainText('Start of the month');
});

test('keeps the form while the cell of the admin does not answer, and offers nothing without the directory', async ({
  page,
}) => {
  const [id, gift] = [idOf('admin'), '01900000-0000-7000-8000-000000000001'];
  const known = { _id: id, username: 'the-admin', cell: 'cell-2', canSend: true, last: null, inTransit: 0 };
  const sent = {
    success: true,
    message: 'On its way.',
    receiverWallet: null,
    senderWallet: 1,
    transferId: gift,
    inTransit: true,
    data: [],
  };
  const silent = { success: false, code: 'NOT_READY', message: 'cell-2 does not answer.', requestId: 'r' };
  let asked = 0;
  allow(/status of 503 .*/);
  await page.route(`**/admins/${id}`, async (route) => {
    asked++;
    await route.fulfill({ status: 503, json: silent });
  });
  await page.route('**/credit/distantadmin/*', (route) => route.fulfill({ json: { success: true, data: known } }));
  await page.route('**/credit-transfer', (route) => route.fulfill({ json: sent }));
  await signInAs(page, 'superadmin');
  const main = page.getByRole('main');
  await page.goto(`${server.url}/superadmin/admin/credittransfer/${id}`);
  await expect(main.getByRole('alert')).toContainText(
    'cell-2 does not answer. Credit you give or take back now moves when it answers.',
  );
  await fillCredit(page, '5');
  await submitOf(page, 'Credit Transfer').click();
  await expect(main.getByRole('status')).toContainText('On its way.');
  const before = asked;
  await amountOf(page).fill('7');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect.poll(() => asked).toBeGreaterThan(before);
  await expect(main.getByRole('status')).toContainText('On its way.');
  await expect(amountOf(page)).toHaveValue('7');

  known.canSend = false;
  await page.reload();
  await expect(main.getByRole('alert')).toContainText('The directory of all cells does not answer');
  await expect(submitOf(page, 'Credit Transfer')).toBeDisabled();
});

test('the superadmin of another cell retires credit there, and issues none', async ({ page }) => {
  await signInAs(page, 'superadmin');
  await page.route('**/api/auth/session', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { user: object };
    await route.fulfill({ response, json: { ...answer, user: { ...answer.user, followsFirstCell: true } } });
  });
  await page.goto(`${server.url}/superadmin/profile`);
  await page.getByRole('link', { name: 'Issue / Retire credit' }).click();
  const note = page.getByText('Only the superadmin of the first cell issues credit');
  await expect(page.getByRole('radio', { name: 'Retire credit' })).toBeChecked();
  await expect(submitOf(page, 'Retire credit')).toBeEnabled();
  await expect(note).toBeHidden();
  await page.getByRole('radio', { name: 'Issue credit' }).check();
  await expect(note).toBeVisible();
  await expect(submitOf(page, 'Issue credit')).toBeDisabled();
});

test('a daily limit is set, shown, enforced and removed', async ({ page, browser }) => {
  const edit = `${server.url}/superdistributor/distributor/users/${idOf('distributor')}/edit`;
  const main = page.getByRole('main');
  await signInAs(page, 'superdistributor');
  await page.goto(`${server.url}/superdistributor/distributor/users/details/${idOf('distributor')}`);
  await expect(main.getByText('Daily limit').locator('xpath=following-sibling::dd[1]')).toHaveText('none');
  await page.goto(edit);
  await page.getByRole('textbox', { name: 'Daily limit' }).fill('1.005');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Daily limit' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Daily limit' }).fill('50');
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await expectSaid(page, 'User updated successfully!', () => submitOf(page, 'Submit').click());
  expect((await sent).postDataJSON()).toEqual({ dailyLimit: 50 });
  await page.waitForURL((url) => url.href !== edit);

  await test.step('the form shows the remainder and sends no more', async () => {
    const token = await tokenOf(server.url, nameOf('distributor'));
    const other = await browser.newContext();
    const giver = await other.newPage();
    await signInAs(giver, 'distributor');
    const { data } = await callApi<{ data: { leftToday: number }[] }>(server.url, 'credit/loadcredit', token);
    const left = data[0]!.leftToday;
    await giver.goto(`${server.url}/distributor/retailer/credittransfer/${idOf('retailer')}`);
    await expect(giver.getByText(`Left to give today: ${pointsText(left)}`)).toBeVisible();
    await fillCredit(giver, String(left + 1));
    await expect(giver.getByText(`Your daily limit leaves ${pointsText(left)} points to give today.`)).toBeVisible();
    await submitOf(giver, 'Credit Transfer').click();
    await expect(amountOf(giver)).toBeFocused();
    await other.close();
  });

  await page.goto(edit);
  await expect(page.getByRole('textbox', { name: 'Daily limit' })).toHaveValue('50');
  await page.getByRole('textbox', { name: 'Daily limit' }).fill('');
  const emptied = page.waitForRequest((request) => request.method() === 'PUT');
  await expectSaid(page, 'User updated successfully!', () => submitOf(page, 'Submit').click());
  expect((await emptied).postDataJSON()).toEqual({ dailyLimit: null });
});

test('a statement shows totals and every movement by page, and Back works', async ({ page }) => {
  const token = await tokenOf(server.url, nameOf('superdistributor'));
  for (let points = 1; points <= 12; points++) {
    await callApi(server.url, 'distributors/credit-transfer', token, {
      toUserId: idOf('distributor'),
      transferAmount: points,
      password: PASSWORD,
      note: `Number ${points}`,
    });
  }
  await signInAs(page, 'admin');
  await page.goto(`${server.url}/admin/superdistributor`);
  await (await inRowMenu(page, 'the-superdistributor', 'Statement')).click();
  const rows = page.getByRole('region', { name: 'Statement' }).locator('tbody tr');
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const figure = (name: string) => page.getByRole('main').locator('dt', { hasText: name }).locator('xpath=../dd');
  await expect(page).toHaveTitle('Statement the-superdistributor – Drawhouse');
  await expect(figure('Opening balance')).toHaveText('0.00');
  await expect(figure('Closing balance')).toHaveText(pointsText(await balanceOf('superdistributor')));
  await expect(rows.first()).toContainText('Number 12');
  await expectAccessible(page);

  await test.step('has room for 15 rows at 1440 x 900', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const [row, pager, foot] = await Promise.all(
      [rows.first(), pages, page.getByRole('contentinfo')].map((part) => part.boundingBox()),
    );
    expect(row!.y + 15 * row!.height + pager!.height).toBeLessThanOrEqual(foot!.y);
  });

  await test.step('older, newer and Back', async () => {
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('10');
    await expect(rows).toHaveCount(10);
    await expect(pages.getByRole('button', { name: 'Newer' })).toBeDisabled();
    await pages.getByRole('button', { name: 'Older' }).click();
    await expect(rows.first()).toContainText('Number 2');
    await expect(page).toHaveURL(/before=/);
    await pages.getByRole('button', { name: 'Newer' }).click();
    await expect(rows.first()).toContainText('Number 12');
    await expect(page).toHaveURL(/after=/);
    await page.goBack();
    await expect(rows.first()).toContainText('Number 2');
    await page.goBack();
    await expect(rows.first()).toContainText('Number 12');
  });

  await test.step('shows totals per type and filters one type', async () => {
    await page.getByRole('button', { name: 'Chart and types' }).click();
    const kinds = page.getByRole('region', { name: 'In and out by type' }).locator('tbody tr');
    await expect(kinds.first()).toContainText('Credit transfer');
    const sides = await kinds.locator('td').allInnerTexts();
    const hundredths = (amount: string) => Math.round(100 * Number(amount.replaceAll(/[^\d.]/g, '')));
    for (const [side, name] of [
      [1, 'Total in'],
      [2, 'Total out'],
    ] as const) {
      const sum = sides.filter((_, place) => place % 3 === side).reduce((all, amount) => all + hundredths(amount), 0);
      expect(sum).toBe(hundredths(await figure(name).innerText()));
      expect(sum).toBeGreaterThan(0);
    }
    await kinds.first().getByRole('button', { name: 'Credit transfer' }).click();
    await expect(page).toHaveURL(/kind=credit/);
    await expect(kinds.first().getByRole('button', { pressed: true })).toBeVisible();
    await expect(rows.first()).toContainText('Number 12');
    await expect(page.getByRole('slider', { name: 'Balance over time' })).toBeVisible();
    await page.goBack();
  });

  await test.step('the filters', async () => {
    await expect(page.getByRole('button', { name: 'Winnings' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Commission', exact: true }).click();
    await expect(page).toHaveURL(/wallet=commission/);
    await expect(page.getByText('No movements in this period', { exact: true })).toBeVisible();
    await page.goBack();
    await page.getByRole('button', { name: 'Last Month' }).click();
    await expect(page).toHaveURL(/period=3/);
    await expect(page.getByText('No movements in this period', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Show the last 6 months' }).click();
    await expect(rows.first()).toContainText('Number 12');
  });

  await test.step('links the counterpart to its details', async () => {
    await rows.first().getByRole('link', { name: 'the-distributor' }).click();
    await expect(page).toHaveTitle('Distributor the-distributor – Drawhouse');
    await page.getByRole('main').getByRole('link', { name: 'Statement', exact: true }).click();
    await expect(page).toHaveURL(/\/distributor\/users\/details\/[^/]+\/statement$/);
    await expect(rows.first()).toContainText('the-superdistributor');
    await page.goto(`${server.url}/admin/profile/statement`);
    await expect(rows.last()).toContainText('superadmin');
    await expect(rows.last().getByRole('link', { name: 'superadmin' })).toHaveCount(0);
  });
});

test("the whole statement is saved under the server's file name", async ({ page }) => {
  await signInAs(page, 'superdistributor');
  await page.goto(`${server.url}/superdistributor/profile/statement?pageSize=10`);
  const closing = await balanceOf('superdistributor');
  const total = Number(/\d+$/.exec(await page.getByText(/^1–\d+ of \d+$/).innerText())![0]);
  expect(total).toBeGreaterThan(10);
  const save = async (name: 'Export XLS' | 'Export CSV'): Promise<Download> => {
    const download = page.waitForEvent('download');
    await chooseExport(page, name);
    return download;
  };

  const xlsx = await save('Export XLS');
  expect(xlsx.suggestedFilename()).toBe('Statement-the-superdistributor.xlsx');
  const rows = (await readXlsx(await readFile(await xlsx.path()))).sheets[0]!.rows;
  expect(rows).toHaveLength(total + 3);
  expect(rows[0]!.slice(0, 2)).toEqual([expect.stringMatching(/^Date & Time \(.+\)$/), 'Type']);
  expect([rows[1]![1], rows[1]!.at(-1)]).toEqual(['Opening balance', 0]);
  expect([rows.at(-1)![1], rows.at(-1)!.at(-1)]).toEqual(['Closing balance', closing]);

  const csv = await save('Export CSV');
  expect(csv.suggestedFilename()).toBe('Statement-the-superdistributor.csv');
  const lines = parseCsv(await readFile(await csv.path(), 'utf8'));
  expect(lines).toHaveLength(total + 3);
  expect(String(lines.at(-1)!.at(-1))).toBe(String(closing));
});

test('on a phone a statement keeps two columns and expands the rest', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs(page, 'superdistributor');
  await page.goto(`${server.url}/superdistributor/profile/statement`);
  const table = page.getByRole('region', { name: 'Statement' });
  await expect(table.getByRole('columnheader')).toHaveText(['Movement', 'Amount', 'More']);
  await table
    .getByRole('button', { name: /^More about/ })
    .first()
    .click();
  const sheet = page.getByRole('dialog');
  for (const name of ['Date & Time', 'Type', 'Counterpart', 'Note', 'By', 'Debit', 'Balance']) {
    await expect(sheet.getByText(name, { exact: true })).toBeVisible();
  }
  await expectAccessible(page);
});

test('a statement that failed to load says so and retries', async ({ page }) => {
  await signInAs(page, 'retailer');
  allow(/status of 403 .*statement/);
  await page.route('**/api/credit/statement?**', (route) => route.fulfill({ status: 403, json: { success: false } }));
  await page.goto(`${server.url}/retailer/profile/statement`);
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Something went wrong');
  await expectAccessible(page);
  await page.unroute('**/api/credit/statement?**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Opening balance')).toBeVisible();
});
