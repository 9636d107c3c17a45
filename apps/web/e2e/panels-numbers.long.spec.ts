import type { Game } from '@drawhouse/contract/games/games';
import { rulesFor } from '@drawhouse/rules/games/rules';
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
  OTHER_LONG_DRAW_SECONDS,
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

const MADE = { name: 'Many Lamps', numbers: 120 };
const amounts = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

test.use(IN_MOTION);

let server: TestServer;
let adminId: string;
let adminToken: string;
let playerToken: string;
let many: string;

failOnErrors();

test.beforeAll(async () => {
  server = await startTestServer('panels-numbers', {
    async prepare(database) {
      await setDrawInterval(database, 'lottery3d', LONG_DRAW_SECONDS);
      // Intervals are unique; this one draws at noon too.
      await setDrawInterval(database, 'triplefun', OTHER_LONG_DRAW_SECONDS);
    },
  });
  const network = await makeNetwork(server.url);
  await fundAdmin(server.url, network, 20_000);
  adminId = network.accounts.admin._id;
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  const builtIn = data.filter(({ gameId }) => ['lottery3d', 'triplefun'].includes(gameId));
  const made = await callApi<{ data: Game }>(server.url, 'game', token, {
    gameName: MADE.name,
    gameDescription: 'One of many',
    releaseDate: '2026-03-01',
    publisher: 'tests',
    nodigit: MADE.numbers,
    timeId: builtIn[0]!.timeId[0]!._id,
  });
  many = made.data.gameId;
  await giveGames(server.url, token, adminId, [...builtIn, made.data]);
  adminToken = await tokenOf(server.url, nameOf('admin'));
  playerToken = await tokenOf(server.url, nameOf('user'));
  await callApi(server.url, 'live/addbalance', adminToken, { gameId: 'lottery3d', adminId, balance: 1_000 });
});
test.afterAll(() => server.remove());

const { bet, panelOf } = panelCalls(() => ({ url: server.url, adminId, adminToken, playerToken }));

const cell = (page: Page, drawno: string) => page.locator(`[data-drawno="${drawno}"]`);
const form = (page: Page) => page.getByRole('form', { name: 'Result' });
const detail = (page: Page, drawno: string) => page.getByRole('region', { name: `Number ${drawno}`, exact: true });
const save = (page: Page) => form(page).getByRole('button', { name: 'SAVE' });

async function openPanel(page: Page, gameId: string): Promise<void> {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/game/${encodeURIComponent(gameId)}/${adminId}/${nameOf('admin')}`);
  await expect(page.getByRole('toolbar', { name: 'Outcomes' })).toBeVisible();
  await expect(page.getByText('Reconnecting…')).toBeHidden();
}

const shownOn = async (page: Page) =>
  Object.fromEntries(
    await page.evaluate<[string, string][]>(
      `[...document.querySelectorAll('[data-drawno]')].map((cell) => [cell.dataset.drawno, cell.lastElementChild.textContent])`,
    ),
  );

async function expectSums(page: Page, gameId: string, count: number): Promise<void> {
  const { data } = await panelOf(gameId);
  expect(data).toHaveLength(count);
  const sums = Object.fromEntries(data.map(({ drawno, sum }) => [drawno, amounts.format(sum)]));
  await expect.poll(() => shownOn(page)).toEqual(sums);
}

test('3D: a thousand numbers with seven heads, their cost, and a settled result', async ({ page }) => {
  await openPanel(page, 'lottery3d');
  await test.step("each head's bets show on every number they win with", async () => {
    await bet('lottery3d', [
      { drawno: '213', head: 'straight', qty: 2 },
      { drawno: '321', head: 'spbox', qty: 3 },
      { drawno: '221', head: 'dpbox', qty: 4 },
      { drawno: '21', head: 'ap', qty: 5 },
      { drawno: '21', head: 'fp', qty: 6 },
      { drawno: '13', head: 'bp', qty: 7 },
      { drawno: '23', head: 'sp', qty: 8 },
    ]);
    await expect(cell(page, '213')).toContainText('31.00');
    await expectSums(page, 'lottery3d', 1000);
  });

  await test.step('a chosen number shows stakes per head, ratio and payout', async () => {
    await typeDigits(page, '213');
    await expect(cell(page, '213')).toBeFocused();
    await expect(cell(page, '213')).toHaveAttribute('aria-pressed', 'true');
    const heads = detail(page, '213').getByRole('listitem');
    await expect(heads).toHaveText(
      [
        'Straight 2.00 × 900 1,800.00',
        'SP Box 3.00 × 150 450.00',
        'DP Box 0.00 × 300 0.00',
        'Any Pair 5.00 × 60 300.00',
        'Front Pair 6.00 × 90 540.00',
        'Back Pair 7.00 × 90 630.00',
        'Split Pair 8.00 × 90 720.00',
      ],
      { useInnerText: true },
    );
    await expect(detail(page, '213')).toContainText('TOTAL31.00');
    await expect(detail(page, '213')).toContainText('Payout 1 X4,440.00');
    await expect(detail(page, '213')).toContainText('Net If Declared\u22124,405.00');
    await expect(cell(page, '213')).toHaveAccessibleDescription(/Net If Declared .4,405\.00/);
  });

  await test.step('switching the booster from 1 to 2 applies immediately', async () => {
    const booster = page.getByRole('combobox', { name: 'Booster' });
    await expect(booster.getByRole('option')).toHaveText(['1 X', '2 X']);
    await booster.selectOption('2');
    await expect(detail(page, '213')).toContainText('Payout 2 X8,880.00');
    await expect(detail(page, '213')).toContainText('Net If Declared\u22128,845.00');
    await page.getByRole('group', { name: 'Figure on each number' }).getByRole('button', { name: 'Net' }).click();
    await expect(cell(page, '213')).toContainText('\u22128,845.00');
    await expect(cell(page, '999')).toContainText('35.00');
  });

  await test.step('sorting by cost lists the dearest first and free ones last', async () => {
    await page.getByRole('combobox', { name: 'Order' }).selectOption('dearest');
    const first = page.locator('[data-drawno]').first();
    await expect(first).toHaveAttribute('data-drawno', '213');
    await page.getByRole('button', { name: 'Go to No. 901-1000' }).click();
    await expect(cell(page, '999')).toBeInViewport();
    await page.getByRole('combobox', { name: 'Order' }).selectOption('number');
    await expect(first).toHaveAttribute('data-drawno', '000');
    await page.getByRole('group', { name: 'Figure on each number' }).getByRole('button', { name: 'Sum' }).click();
  });

  await test.step('an empty save names the missing fields, also with an invalid result', async () => {
    await cell(page, '213').click();
    await expect(cell(page, '213')).toHaveAttribute('aria-pressed', 'false');
    await save(page).click();
    await expect(form(page).getByText('Please select a result first.')).toBeVisible();
    const wrong = await fetch(`${server.url}/api/live/addresult`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ gameId: 'lottery3d', adminId, result: '1000', boosterValue: 1 }),
    });
    expect(wrong.status).toBe(400);
  });

  await test.step('a typed number is shown, and Enter chooses it', async () => {
    const find = page.getByRole('textbox', { name: 'Find a number' });
    await find.fill('1000');
    await expect(page.getByText('No number 1000.')).toBeVisible();
    await find.fill('742');
    await expect(cell(page, '742')).toBeInViewport();
    await expect(detail(page, '742')).toBeVisible();
    await expect(cell(page, '742')).toHaveAttribute('aria-pressed', 'false');
    await find.press('Enter');
    await expect(cell(page, '742')).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('arrows follow the visible rows; Page Up and Page Down move by a hundred', async () => {
    await cell(page, '742').focus();
    await page.keyboard.press('ArrowDown');
    await expect(cell(page, '752')).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await expect(cell(page, '751')).toBeFocused();
    await page.keyboard.press('PageUp');
    await expect(cell(page, '651')).toBeFocused();
    await page.keyboard.press('PageDown');
    await page.keyboard.press('Enter');
    await expect(cell(page, '751')).toHaveAttribute('aria-pressed', 'true');
    await expect(cell(page, '742')).toHaveAttribute('aria-pressed', 'false');
    await expect(page.getByRole('toolbar', { name: 'Outcomes' }).locator('[tabindex="0"]')).toHaveCount(1);
  });

  await test.step('the result settles at draw time', async () => {
    await typeDigits(page, '213');
    await expect(cell(page, '213')).toHaveAttribute('aria-pressed', 'true');
    await expectSaid(page, 'Result added successfully!', () => save(page).click());
    await expect(cell(page, '213')).toHaveAttribute('aria-pressed', 'false');
    await expect(cell(page, '213')).toHaveAttribute('data-sealed', 'true');
    await drawNow(server, 'lottery3d');
    await expect(page.getByRole('button', { name: /^213 2 X.*declared/ })).toBeVisible();
    const { collections } = await panelOf('lottery3d');
    expect(collections).toEqual({ totalPlaypoints: 35, totalWinpoints: 8880, balance: -8845 });
    await expect(page.getByRole('region', { name: 'Daily Collection & Results' })).toContainText('8,880.00');
  });
});

test('Triple Fun: triple, double and single on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPanel(page, 'triplefun');
  await bet('triplefun', [
    { drawno: '456', head: 'triple', qty: 1 },
    { drawno: '56', head: 'double', qty: 10 },
    { drawno: '6', head: 'single', qty: 20 },
  ]);
  await expect(cell(page, '456')).toContainText('31.00');
  await expectSums(page, 'triplefun', 1000);
  await expectToFit(page, [1280, [390, 844]]);

  await page.getByRole('button', { name: 'Go to 400-499' }).click();
  await cell(page, '456').click();
  await expect(detail(page, '456')).toContainText('Payout 1 X1,980.00');
  await expect(detail(page, '456').getByRole('list')).toBeHidden();
  await detail(page, '456').getByRole('button', { name: 'Kinds of bets on 456' }).click();
  const heads = detail(page, '456').getByRole('listitem');
  await expect(heads).toHaveText(['Triple 1.00 × 900 900.00', 'Double 10.00 × 90 900.00', 'Single 20.00 × 9 180.00'], {
    useInnerText: true,
  });
  await expectSaid(page, 'Result added successfully!', () => save(page).click());
  await drawNow(server, 'triplefun');
  await expect(page.getByRole('button', { name: /^456 1 X.*declared/ })).toBeVisible();
  expect((await panelOf('triplefun')).collections.totalWinpoints).toBe(1980);
});

test('a custom game of 120 numbers', async ({ page }) => {
  await openPanel(page, many);
  const [head] = rulesFor({ gameId: many, family: 'numbers', digits: MADE.numbers }).heads;
  expect(head!.payHundredths).toBe(10_800);
  await bet(many, [
    { drawno: 7, qty: 5 },
    { drawno: 42, qty: 20 },
    { drawno: 99, qty: 1 },
  ]);
  await expect(cell(page, '42')).toContainText('20.00');
  await expectSums(page, many, MADE.numbers);
  await expect(page.getByText('Pays most: 42, net')).toBeVisible();
  await expect(page.getByText('3 make a loss.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Go to/ })).toHaveText(['0', '100']);
  await expectAccessible(page);
  await save(page).click();
  await expect(form(page).getByText('Please enter a valid result.')).toBeVisible();
  await typeDigits(page, '42');
  await expect(detail(page, '42')).toContainText('Net If Declared\u22122,134.00');
  await expect(form(page).getByText('Pays 2,160.00, keeps \u22122,134.00')).toBeVisible();
  await expectSaid(page, 'Result added successfully!', () => save(page).click());
  await drawNow(server, many);
  await expect(page.getByRole('button', { name: /^42 1 X.*declared/ })).toBeVisible();
  expect((await panelOf(many)).collections.totalWinpoints).toBe(2160);
});
