import { randomUUID } from 'node:crypto';
import { ROLE_PREFIX } from '@drawhouse/contract/accounts/accounts';
import type { Game } from '@drawhouse/contract/games/games';
import type { Role } from '@drawhouse/contract/core/primitives';
import { builtInGame } from '@drawhouse/rules/games/catalogue';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { ask } from '../../server/test/test-databases.ts';
import { findUnfit } from './fit.ts';
import { followTo } from './routePaths.ts';
import {
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
  haveSession,
  holdClock,
  PASSWORD,
  startTestServer,
  tokenOf,
  whileTimeCreeps,
  type TestServer,
} from './support.ts';
import { wearWideFont } from './wideFont.ts';

const GAMES = [
  'funtargetbingo',
  'titlisorrat',
  'luckycard16',
  'roulette',
  'europeanroulette',
  'miniroulette',
  'andarbahar',
  'triplefun',
  'lottery3d',
  'lottery4d',
  'acqOpdpL',
];
const MUCH = 4_000_000_000;
const BALANCE = 987_654_321_000;
/** The first and last pay more than the collection. */
const SUMS = [123_456_789, 12_345, 1_234_567, 490, 99_999, 4_990];
const LINE = 1_000_000;

test.use(IN_MOTION);

let server: TestServer;
let adminId: string;
const tokens: Partial<Record<Role, string>> = {};

test.beforeAll(async () => {
  server = await startTestServer('panels-fit', {
    async prepare(database) {
      await setDrawInterval(database, 'roulette', LONG_DRAW_SECONDS);
      await setDrawInterval(database, 'lottery3d', OTHER_LONG_DRAW_SECONDS);
    },
  });
  // Before makeNetwork: a draw's result mode is fixed at opening.
  await ask(server.ownerUrl!, `update games set result_mode = 'two-person' where game_key = 'miniroulette'`);
  const { accounts } = await makeNetwork(server.url);
  adminId = accounts.admin._id;
  for (const role of ['superadmin', 'admin', 'user'] as const) tokens[role] = await tokenOf(server.url, nameOf(role));
  await giveMuch();
  const network = `${ROLE_PREFIX.admin}/${adminId}`;
  await callApi(server.url, network, tokens.superadmin, { tableLine: MUCH + BALANCE }, 'PUT');
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', tokens.superadmin);
  const games = data.filter(({ gameId }) => GAMES.includes(gameId));
  await giveGames(server.url, tokens.superadmin!, adminId, games);
  for (const game of GAMES) await betMuch(game);
  const table = { gameId: 'miniroulette', adminId, balance: BALANCE };
  await callApi(server.url, 'live/addbalance', tokens.admin, table);

  async function giveMuch(): Promise<void> {
    const most = MUCH + BALANCE;
    const { _id } = accounts.superadmin;
    await callApi(server.url, 'superadmins/credit-adjust', tokens.superadmin, {
      toUserId: _id,
      adjustAmount: most,
      transactionType: 'credit',
      password: PASSWORD,
    });
    let by: Role = 'superadmin';
    for (const role of ['admin', 'superdistributor', 'distributor', 'retailer', 'user'] as const) {
      const path = `${ROLE_PREFIX[role]}/credit-transfer`;
      await callApi(server.url, path, await tokenOf(server.url, nameOf(by)), {
        password: PASSWORD,
        transferAmount: role === 'admin' ? most : MUCH,
        toUserId: accounts[role]._id,
      });
      by = role;
    }
  }
});
test.afterAll(() => server.remove());

async function betMuch(gameId: string): Promise<void> {
  const { family, outcomes, heads, cardTypes = [], colors = [] } = rulesFor({ ...builtInGame(gameId)!, pays: null });
  const on = [...outcomes.slice(0, 39), outcomes.at(-1)!].map((outcome, at, all) => ({
    ...outcome,
    head: family === 'jodi' ? 'jodi' : heads[0]!.name,
    sum: at === all.length - 1 ? SUMS[0]! : SUMS[at % SUMS.length]! / (at < SUMS.length ? 1 : 10),
  }));
  const parts = [
    ...cardTypes.map((type) => ({ ...type, head: 'suit' })),
    ...colors.map((color) => ({ ...color, head: 'color' })),
  ];
  const lines = [...on, ...parts.map((part, at) => ({ ...part, sum: SUMS[at % SUMS.length]! }))].flatMap(
    ({ drawno, head: bet, series, subseries, sum }) =>
      Array.from({ length: Math.ceil(sum / LINE) }, (_, at) => ({
        drawno,
        head: bet,
        series,
        subseries,
        qty: Math.min(LINE, Math.floor(sum) - at * LINE),
      })).filter(({ qty }) => qty > 0),
  );
  for (let from = 0; from < lines.length; from += 1000)
    await callApi(server.url, 'app/bet', tokens.user, {
      gameId,
      requestId: randomUUID(),
      lines: lines.slice(from, from + 1000),
    });
}

const urlOf = (gameId: string) => `${server.url}/admin/game/${gameId}/${adminId}/${nameOf('admin')}`;
const wall = (page: Page) => page.locator('dialog[data-wall]');
const main = (page: Page) => page.getByRole('main');

async function openWall(page: Page, gameId: string): Promise<void> {
  await page.goto(`${urlOf(gameId)}?wall=on`);
  await expect(wall(page).locator('[data-drawno]').first()).toBeVisible();
}

const WALL_SIZES = [
  [1280, 720],
  [1920, 1080],
  [2560, 1440],
  [3840, 2160],
  [844, 390],
  [390, 844],
] as const;
const WIDE_SIZES = [WALL_SIZES[0], WALL_SIZES[5]] as const;

test('the wall screen shows nine-digit sums in full: every family, size and font', async ({ page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/profile`);
  for (const game of GAMES) {
    await test.step(game, async () => {
      await followTo(page, `${new URL(urlOf(game)).pathname}?wall=on`);
      await expect(wall(page).locator('dd').first()).toHaveText(/^\d{3},\d{3},\d{3}\.00$/);
      let takeOff: (() => Promise<void>) | undefined;
      for (const font of ['usual', 'wide']) {
        if (font === 'wide') takeOff = await wearWideFont(page);
        for (const [width, height] of font === 'usual' ? WALL_SIZES : WIDE_SIZES) {
          await page.setViewportSize({ width, height });
          const message = `${width} × ${height}, ${font} font`;
          await expect.poll(() => findUnfit(page, 'dialog[data-wall]'), { message }).toEqual([]);
          if (width < height) continue;
          await expect(wall(page).locator('dd').last()).toBeInViewport({ ratio: 0.99 });
        }
      }
      await takeOff?.();
    });
  }
});

const partOfScreen = (of: Locator) =>
  of.evaluate((element) => {
    const { width, height } = element.getBoundingClientRect();
    const { innerWidth, innerHeight } = element.ownerDocument.defaultView!;
    return (width * height) / (innerWidth * innerHeight);
  });

const momentIn = (place: Locator) => place.getByRole('region', { name: /^Result of draw \d+$/ });

/** Polls, because loading the sums consumes some of the paused clock's time. */
const expectMoment = (page: Page, moment: Locator) =>
  expect
    .poll(() => page.clock.runFor(20).then(() => moment.allTextContents()))
    .toEqual([expect.stringMatching(/Paid [\d,]+\.\d\d.*Kept −?[\d,]+\.\d\d/)]);

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`a drawn result fills the wall below the countdown (motion: ${reducedMotion})`, async ({ page }) => {
    const games = reducedMotion === 'reduce' ? ['titlisorrat'] : ['roulette', 'andarbahar', 'lottery4d'];
    await page.emulateMedia({ reducedMotion });
    await page.setViewportSize({ width: 1920, height: 1080 });
    await haveSession(page, server.url, nameOf('admin'));
    await page.clock.install();
    for (const gameId of games) {
      await test.step(gameId, async () => {
        await openWall(page, gameId);
        await holdClock(page);
        const drawn = await callApi<{ result: string; outcome: { winners?: Record<string, string> } }>(
          server.url,
          'live/generateresult',
          tokens.admin,
          { gameId, adminId },
        );
        const moment = momentIn(wall(page));
        await expectMoment(page, moment);
        const names = Object.values(drawn.outcome.winners ?? {});
        for (const name of names) await expect(moment).toContainText(name);
        if (names.length === 0) await expect(moment.locator('svg path').first()).toBeAttached();
        expect(await partOfScreen(moment)).toBeGreaterThan(0.7);
        // Nothing covers it.
        const { x, y, width, height } = (await moment.boundingBox())!;
        const middle = `document.elementFromPoint(${x + width / 2}, ${y + height / 2}).closest('section').ariaLabel`;
        expect(await page.evaluate<string>(middle)).toMatch(/^Result of draw/);
        await expect(wall(page).getByRole('timer')).toBeInViewport({ ratio: 1 });
        for (const [wide, high] of [WALL_SIZES[0], WALL_SIZES.at(-1)!, [1920, 1080]] as const) {
          await page.setViewportSize({ width: wide, height: high });
          await expect.poll(() => findUnfit(page, 'dialog[data-wall] > header')).toEqual([]);
          await expect.poll(() => findUnfit(page, 'dialog[data-wall] section[aria-label^="Result of"]')).toEqual([]);
        }
        if (gameId === 'roulette') await whileTimeCreeps(page, expectAccessible(page));
        await page.clock.runFor(7_000);
        await expect(moment).toBeHidden();
        await expect(wall(page).locator('[data-drawno]').first()).toBeVisible();
        await page.clock.resume();
      });
    }
  });
}

test('on a phone long amounts are shortened and available in full', async ({ page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(urlOf('lottery3d'));
  const detail = main(page).getByRole('region', { name: 'Number 000' });
  const leaves = detail.locator('dd').nth(2);
  const smallest = (of: Locator) =>
    of
      .locator('span[style]')
      .evaluateAll((all) => Math.min(...all.map((each) => Number.parseFloat(getComputedStyle(each).fontSize))));
  await expect(leaves).toContainText(/^−1\d\d\.\d\dB/);
  await expect(leaves.getByTitle(/^−1\d\d,\d{3},\d{3},\d{3}\.00$/)).toBeVisible();
  expect(await smallest(detail)).toBeGreaterThan(10);
  await detail.getByRole('button', { name: 'Kinds of bets on 000' }).click();
  await expect(leaves).toHaveText(/^−1\d\d,\d{3},\d{3},\d{3}\.00$/);
  expect(await smallest(detail)).toBeGreaterThan(10);
  await wearWideFont(page);
  await expect.poll(() => findUnfit(page, 'main section[aria-label="Number 000"]')).toEqual([]);

  await page.goto(urlOf('luckycard16'));
  const first = main(page).locator('[data-drawno]').first();
  await expect(first.getByTitle(/^123,456,789\.00$/)).toContainText('123.5M');
  expect(await smallest(first)).toBeGreaterThan(9);
});

test('a result announcement never covers the countdown', async ({ page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.clock.install();
  await page.goto(urlOf('acqOpdpL'));
  const clock = main(page).getByRole('timer');
  await expect(clock).toBeVisible();
  const onWall = await page.context().newPage();
  await onWall.setViewportSize({ width: 1920, height: 1080 });
  await openWall(onWall, 'acqOpdpL');
  await holdClock(page);
  const { outcome } = await callApi<{ outcome: { winners: Record<string, string> } }>(
    server.url,
    'live/generateresult',
    tokens.admin,
    { gameId: 'acqOpdpL', adminId },
  );
  const moment = momentIn(main(page));
  await expectMoment(page, moment);
  await expectMoment(page, momentIn(wall(onWall)));
  for (const name of Object.values(outcome.winners)) await expect(momentIn(wall(onWall))).toContainText(name);
  await expect.poll(() => findUnfit(onWall, 'dialog[data-wall] section[aria-label^="Result of"]')).toEqual([]);
  for (const [width, height] of [
    [900, 900],
    [1024, 768],
    [1280, 720],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    const between = async () => {
      const [above, beneath] = [(await clock.boundingBox())!, (await moment.boundingBox())!];
      return beneath.y - above.y - above.height;
    };
    await expect.poll(between, { message: `${width} px` }).toBeGreaterThan(-6);
  }
});

test('a wheel keeps amounts whole in their cells and rows visible at 200 %', async ({ page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(urlOf('europeanroulette'));
  const cells = main(page).locator('[data-drawno]');
  await expect(cells).toHaveCount(37);
  for (const font of ['usual', 'wide']) {
    if (font === 'wide') await wearWideFont(page);
    for (const [width, height] of [
      [1440, 900],
      [1280, 720],
      [720, 450],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      const message = `${width} × ${height}, ${font} font`;
      await expect.poll(() => findUnfit(page, 'main'), { message }).toEqual([]);
    }
  }
  await cells.nth(0).hover();
  await expect(main(page).getByText(/^Keeps −\d,\d{3},\d{3},\d{3}\.00$/)).toBeVisible();

  await page.setViewportSize({ width: 720, height: 450 });
  await page.mouse.move(0, 0);
  const bottomOf = async (place: number) => {
    const { y, height } = (await cells.nth(place).boundingBox())!;
    return y + height;
  };
  const dock = main(page).getByRole('complementary', { name: 'Controls' });
  await expect.poll(async () => (await dock.boundingBox())!.y - (await bottomOf(2))).toBeGreaterThan(20);
});

test('the cards, types and colors of Andhar Bahar are above the fold', async ({ page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(urlOf('andarbahar'));
  const tiles = main(page).locator('[data-drawno]');
  await expect(tiles).toHaveCount(13 + 4 + 2);
  for (const font of ['usual', 'wide']) {
    if (font === 'wide') await wearWideFont(page);
    for (const [width, height] of [
      [1440, 900],
      [1280, 720],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => findUnfit(page, 'main'), { message: `${width} px, ${font} font` }).toEqual([]);
      for (const tile of await tiles.all()) await expect(tile).toBeInViewport({ ratio: 0.99 });
    }
  }
});

test('a draw awaiting the second person has one main action', async ({ page }) => {
  const pair = { gameId: 'miniroulette', adminId };
  // Buttons without a variant are filled.
  const filled = main(page).locator('.mantine-Button-root:is([data-variant="filled"], :not([data-variant]))');
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(urlOf('miniroulette'));
  const save = main(page).getByRole('button', { name: 'SAVE' });
  await expect(main(page).getByText('Saving closes betting now.')).toBeVisible();
  await expect(save).toHaveAccessibleDescription('Saving closes betting now.');
  await expect(filled).toHaveText(['SAVE']);
  await expect(main(page).getByRole('region', { name: 'Game balance' })).toContainText('987,654,321,000.00');
  await wearWideFont(page);
  await expect.poll(() => findUnfit(page, 'main')).toEqual([]);

  await callApi(server.url, 'live/addresult', tokens.superadmin, { ...pair, result: '7' });
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(main(page).getByRole('button', { name: 'Confirm 7' })).toBeVisible();
    await expect(filled).toHaveText(['Confirm 7']);
    await expect(save).toBeEnabled();
    await expect(main(page).getByText('Saving closes betting now.')).toBeHidden();
  }
  await callApi(server.url, 'live/addresult', tokens.admin, { ...pair, result: '8' });
  await expect(main(page).getByText(/ saved 8, booster 1 X\. Someone from another account/)).toBeVisible();
  await expect(filled).toHaveText(['SAVE']);

  // On a low screen the controls align with SAVE.
  await page.setViewportSize({ width: 640, height: 450 });
  const bottomOf = async (button: Locator) => {
    const { y, height } = (await button.boundingBox())!;
    return y + height;
  };
  const more = main(page).getByRole('button', { name: 'Game balance and more' });
  await expect(more).toBeVisible();
  expect(Math.abs((await bottomOf(more)) - (await bottomOf(save)))).toBeLessThan(3);
});
