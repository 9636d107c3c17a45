import type { Game } from '@drawhouse/contract/games/games';
import { BUILT_IN_GAMES } from '@drawhouse/rules/games/catalogue';
import { layoutOf } from '@drawhouse/rules/panel/layout';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { expect, test, type Page, type Route } from '@playwright/test';
import { expectToFit } from './look.ts';
import { expectSaid } from './messages-heard.ts';
import { panelCalls } from './panelCalls.ts';
import { drawNow, giveGames, LONG_DRAW_SECONDS, makeNetwork, nameOf, setDrawInterval } from './testNetwork.ts';
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

const KEYS = BUILT_IN_GAMES.filter((game) => ['tiles', 'wheel'].includes(layoutOf(game).grid));
const MADE = [1, 7, 13, 24];
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const amounts = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

test.use(IN_MOTION);

let server: TestServer;
let adminId: string;
let adminToken: string;
let playerToken: string;
let games: readonly Game[];

const { allow, watch } = failOnErrors();

test.beforeAll(async () => {
  server = await startTestServer('panels-tiles');
  await setDrawInterval(server, 'roulette', LONG_DRAW_SECONDS);
  const { accounts } = await makeNetwork(server.url);
  adminId = accounts.admin._id;
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  const builtIn = KEYS.map(({ gameId }) => data.find((game) => game.gameId === gameId)!);
  const made: Game[] = [];
  for (const count of MADE) {
    const answer = await callApi<{ data: Game }>(server.url, 'game', token, {
      gameName: `Numbers of ${count}`,
      gameDescription: 'Somebody made it',
      releaseDate: '2026-03-01',
      publisher: 'tests',
      nodigit: count,
      timeId: builtIn[0]!.timeId[0]!._id,
    });
    made.push(answer.data);
  }
  games = [...builtIn, ...made];
  const pictured = builtIn.find(({ gameId }) => gameId === 'fruit12')!;
  const form = new FormData();
  form.set('label', 'yes');
  for (let at = 0; at < 12; at++)
    form.append('images', new Blob([Buffer.from(PIXEL, 'base64')], { type: 'image/png' }), `${at}.png`);
  const answer = await fetch(`${server.url}/api/game/${pictured._id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  expect(answer.status, await answer.text()).toBe(200);
  await giveGames(server.url, token, adminId, games);
  adminToken = await tokenOf(server.url, nameOf('admin'));
  playerToken = await tokenOf(server.url, nameOf('user'));
});
test.afterAll(() => server.remove());

const { bet, panelOf } = panelCalls(() => ({ url: server.url, adminId, adminToken, playerToken }));

const urlOf = (gameId: string) =>
  `${server.url}/admin/game/${encodeURIComponent(gameId)}/${adminId}/${nameOf('admin')}`;
const cell = (page: Page, drawno: string) => page.locator(`main [data-drawno="${drawno}"]`);
const form = (page: Page) => page.getByRole('form', { name: 'Result' });
const save = (page: Page) => form(page).getByRole('button', { name: 'SAVE' });
const wall = (page: Page) => page.locator('dialog[data-wall]');

async function openPanel(page: Page, gameId: string): Promise<void> {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(urlOf(gameId));
  await expect(cell(page, '1')).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
}

const rowsOnPage = (page: Page) =>
  page.evaluate<string[][]>(`(() => {
    const rows = new Map();
    const section = document.querySelector('main [data-slot]');
    for (const tile of section.querySelectorAll('[data-drawno]')) {
      const { top } = tile.getBoundingClientRect();
      rows.set(Math.round(top), [...(rows.get(Math.round(top)) ?? []), tile.dataset.drawno]);
    }
    return [...rows].toSorted(([a], [b]) => a - b).map(([, row]) => row);
  })()`);

const knownOf = ({ gameId, nodigit }: Game) =>
  KEYS.find((known) => known.gameId === gameId) ?? { gameId, family: 'numbers' as const, digits: nodigit };

test("every key opens its panel with its game's title and specified layout", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openPanel(page, 'titlisorrat');
  for (const game of games) {
    const known = knownOf(game);
    const { grid: kind, sections } = layoutOf(known);
    const { outcomes } = rulesFor(known);
    await test.step(game.gameName, async () => {
      await page.locator(`a[href="${new URL(urlOf(game.gameId)).pathname}"]`).click();
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText(game.gameName);
      await expect(page.locator('main [data-slot="result"] [data-drawno]')).toHaveCount(outcomes.length);
      await expectToFit(page, [390, [1440, 900]], game.gameName);
      if (kind === 'tiles') {
        const rows = sections[0]!.rows.map((row) => row.map((place) => outcomes[place]!.drawno));
        await expect.poll(() => rowsOnPage(page)).toEqual(rows);
      }
    });
  }

  await test.step('an unknown key shows nothing', async () => {
    allow(/status of 404 .*nosuchgame/);
    await page.goto(urlOf('nosuchgame'));
    await expect(page.getByRole('main').getByRole('heading', { name: 'Live panel' })).toBeVisible();
    await expect(page.getByRole('toolbar')).toHaveCount(0);
  });
});

test('an uploaded image shows on tile, choice and result', async ({ page }) => {
  await openPanel(page, 'fruit12');
  await expect(cell(page, '3').locator('img')).toBeVisible();
  await cell(page, '3').click();
  await expect(form(page).locator('img')).toBeVisible();
  await expectSaid(page, 'Result added successfully!', () => save(page).click());
  await drawNow(server, 'fruit12');
  await expect(page.getByRole('button', { name: /^3 .*declared/ }).locator('img')).toBeVisible();
});

test('a wheel: table, sums, keyboard play, and a settled result', async ({ page }) => {
  await openPanel(page, 'roulette');
  await bet('roulette', [
    { drawno: '17', qty: 20 },
    { drawno: '00', qty: 5 },
    { drawno: '3', qty: 1 },
    { drawno: 'black', qty: 1 },
  ]);
  const { data } = await panelOf('roulette');
  for (const { drawno, sum, pays, color } of data) {
    const said = `${drawno} ${color}. Staked ${amounts.format(sum)}`;
    await expect(cell(page, drawno)).toHaveAccessibleName(new RegExp(`^${said}.*Pays ${amounts.format(pays)}\\.`));
  }
  await expectAccessible(page);

  await test.step('saves nothing without a choice', async () => {
    await save(page).click();
    await expect(form(page).getByText('Please enter a valid result.')).toBeVisible();
  });

  await test.step('arrows follow the table layout; digits choose', async () => {
    await cell(page, '0').focus();
    const walked: string[] = [];
    for (const key of ['ArrowRight', 'ArrowUp', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'ArrowRight', 'ArrowDown']) {
      await page.keyboard.press(key);
      walked.push(await page.evaluate<string>('document.activeElement.dataset.drawno'));
    }
    expect(walked).toEqual(['1', '2', '3', '00', '3', '6', '5']);
    await page.keyboard.press('Enter');
    await expect(cell(page, '5')).toHaveAttribute('aria-pressed', 'true');
    await typeDigits(page, '17');
    await expect(cell(page, '17')).toBeFocused();
    await expect(cell(page, '17')).toHaveAttribute('aria-pressed', 'true');
    await expect(cell(page, '5')).toHaveAttribute('aria-pressed', 'false');
    await expect(form(page).getByText('Pays 722.00, keeps \u2212695.00')).toBeVisible();
  });

  await test.step('lists the kinds of bets on the number, whole', async () => {
    await page.getByRole('button', { name: 'Kinds of bets on 17' }).click();
    const kinds = page.getByRole('listitem');
    await expect(kinds.filter({ hasText: 'Straight' })).toHaveText('Straight20.00 × 36720.00');
    await expect(kinds.filter({ hasText: 'Even chance' })).toHaveText('Even chance1.00 × 22.00');
    await page.getByRole('button', { name: 'Kinds of bets on 17' }).click();
  });

  await test.step('on a phone it is upright with the zeros on top', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const box = async (drawno: string) => (await cell(page, drawno).boundingBox())!;
    await expect.poll(async () => (await box('0')).y < (await box('1')).y).toBe(true);
    const [one, two, three, four, zero, double] = await Promise.all(['1', '2', '3', '4', '0', '00'].map(box));
    expect([two!.y, three!.y]).toEqual([one!.y, one!.y]);
    expect(zero!.y).toBe(double!.y);
    expect(zero!.x).toBe(one!.x);
    expect(four!.y).toBeGreaterThan(one!.y);
    await expect(cell(page, '17')).toHaveAttribute('aria-pressed', 'true');
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  await test.step('G and V ask before they act', async () => {
    await expect(page.getByRole('button', { name: 'Void draw' })).toBeVisible();
    for (const [key, title] of [
      ['v', /^Void draw/],
      ['g', 'Generate result'],
    ] as const) {
      await page.keyboard.press(key);
      const question = page.getByRole('dialog', { name: title });
      await expect(question).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(question).toBeHidden();
    }
  });

  await test.step('S saves the number, which settles as announced; the message stays off the state', async () => {
    const said = page.getByText('Result added successfully!');
    await page.keyboard.press('s');
    await expect(said).toBeVisible();
    const [message, state] = await Promise.all(
      [said, page.getByRole('status').first()].map((each) => each.boundingBox()),
    );
    expect(message!.y).toBeGreaterThan(state!.y + state!.height);
    await expect(cell(page, '17')).toHaveAttribute('aria-pressed', 'false');
    await drawNow(server, 'roulette');
    await expect(page.getByRole('button', { name: /^17 1 X.*declared/ })).toBeVisible();
    expect((await panelOf('roulette')).collections.totalWinpoints).toBe(722);
  });
});

test('Andhar Bahar: card, type and color are required and stay consistent', async ({ page }) => {
  await openPanel(page, 'andarbahar');
  await bet('andarbahar', [
    { drawno: '13', head: 'rank', qty: 10 },
    { drawno: 'spade', head: 'suit', qty: 5 },
    { drawno: 'black', head: 'color', qty: 2 },
    { drawno: 'red', head: 'color', qty: 4 },
  ]);
  const { data, dataCardTypes, dataColors } = await panelOf('andarbahar');
  for (const { drawno, sum } of [...data, ...dataCardTypes, ...dataColors])
    await expect(cell(page, drawno)).toContainText(amounts.format(sum));
  await expectAccessible(page);

  await save(page).click();
  await expect(form(page).getByText('Please enter a valid result.')).toBeVisible();
  await cell(page, '13').click();
  await expect(form(page).getByText('Still to choose: card type, color.')).toBeVisible();
  await save(page).click();
  await expect(form(page).getByText('Please select a card type.')).toBeVisible();

  await test.step('a type sets its color; another color clears the type visibly', async () => {
    await cell(page, 'spade').click();
    await expect(cell(page, 'black')).toHaveAttribute('aria-pressed', 'true');
    await cell(page, 'red').click();
    await expect(cell(page, 'spade')).toHaveAttribute('aria-pressed', 'false');
    await expect(form(page).getByText('A ♠ is black, so the card type was cleared.')).toBeVisible();
    await form(page).getByRole('combobox', { name: 'Card type' }).selectOption('spade');
    await expect(form(page).getByRole('combobox', { name: 'Color' })).toHaveValue('black');
  });

  // 10 × 12, 5 × 3.8 and 2 × 1.9 of 21 points.
  await expect(form(page).getByText('Pays 142.80, keeps \u2212121.80')).toBeVisible();
  await expect(form(page).getByRole('textbox', { name: 'Selected result' })).toHaveValue('K♠ black');
  await expectSaid(page, 'Result added successfully!', () => save(page).click());
  await drawNow(server, 'andarbahar');
  await expect(page.getByRole('button', { name: /^13.*K♠.*declared/ })).toBeVisible();
  expect((await panelOf('andarbahar')).collections.totalWinpoints).toBe(142.8);
});

test('the next draw shows its number and local time, or why it is missing', async ({ browser }) => {
  // Always five hours behind the draws' time zone.
  const page = await browser.newPage({ timezoneId: 'America/Bogota' });
  watch(page);
  await openPanel(page, 'duskadum');
  const { draw } = await panelOf('duskadum');
  const next = page.getByText(new RegExp(`^Next draw ${draw!.number + 1}: betting `));
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Bogota', timeStyle: 'medium' });
  const opens = Date.parse(draw!.drawsAt);
  const closes = opens + LONG_DRAW_SECONDS * 1000 - 5_000;
  await expect(next).toHaveText(
    new RegExp(
      `: betting ${clock.format(opens)}(?: on \\w{3},? \\d+ \\w+)? to ${clock.format(closes)} on \\w{3},? \\d+ \\w+$`,
    ),
  );
  await expect(page.getByRole('region', { name: 'Draw', exact: true })).not.toContainText(/\d [AP]M/);
  allow(/status of 500 .*nextdrawnew/);
  const answers: [string, Parameters<Route['fulfill']>[0] | null][] = [
    ['No next draw found', { json: { success: true, nextrdraw: [] } }],
    ['HTTP 500', { status: 500, json: { success: false } }],
    ['Failed to load', { body: 'no data' }],
    ['Request timed out', null],
  ];
  for (const [said, answer] of answers) {
    await page.unrouteAll();
    const asked = Promise.withResolvers<void>();
    await page.route('**/nextdrawnew?*', async (route) => {
      asked.resolve();
      if (answer) await route.fulfill(answer);
    });
    // Installing the clock sets 1970, in which the session counts as expired.
    if (answer === null) {
      await page.goto(`${server.url}/healthz`);
      await page.clock.install();
    }
    await page.goto(urlOf('duskadum'));
    if (answer === null) {
      await expect(cell(page, '1')).toBeVisible();
      await page.clock.runFor(1_000);
      await asked.promise;
      await page.clock.runFor(10_000);
    }
    await expect(page.getByText(said, { exact: true })).toBeVisible();
  }
  await page.close();
});

test('the wall screen opens with W, survives a reload and closes with Escape', async ({ page }) => {
  await openPanel(page, 'europeanroulette');
  await bet('europeanroulette', [{ drawno: '17', qty: 40 }]);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('w');
  await expect(wall(page)).toBeVisible();
  await expect(page).toHaveURL(/\?wall=on$/);
  await expect(wall(page).getByRole('timer', { name: 'Time to the draw' })).toBeVisible();
  await expect(wall(page).locator('[data-drawno="17"]')).toContainText('40');
  await expect(wall(page).getByText('TOTAL DRAW COLLECTION')).toBeVisible();
  await expect(wall(page).locator('button, a, input, select, [tabindex="0"]')).toHaveCount(1);
  await expectAccessible(page);

  await page.reload();
  await expect(wall(page)).toBeVisible();
  await bet('europeanroulette', [{ drawno: '17', qty: 2 }]);
  await expect(wall(page).locator('[data-drawno="17"]')).toContainText('42');
  await page.keyboard.press('Escape');
  await expect(wall(page)).toBeHidden();
  await expect(page).toHaveURL(/\/the-admin$/);
  await cell(page, '17').click();
  await expect(cell(page, '17')).toHaveAttribute('aria-pressed', 'true');
});
