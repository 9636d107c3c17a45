import type { Game } from '@drawhouse/contract/games/games';
import { expect, test } from '@playwright/test';
import type { Page, Route } from '@playwright/test';
import { LONG } from '../../server/test/how-much.ts';
import { expectSaid } from './messages-heard.ts';
import { drawInHours, giveGames, LONG_DRAW_SECONDS, makeNetwork, nameOf, setDrawInterval } from './testNetwork.ts';
import { callApi, expectAccessible, haveSession, startTestServerProcess, tokenOf } from './support.ts';
import type { TestServerProcess } from './support.ts';
import { wearWideFont } from './wideFont.ts';

const GAME = 'funtargetbingo';
const PICTURED = 'titlisorrat';

let server: TestServerProcess;
let panelUrl: string;
let picturedUrl: string;
/** Makes the games of the admin exactly these. */
let setGames: (keys: readonly string[]) => Promise<void>;

test.beforeAll(async () => {
  server = await startTestServerProcess('panel');
  // Both draw by the same time.
  await setDrawInterval(server, GAME, LONG_DRAW_SECONDS);
  const { accounts } = await makeNetwork(server.url);
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  setGames = (keys) => {
    const games = data.filter(({ gameId }) => keys.includes(gameId));
    return giveGames(server.url, token, accounts.admin._id, games);
  };
  await setGames([GAME, PICTURED]);
  const urlOf = (game: string) => `${server.url}/admin/game/${game}/${accounts.admin._id}/${nameOf('admin')}`;
  panelUrl = urlOf(GAME);
  picturedUrl = urlOf(PICTURED);
});
test.afterAll(() => server.remove());

const grid = (page: Page) => page.getByRole('toolbar', { name: 'Outcomes' });
const ERROR = 'Error occurred while adding balance!';
const form = (page: Page) => page.getByRole('form', { name: 'Result' });

/** The panel, at a draw that takes bets. */
async function openPanel(page: Page, url = panelUrl): Promise<void> {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(url);
  await expect(grid(page)).toBeVisible();
  await expect(page.getByText('Reconnecting…')).toBeHidden();
}

/** Where the grid stands once that has not changed for some frames: a new width is followed a frame or two later. */
const PLACE = `(async () => {
  const element = document.querySelector('main [role="toolbar"]');
  let seen = 0;
  for (let same = 0; same < 6; same++) {
    await new Promise(requestAnimationFrame);
    if (element.offsetTop !== seen) same = 0;
    seen = element.offsetTop;
  }
  return seen;
})()`;

/** Where the grid stands in the page, however far that is scrolled, in windows of each width; the usual size is back afterwards. */
async function placesOfGrid(page: Page): Promise<readonly number[]> {
  const usual = page.viewportSize()!;
  const places: number[] = [];
  for (const width of [390, 768, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    places.push(await page.evaluate<number>(PLACE));
  }
  await page.setViewportSize(usual);
  return places;
}

test('the panel says what can still be done, and what comes next; the grid stays where it is', async ({ page }) => {
  let frames = 0;
  // The longest countdown, which leaves the least room beside it.
  await drawInHours(server, GAME);
  page.on('websocket', (socket) => socket.on('framereceived', () => frames++));
  await openPanel(page);
  // The policy of the page lets it connect to its own host, and it needs no polling.
  await expect.poll(() => frames).toBeGreaterThan(1);
  await wearWideFont(page);
  await expect(page.getByText('Betting is open')).toBeVisible();
  const places = await placesOfGrid(page);

  await test.step('a balance that is refused says the figure beside its field', async () => {
    await page.getByRole('spinbutton', { name: 'Balance to add' }).fill('999999');
    await page.getByRole('button', { name: 'Add Balance' }).click();
    const note = page.getByRole('region', { name: 'Game balance' }).getByText('The admin has only 1,000.00 points');
    await expect(note).toBeVisible();
    await page.getByRole('spinbutton', { name: 'Balance to add' }).fill('');
    await expect(note).toBeHidden();
  });

  await test.step('a failure is told in the words of the spec alone, or of the server', async () => {
    const balance = page.getByRole('region', { name: 'Game balance' });
    const amount = page.getByRole('spinbutton', { name: 'Balance to add' });
    const add = page.getByRole('button', { name: 'Add Balance' });
    await expect(amount).toHaveAttribute('min', '1');
    await amount.fill('0.99');
    await add.click();
    await expect(balance.getByText('Please enter a valid balance greater than 0.')).toBeVisible();

    const answers: [string, string | null, Parameters<Route['fulfill']>[0] | null][] = [
      ['Failed to add balance. Please try again.', null, { json: { success: false } }],
      ['Not before noon.', 'Not before noon.', { status: 409, json: { success: false, message: 'Not before noon.' } }],
      [ERROR, 'It may have been done. Do the same again: it is done only once.', { status: 502, body: 'Bad Gateway' }],
      [ERROR, 'No answer came, so it may have been done. Do the same again: it is done only once.', null],
    ];
    for (const [said, beyond, answer] of answers) {
      await page.route('**/live/addbalance', (route) => (answer ? route.fulfill(answer) : route.abort()));
      await amount.fill('5');
      await expectSaid(page, { whole: said }, () => add.click());
      const note = balance.locator('[data-error]').last();
      if (beyond === null) await expect(note).toBeHidden();
      else await expect(note).toHaveText(beyond);
      await page.unroute('**/live/addbalance');
    }
    await amount.fill('');
  });

  await test.step('after an empty SAVE the payout comes back with the next choice', async () => {
    await form(page).getByRole('button', { name: 'SAVE' }).click();
    await expect(form(page).getByText('Please enter a valid result.')).toBeVisible();
    await page.locator('[data-drawno="7"]').click();
    await expect(form(page).getByText(/^Pays .*leaves/)).toBeVisible();
  });

  await test.step('with a saved result another can be saved, and looks so', async () => {
    await form(page).getByRole('button', { name: 'SAVE' }).click();
    await expect(page.getByText('Betting closed. Saved by')).toBeVisible();
    await expect(grid(page)).not.toHaveAttribute('data-dimmed');
    await expect(page.locator('[data-drawno="3"]')).toBeEnabled();
    expect(await placesOfGrid(page)).toEqual(places);
    await expectAccessible(page);
  });

  await test.step('after an early end the clock counts to the next draw', async () => {
    await page.getByRole('button', { name: 'Void draw' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('A trial');
    await dialog.getByRole('button', { name: 'Void draw' }).click();
    await expect(page.getByText(/next draw begins at/).first()).toBeVisible();
    await expect(page.getByRole('timer', { name: 'Time to the next draw' })).toBeVisible();
    expect(await placesOfGrid(page)).toEqual(places);
    await expect(grid(page)).toHaveAttribute('data-dimmed', 'true');
    await expect(page.getByRole('combobox', { name: 'Booster' })).toBeDisabled();
    await expectAccessible(page);
  });
});

test('an outcome has its picture: on its tile, as the choice, and as a result', async ({ page }) => {
  await openPanel(page, picturedUrl);
  const sun = page.locator('[data-drawno="3"]');
  const picture = sun.locator('svg').first();
  await expect(picture.locator('path').first()).toBeAttached();
  await expect(sun).toContainText('Sun');
  const drawn = await picture.innerHTML();

  await sun.click();
  await expect.poll(() => form(page).locator('svg').first().innerHTML()).toBe(drawn);
  await form(page).getByRole('button', { name: 'SAVE' }).click();
  await expect(page.getByText('Betting closed. Saved by')).toBeVisible();
  await page.getByRole('button', { name: 'Generate', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
  const chip = page.getByRole('region', { name: /^Recent results/ }).getByRole('button');
  await expect(chip).toHaveAccessibleName(/^\d+ [A-Z].* 1 X G? ?generated/);
  await expect(chip.locator('svg path').first()).toBeAttached();
  const banner = page.getByRole('status').getByRole('link', { name: /, (declared|generated)$/ });
  await expect(banner).toHaveAttribute('href', /^\/fair\/[0-9a-f-]{36}$/);
  await expectAccessible(page);
});

test('pictures that cannot be fetched leave the numbers, and nothing moves', { tag: LONG }, async ({ page }) => {
  await openPanel(page, picturedUrl);
  const sun = page.locator('[data-drawno="3"]');
  await expect(sun.locator('svg path').first()).toBeAttached();
  await wearWideFont(page);
  const before = await grid(page).boundingBox();
  await page.route(/\/assets\/tiles-/, (route) => route.abort());
  await page.reload();
  await expect(sun.locator('svg text')).toHaveText('3');
  await wearWideFont(page);
  expect(await grid(page).boundingBox()).toEqual(before);
});

test('a panel that newer tabs have crowded out says so, and goes on when it is looked at', async ({ browser }) => {
  const context = await browser.newContext();
  // As on plain http outside localhost: each tab has a connection of its own.
  await context.addInitScript('delete Navigator.prototype.locks');
  const first = await context.newPage();
  await haveSession(first, server.url, nameOf('admin'));
  await first.goto(panelUrl);
  await expect(grid(first)).toBeVisible();
  for (let more = 0; more < 6; more++) {
    const tab = await context.newPage();
    const connected = tab.waitForEvent('websocket');
    await tab.goto(`${server.url}/admin/profile`);
    await connected;
  }
  const said = first.getByText('Too many live panels are open.');
  await expect(said).toBeVisible();
  await expectAccessible(first);
  await first.evaluate("window.dispatchEvent(new Event('focus'))");
  await expect(said).toBeHidden();
  await expect(first.getByText('Reconnecting…')).toBeHidden();
  await context.close();
});

test('a panel whose game is taken from its admin goes, instead of showing figures that move no more', async ({
  page,
}) => {
  await openPanel(page, picturedUrl);
  await setGames([GAME]);
  await expect(grid(page)).toBeHidden();
  await expect(page.getByRole('main').getByRole('link', { name: 'All tables' })).toBeVisible();
  await expectAccessible(page);
  await setGames([GAME, PICTURED]);
});

// The last one, as it ends the server.
test('a lost connection is told without moving the grid', async ({ page }) => {
  await openPanel(page);
  await wearWideFont(page);
  const before = await grid(page).boundingBox();
  await server.end('SIGKILL');
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  expect(await grid(page).boundingBox()).toEqual(before);
  await expectAccessible(page);
});
