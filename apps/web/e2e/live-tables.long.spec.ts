import { randomUUID } from 'node:crypto';
import type { Game } from '@drawhouse/contract/games/games';
import { expect, test, type Page } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { ask } from '../../server/test/test-databases.ts';
import { expectToFit } from './look.ts';
import {
  fundAdmin,
  giveGames,
  LONG_DRAW_SECONDS,
  makeNetwork,
  nameOf,
  setDrawInterval,
  type Network,
} from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  IN_MOTION,
  PASSWORD,
  haveSession,
  signIn,
  startTestServer,
  tokenOf,
  type TestServer,
} from './support.ts';
import { wearWideFont } from './wideFont.ts';

const GAME = 'funtargetbingo';
const PICTURED = 'titlisorrat';
const OTHER = 'fruit12';

test.use(IN_MOTION);

let server: TestServer;
let network: Network;

test.beforeAll(async () => {
  server = await startTestServer('live-tables');
  await setDrawInterval(server, GAME, LONG_DRAW_SECONDS);
  await ask(server.ownerUrl!, `update games set result_mode = 'two-person' where game_key = '${PICTURED}'`);
  network = await makeNetwork(server.url);
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  const gamesOf = (...keys: string[]) => data.filter(({ gameId }) => keys.includes(gameId));
  await giveGames(server.url, token, network.accounts.admin._id, gamesOf(GAME, PICTURED));
  const { data: south } = await callApi<{ data: { _id: string } }>(server.url, 'admins/create', token, {
    username: 'south',
    password: PASSWORD,
    commission: 0,
    note: 'add notes',
    refId: network.accounts.superadmin._id,
    userStatus: true,
    games: gamesOf(GAME, OTHER).map(({ _id }) => _id),
  });
  const admin = { ...network.accounts.admin, _id: south._id };
  await fundAdmin(server.url, { ...network, accounts: { ...network.accounts, admin } }, 1_000);
});
test.afterAll(() => server.remove());

async function bet(gameId: string, stakes: Readonly<Record<string, number>>): Promise<void> {
  const lines = Object.entries(stakes).map(([drawno, qty]) => ({ drawno, qty }));
  await callApi(server.url, 'app/bet', await tokenOf(server.url, nameOf('user')), {
    gameId,
    requestId: randomUUID(),
    lines,
  });
}

const rows = (page: Page) => page.getByRole('table', { name: 'All tables' }).locator('tbody').getByRole('row');
const rowOf = (page: Page, name: string, admin: string) =>
  rows(page).filter({ hasText: name }).filter({ hasText: admin });

test('all tables show live, pending ones first, and a click opens one', async ({ page }) => {
  await signIn(page, server.url, nameOf('superadmin'), 'superadmin');
  const menu = page.getByRole('region', { name: 'Live Reports' });
  await expect(menu.getByRole('link').first()).toHaveText('All tables');
  await menu.getByRole('link', { name: 'All tables' }).click();
  await expect(rows(page)).toHaveCount(4);
  await expect(rows(page).filter({ hasText: 'south' })).toHaveCount(2);
  const bingo = rowOf(page, 'Fun Target Bingo', nameOf('admin'));
  await expect(bingo).toContainText('Open');
  await expect(bingo).toContainText('No stakes');
  await expectAccessible(page);

  await test.step('all countdowns run', async () => {
    const countdowns = page.getByRole('timer');
    await expect(countdowns).toHaveCount(4);
    const before = await countdowns.allTextContents();
    await expect
      .poll(async () => (await countdowns.allTextContents()).filter((text, at) => text === before[at]))
      .toEqual([]);
  });

  await test.step('a bet raises collection and worst case', async () => {
    await bet(GAME, { 7: 10, 3: 4 });
    await expect(bingo).toContainText('14.00');
    await expect(bingo).toContainText('7pays 90.00');
    await expect(bingo).toContainText('−76.00');
    await bet(GAME, { 3: 20 });
    await expect(bingo).toContainText('34.00');
    await expect(bingo).toContainText('3pays 216.00');
    await expect(page.getByText('Worst at one table')).toBeVisible();
    await expect(page.locator('dl').filter({ hasText: 'Worst at one table' })).toContainText(
      '−182.00 Fun Target Bingo',
    );
  });

  await test.step('a draw awaiting the second person comes first and names who must confirm', async () => {
    const { _id: adminId } = network.accounts.admin;
    await callApi(server.url, 'live/addresult', await tokenOf(server.url, nameOf('admin')), {
      gameId: PICTURED,
      adminId,
      result: '3',
    });
    await expect(rows(page).first()).toContainText('Titli');
    await expect(rows(page).first()).toContainText('Waiting for you');
    await expect(rows(page).first()).toContainText(`by ${nameOf('admin')}`);
    await expectAccessible(page);
  });

  await test.step('fits at every width', async () => {
    await expectToFit(page, [390, 768, 1024, 1280, 1920]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  await test.step('opens by search, keys or a click anywhere', async () => {
    await page.getByRole('main').getByRole('searchbox').fill('south bingo');
    await expect(rows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/search=south/);
    await page.getByRole('main').getByRole('searchbox').fill('');
    await expect(rows(page)).toHaveCount(4);
    await rows(page).first().getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/superadmin/game/${PICTURED}/**`);
    await page.goBack();
    await bingo.getByText('34.00').click();
    await page.waitForURL(`**/superadmin/game/${GAME}/${network.accounts.admin._id}/${nameOf('admin')}`);
  });
});

test('sorts, and acts on a table without leaving the list', async ({ page }) => {
  await bet(GAME, { 7: 10 });
  await haveSession(page, server.url, nameOf('superadmin'));
  await page.goto(`${server.url}/superadmin/game`);
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Largest collection first');
  await expect(page).toHaveURL(/sort=collection/);
  await expect(rows(page).first()).toContainText(nameOf('admin'));
  await expect(rows(page).first()).toContainText('Fun Target Bingo');
  await page.getByRole('button', { name: 'Draw in' }).click();
  await expect(page).not.toHaveURL(/sort=/);
  await expect(page.getByRole('columnheader', { name: 'Draw in' })).toHaveAttribute('aria-sort', 'ascending');

  const bingo = rowOf(page, 'Fun Target Bingo', 'south');
  await bingo.getByRole('button', { name: 'Act on Fun Target Bingo of south' }).click();
  const sheet = page.getByRole('dialog', { name: 'Fun Target Bingo' });
  await expectAccessible(page);
  await test.step('adds balance', async () => {
    await sheet.getByLabel('Balance to add').fill('500');
    await expectSaid(page, 'Balance added successfully!', () =>
      sheet.getByRole('button', { name: 'Add Balance' }).click(),
    );
  });
  await test.step('sets a limit', async () => {
    await sheet.getByLabel('On one number').fill('400');
    await sheet.getByRole('button', { name: 'Set limits' }).click();
    await expect(bingo).toContainText('of 400');
  });
  await test.step('declares a result', async () => {
    await sheet.getByRole('button', { name: /^7 / }).click();
    await expectSaid(page, 'Result added successfully!', () => sheet.getByRole('button', { name: 'SAVE' }).click());
    await expect(bingo).toContainText('Result saved');
  });
  await test.step('voids the draw, with a reason', async () => {
    await sheet.getByRole('button', { name: 'Void draw' }).click();
    const question = page.getByRole('dialog', { name: /^Void draw/ });
    await question.getByLabel('Reason').fill('a trial');
    await question.getByRole('button', { name: 'Void draw' }).click();
    await expect(sheet.getByText('All stakes are refunded.')).toBeVisible();
    await expect(bingo).toContainText('Void');
  });
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
});

test('an admin sees only its own tables', async ({ page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/game`);
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByRole('main')).not.toContainText('south');
  await expect(page.getByRole('combobox', { name: 'Admin' })).toHaveCount(0);
});

test('stale figures are labeled and recover', async ({ page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/game`);
  await expect(rows(page)).toHaveCount(2);
  await page.route('**/api/live/tables', (route) => route.fulfill({ status: 503, json: { success: false } }));
  await expect(page.getByText('Not up to date.')).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await page.unroute('**/api/live/tables');
  await expect(page.getByText('Not up to date.')).toBeHidden();
});

test('a result is announced and stays available with its outcome', async ({ page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.clock.install();
  await page.goto(`${server.url}/admin/game/${GAME}/${network.accounts.admin._id}/${nameOf('admin')}`);
  const grid = page.getByRole('toolbar', { name: 'Outcomes' });
  await expect(grid).toBeVisible();
  await wearWideFont(page);
  await expect(page.getByRole('heading', { name: /^Frequency/ })).toHaveCount(0);
  await bet(GAME, Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [digit, 10])));
  const { totalsumdata: staked } = await callApi<{ totalsumdata: number }>(
    server.url,
    `live/loadgame?gameId=${GAME}&adminId=${network.accounts.admin._id}`,
    await tokenOf(server.url, nameOf('admin')),
  );
  const place = () =>
    grid.evaluate((element) => {
      const { offsetTop, offsetHeight } = element as HTMLElement;
      return { offsetTop, offsetHeight };
    });
  const before = await place();
  await page.getByRole('button', { name: 'Generate', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();

  const moment = page.getByRole('region', { name: /^Result of draw \d+$/ });
  await moment.hover();
  await expect(moment).toContainText('generated');
  await expect(moment).toContainText(/Paid [1-9][\d,]*\.00/);
  const told = await moment.innerText();
  expect(await place()).toEqual(before);
  const paid = /Paid\s+([\d,.]+)/.exec(told)![1]!;
  const left = (staked - Number(paid.replaceAll(',', ''))).toFixed(2).replace('-', '−');
  expect(told.replaceAll(/\s+/g, ' ')).toContain(`Kept ${left}`);
  await expect(page.getByRole('status').filter({ hasText: `Paid ${paid}, kept ${left}.` })).toHaveCount(1);
  await expectAccessible(page);

  await test.step('hides automatically when not hovered', async () => {
    await page.clock.runFor(10_000);
    await expect(moment).toBeVisible();
    await page.mouse.move(0, 0);
    await page.clock.runFor(7_000);
    await expect(moment).toBeHidden();
    expect(await place()).toEqual(before);
  });

  await test.step('stays one click away', async () => {
    await page
      .getByRole('region', { name: /^Recent results/ })
      .getByRole('button')
      .first()
      .click();
    const details = page.getByRole('dialog', { name: /^Draw \d+$/ });
    await expect(details).toContainText(`Paid${paid}`);
    await expect(details).toContainText(`Kept${left}`);
    await expect(details).toContainText('Generated from the committed seed');
    await expect(details.getByRole('link', { name: 'Check this draw' })).toHaveAttribute(
      'href',
      /^\/fair\/[0-9a-f-]{36}$/,
    );
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  });

  await test.step('shows outcome frequencies beside the grid', async () => {
    const often = page.getByRole('region', { name: 'Frequency in the last draw' });
    const table = often.getByRole('table');
    await expect(table.getByRole('row')).toHaveCount(11);
    await expect(table.getByRole('row').filter({ hasText: /10$/ })).toHaveCount(1);
    await expect(often).toContainText('Draws are independent');
  });
});

test('a result announcement can be dismissed and shows its picture', async ({ page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/game/${PICTURED}/${network.accounts.admin._id}/${nameOf('admin')}`);
  await page.getByRole('button', { name: 'Generate', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
  const moment = page.getByRole('region', { name: /^Result of draw \d+$/ });
  await moment.hover();
  await expect(moment.locator('svg path').first()).toBeAttached();
  await moment.getByRole('button', { name: 'Dismiss the result' }).click();
  await expect(moment).toBeHidden();
});
