import type { Game } from '@drawhouse/contract/games/games';
import { expect, test, type Page } from '@playwright/test';
import { expectToFit } from './look.ts';
import { expectSaid } from './messages-heard.ts';
import { panelCalls } from './panelCalls.ts';
import {
  drawNow,
  fundAdmin,
  giveGames,
  LONG_DRAW_SECONDS,
  makeNetwork,
  nameOf,
  setDrawInterval,
} from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  IN_MOTION,
  failOnErrors,
  haveSession,
  startTestServer,
  tokenOf,
  typeDigits,
  type TestServer,
} from './support.ts';

const LOTTERY_4D = 'lottery4d';
const JODI = 'acqOpdpL';
const amounts = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const points = (value: number) => amounts.format(value).replace('-', '\u2212');

test.use(IN_MOTION);

let server: TestServer;
let adminId: string;
let adminToken: string;
let playerToken: string;

failOnErrors();

test.beforeAll(async () => {
  server = await startTestServer('panels-groups', {
    prepare: (database) => setDrawInterval(database, LOTTERY_4D, LONG_DRAW_SECONDS),
  });
  const network = await makeNetwork(server.url);
  await fundAdmin(server.url, network, 10_000);
  adminId = network.accounts.admin._id;
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  const games = data.filter(({ gameId }) => [LOTTERY_4D, JODI].includes(gameId));
  await giveGames(server.url, token, adminId, games);
  adminToken = await tokenOf(server.url, nameOf('admin'));
  playerToken = await tokenOf(server.url, nameOf('user'));
  // Pays return over 100 %, so the table must cover them.
  await callApi(server.url, 'live/addbalance', adminToken, { gameId: JODI, adminId, balance: 1_000 });
});
test.afterAll(() => server.remove());

const { bet, panelOf } = panelCalls(() => ({ url: server.url, adminId, adminToken, playerToken }));

async function declare(gameId: string, result: unknown): Promise<{ status: number; message: string }> {
  const answer = await fetch(`${server.url}/api/live/addresult`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ gameId, adminId, result: JSON.stringify(result), boosterValue: 1 }),
  });
  return { status: answer.status, message: ((await answer.json()) as { message: string }).message };
}

async function openPanel(page: Page, gameId: string): Promise<void> {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/game/${gameId}/${adminId}/${nameOf('admin')}`);
  await expect(page.locator('[data-drawno]')).toHaveCount(100);
  await expect(page.getByText('Reconnecting…')).toBeHidden();
}

const number = (page: Page, drawno: string) => page.locator(`[data-drawno="${drawno}"]`);
const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
const form = (page: Page) => page.getByRole('form', { name: 'Result' });
const save = (page: Page) => form(page).getByRole('button', { name: 'SAVE' });
const chosen = (page: Page) => page.getByRole('region', { name: 'Chosen numbers' });
async function saveIncomplete(page: Page): Promise<void> {
  await save(page).click();
  const question = page.getByRole('dialog', { name: 'Save an incomplete result?' });
  await expect(question).toContainText(/have no number: .* Bets there lose\.|One has no number: /);
  await expectSaid(page, 'Result added successfully!', () =>
    question.getByRole('button', { name: 'Save anyway' }).click(),
  );
}
const takeBack = (page: Page, drawno: string) =>
  chosen(page).getByRole('button', { name: new RegExp(`^Remove ${drawno} from`) });

test('on a phone sub-series and row details are one tap away', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPanel(page, LOTTERY_4D);
  await tab(page, '1300').click();
  await number(page, '1305').click();
  await expectToFit(page, [1280, [390, 844]]);
  await page.getByRole('button', { name: /^1 of 30 chosen/ }).click();
  await takeBack(page, '1305').click();
  await expect(chosen(page).getByRole('heading', { name: '0 of 30 chosen' })).toBeVisible();
  await expectAccessible(page);

  await page.goto(`${server.url}/admin/game/${JODI}/${adminId}/${nameOf('admin')}`);
  await expect(number(page, '03')).toBeVisible();
  await expectToFit(page, [1280, [390, 844]]);
  await page.getByRole('button', { name: 'More about 03' }).click();
  const sheet = page.getByRole('dialog', { name: 'K50SILVER 03' });
  await expect(sheet).toContainText('Andhar0.00');
  await sheet.getByRole('button', { name: 'Choose' }).click();
  await expect(number(page, '03').getByRole('button').first()).toHaveAttribute('aria-pressed', 'true');
  await expect(form(page).getByRole('textbox')).toHaveValue('1 of 3');
  await expectAccessible(page);
});

test('4D: one winner per sub-series, all visible, and a settled result', async ({ page }) => {
  await bet(LOTTERY_4D, [
    { drawno: '1042', qty: 5 },
    { drawno: '1043', qty: 2 },
    { drawno: '3777', qty: 4 },
    { drawno: '5999', qty: 6 },
  ]);
  await openPanel(page, LOTTERY_4D);

  await test.step('numbers match the API; sub-series show collection and worst case', async () => {
    const { data } = await panelOf(LOTTERY_4D);
    expect(data).toHaveLength(3000);
    const shown = () =>
      page.evaluate<[string, string][]>(
        `[...document.querySelectorAll('[data-drawno]')].map((cell) => [cell.dataset.drawno, cell.lastElementChild.textContent])`,
      );
    const expected = (from: number) =>
      data.slice(from, from + 100).map(({ drawno, sum }): [string, string] => [drawno, points(sum)]);
    await expect.poll(shown).toEqual(expected(0));
    await tab(page, '5000-5999').click();
    await tab(page, '5900').click();
    await expect.poll(shown).toEqual(expected(2900));
    await expect(tab(page, '5900')).toContainText('Collection 6.00');
    await expect(tab(page, '5900')).toContainText('Worst payout 540.00');
    await expectAccessible(page);
  });

  await test.step('an empty save names the missing fields; the server names the wrong ones', async () => {
    await save(page).click();
    await expect(form(page).getByText('Please select at least one result.')).toBeVisible();
    expect(await declare(LOTTERY_4D, [])).toMatchObject({
      status: 400,
      message: expect.stringContaining('Please select at least one result.'),
    });
    const two = [{ series: '1000', results: ['1042', '1043'].map((drawno) => ({ subseries: '1000', drawno })) }];
    expect(await declare(LOTTERY_4D, two)).toMatchObject({
      status: 400,
      message: expect.stringContaining('There are two results for 1000.'),
    });
  });

  await test.step('typed digits find any number; another one of its sub-series replaces it', async () => {
    await typeDigits(page, '1043');
    await expect(number(page, '1043')).toBeFocused();
    await expect(number(page, '1043')).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await expect(number(page, '1042')).toHaveAttribute('aria-pressed', 'true');
    await expect(number(page, '1043')).toHaveAttribute('aria-pressed', 'false');
    const [cell, mark] = [
      (await number(page, '1042').boundingBox())!,
      (await number(page, '1042').locator('svg').boundingBox())!,
    ];
    expect(mark.y).toBeGreaterThan(cell.y);
    expect(mark.y + mark.height).toBeLessThan(cell.y + cell.height);
    await page.keyboard.press('ArrowDown');
    await expect(number(page, '1052')).toBeFocused();
    await expect(page.getByRole('toolbar', { name: 'Numbers 1000-1099' }).locator('[tabindex="0"]')).toHaveCount(1);
    await expect(tab(page, '1000-1999')).toContainText('1 of 10');
    await expect(tab(page, '1000-1099')).toContainText('1042');
    await number(page, '1042').focus();
    await expect(number(page, '1042')).toHaveAccessibleDescription(
      /Staked 5\.00 Pays 450\.00 Keeps of 1000-1099 .443\.00/,
    );
  });

  await test.step('choices of all sub-series add up and are cleared in one place', async () => {
    const find = page.getByRole('textbox', { name: 'Find a number' });
    for (const drawno of ['3777', '5999', '5800']) {
      await find.fill(drawno);
      await find.press('Enter');
    }
    await expect(chosen(page).getByRole('heading', { name: '4 of 30 chosen' })).toBeVisible();
    await expect(chosen(page)).toContainText('Pays 1,350.00, keeps \u22121,333.00');
    await expect(form(page)).toContainText('Pays 1,350.00, keeps \u22121,333.00');
    await expect(form(page).getByRole('textbox')).toHaveValue('1042, 3777 + 2 more');
    await takeBack(page, '3777').click();
    await expect(takeBack(page, '5800')).toBeFocused();
    await expect(chosen(page)).toContainText('Pays 990.00, keeps \u2212973.00');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect(chosen(page).getByRole('heading', { name: '0 of 30 chosen' })).toBeVisible();
  });

  await test.step('the result settles at sum × 90 × booster', async () => {
    for (const drawno of ['1042', '3777', '5800']) {
      await typeDigits(page, drawno);
      await expect(number(page, drawno)).toHaveAttribute('aria-pressed', 'true');
    }
    const booster = page.getByRole('combobox', { name: 'Booster' });
    await expect(booster.getByRole('option')).toHaveText(['1 X', '2 X']);
    await booster.selectOption('2');
    await expect(form(page)).toContainText('Pays 1,620.00, keeps \u22121,603.00');
    await saveIncomplete(page);
    await expect(chosen(page).getByRole('heading', { name: '0 of 30 chosen' })).toBeVisible();
    await expect(chosen(page)).toContainText('Result: 3 of 30');
    await drawNow(server, LOTTERY_4D);
    const chip = page.getByRole('button', { name: /^1042, 3777, 5800 2 X.*declared/ });
    await chip.click();
    const told = page.getByRole('dialog', { name: /^Draw/ });
    await expect(told).toContainText('3 of 30 numbers, 2 X');
    await expect(told).toContainText('3000-39993777');
    const part = page.getByRole('combobox', { name: 'Part of the result' });
    await expect(part.getByRole('option').first()).toHaveText('1000-1099');
    const emptyBars = page.getByRole('region', { name: /^Frequency/ }).locator('[style*="inline-size: 0%"]');
    await expect(emptyBars, 'all tens and units but those of 1042').toHaveCount(18);
    await part.selectOption('1100-1199');
    await expect(emptyBars, 'it had no winner').toHaveCount(20);
    expect((await panelOf(LOTTERY_4D)).collections).toEqual({
      totalPlaypoints: 17,
      totalWinpoints: 1620,
      balance: -1603,
    });
    await expect(page.getByRole('region', { name: 'Daily Collection & Results' })).toContainText('1,620.00');
  });
});

test("jodi: numbers against their tier's cutoff, one winner each, and a settled result", async ({ page }) => {
  await bet(JODI, [
    { series: 'K60GOLD', head: 'andhar', drawno: '4', qty: 10 },
    { series: 'K60GOLD', head: 'bahar', drawno: '2', qty: 4 },
    { series: 'K60GOLD', head: 'jodi', drawno: '42', qty: 86 },
    { series: 'K50SILVER', head: 'jodi', drawno: '07', qty: 20 },
  ]);
  await openPanel(page, JODI);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${nameOf('admin')} andhar-bahar-jodi`);
  const cells = (drawno: string) => number(page, drawno).getByRole('cell');

  await test.step('numbers show stakes per bet kind, payout and net', async () => {
    await tab(page, 'K60GOLD').click();
    const { data } = await panelOf(JODI);
    const expected = data
      .filter(({ series }) => series === 'K60GOLD')
      .map(({ andharsum, baharsum, jodisum, totalsum, pays }) =>
        [andharsum!, baharsum!, jodisum!, totalsum!, pays, 100 - pays].map(points).join(' '),
      );
    const rows = () =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('tr[data-drawno]')].map((row) => ` +
          `[...row.querySelectorAll('td')].slice(0, 6).map((cell) => cell.textContent.trim()).join(' '))`,
      );
    await expect.poll(rows).toEqual(expected);
    await expect(cells('42')).toHaveText(['10.00', '4.00', '86.00', '100.00', '5,000.00', '\u22124,900.00', 'Missed']);
    await expectAccessible(page);
  });

  await test.step('the margin, 0 if empty, decides which numbers keep the cutoff', async () => {
    const facts = page.getByRole('main').locator('dl').filter({ hasText: 'Meet the cutoff' });
    await expect(facts).toContainText('Cutoff100.00');
    await expect(facts).toContainText('Meet the cutoff81 of 100');
    await expect(number(page, '00')).toHaveAttribute('data-keeps', 'true');
    const margin = page.getByRole('textbox', { name: 'Margin %' });
    await margin.fill('101');
    await expect(page.getByText('Enter a whole number from 0 to 100.')).toBeVisible();
    await margin.fill('30');
    await expect(facts).toContainText('Cutoff70.00');
    await expect(number(page, '42')).toContainText('Missed');
    await expect(number(page, '00')).toContainText('Met');
    await tab(page, 'K70DIAMOND').click();
    await expect(facts).toContainText('Meet the cutoff100 of 100');
    await tab(page, 'K60GOLD').click();
  });

  await test.step('the P&L sort cycles down, up, number order', async () => {
    const first = page.locator('tr[data-drawno]').first();
    const sort = page.getByRole('button', { name: 'P&L sort' });
    await sort.click();
    await expect(page.getByRole('columnheader', { name: 'Net' })).toHaveAttribute('aria-sort', 'descending');
    await expect(first).toHaveAttribute('data-drawno', '00');
    await sort.click();
    await expect(first).toHaveAttribute('data-drawno', '42');
    await page.getByRole('button', { name: 'By number' }).click();
    await expect(first).toHaveAttribute('data-drawno', '00');
  });

  await test.step('a number is chosen, replaced and cleared within its tier only', async () => {
    await save(page).click();
    await expect(form(page).getByText('Please select at least one result.')).toBeVisible();
    await number(page, '05').click();
    await expect(tab(page, 'K60GOLD')).toContainText('05');
    await typeDigits(page, '42');
    await expect(number(page, '42').getByRole('button')).toBeFocused();
    await expect(number(page, '42').getByRole('button')).toHaveAttribute('aria-pressed', 'true');
    await expect(number(page, '05').getByRole('button')).toHaveAttribute('aria-pressed', 'false');
    await tab(page, 'K50SILVER').click();
    await number(page, '42').getByRole('button').click();
    await expect(chosen(page).getByRole('heading', { name: '2 of 3 chosen' })).toBeVisible();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
    await expect(form(page).getByRole('textbox')).toHaveValue('K50 41 · K60 42');
    await page.keyboard.press('Space');
    await expect(form(page).getByRole('textbox')).toHaveValue('K60 42');
    await typeDigits(page, '07');
    await expect(form(page)).toContainText('Pays 6,000.00, keeps \u22125,880.00');
    expect(await declare(JODI, [{ series: 'K99', drawno: '07' }])).toMatchObject({ status: 400 });
  });

  await test.step('the result settles and is reported per tier', async () => {
    await saveIncomplete(page);
    await expect(chosen(page)).toContainText('Result: 2 of 3');
    await drawNow(server, JODI);
    await page.getByRole('button', { name: /^K50 07 · K60 42 1 X.*declared/ }).click();
    await expect(page.getByRole('dialog', { name: /^Draw/ })).toContainText('K60GOLD42');
    expect((await panelOf(JODI)).collections.totalWinpoints).toBe(6000);
  });
});
