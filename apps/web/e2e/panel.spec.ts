import { randomUUID } from 'node:crypto';
import { expect, test, type Page, type Route } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { gridOf, openPanel, resultForm, urlOfPanel } from './panelPage.ts';
import { NO_DRAWS, playGames } from './playTable.ts';
import { drawInHours, drawNow, nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { callApi, expectAccessible, expectAccessibleInLong, IN_MOTION, tokenOf, type TestServer } from './support.ts';
import { wearWideFont } from './wideFont.ts';

const [GAME, SCROLLED] = ['funtargetbingo', 'pingpong1'];
const ERROR = 'Error occurred while adding balance!';

let server: TestServer;
let network: Network;

serveNetwork('panel', (...both) => ([server, network] = both), NO_DRAWS);
test.beforeAll(() => playGames(server, network, [GAME, SCROLLED]));
test.use(IN_MOTION);

/** Layout follows a resize a frame or two later. Runs in the browser. */
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

/** A fraction of a pixel may round to one. */
async function expectPlaces(page: Page, places: readonly number[]): Promise<void> {
  const moved = (await placesOfGrid(page)).map((place, nth) => Math.abs(place - places[nth]!));
  expect(Math.max(...moved), `the grid moved by ${moved.join()} pixels`).toBeLessThanOrEqual(1);
}

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

test('the panel shows available actions and the next step without moving the grid', async ({ page }) => {
  let frames = 0;
  // The longest countdown leaves the least space.
  await drawInHours(server, GAME);
  page.on('websocket', (socket) => socket.on('framereceived', () => frames++));
  await openPanel(page, urlOfPanel(server.url, network, GAME));
  // The CSP must allow the WebSocket, without polling.
  await expect.poll(() => frames).toBeGreaterThan(1);
  await wearWideFont(page);
  await expect(page.getByText('Betting is open')).toBeVisible();
  const places = await placesOfGrid(page);

  await test.step('a refused balance shows the figure at its field', async () => {
    await page.getByRole('spinbutton', { name: 'Balance to add' }).fill('999999');
    await page.getByRole('button', { name: 'Add Balance' }).click();
    const note = page.getByRole('region', { name: 'Game balance' }).getByText('The admin has only 1,000.00 points');
    await expect(note).toBeVisible();
    await page.getByRole('spinbutton', { name: 'Balance to add' }).fill('');
    await expect(note).toBeHidden();
  });

  await test.step("a failure uses the specification's or the server's words only", async () => {
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
      [
        ERROR,
        'We don’t know whether it went through. Do it again unchanged; it won’t be done twice.',
        { status: 502, body: 'Bad Gateway' },
      ],
      [ERROR, 'No answer. We don’t know whether it went through. Do it again unchanged; it won’t be done twice.', null],
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

  await test.step('after an empty SAVE the next choice restores the payout', async () => {
    await resultForm(page).getByRole('button', { name: 'SAVE' }).click();
    await expect(resultForm(page).getByText('Please enter a valid result.')).toBeVisible();
    await page.locator('[data-drawno="7"]').click();
    await expect(resultForm(page).getByText(/^Pays .*keeps/)).toBeVisible();
  });

  await test.step('a saved result can be replaced and looks saved', async () => {
    await resultForm(page).getByRole('button', { name: 'SAVE' }).click();
    await expect(page.getByText('Betting closed. Saved by')).toBeVisible();
    await expect(gridOf(page)).not.toHaveAttribute('data-dimmed');
    await expect(page.locator('[data-drawno="3"]')).toBeEnabled();
    await expectPlaces(page, places);
    await expectAccessible(page);
  });

  await test.step('after a void by keyboard the clock counts to the next draw', async () => {
    await page.keyboard.press('v');
    const dialog = page.getByRole('dialog', { name: /^Void draw/ });
    await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused();
    await page.keyboard.type('A trial');
    await page.keyboard.press('Tab');
    const password = dialog.getByLabel('Your password', { exact: true });
    await expect(password).toBeFocused();
    await expect(password).not.toHaveValue('');
    await page.keyboard.press('Enter');
    await expect(page.getByText(/next opens at/)).toBeVisible();
    await expect(page.getByRole('timer', { name: 'Time to the next draw' })).toBeVisible();
    await expectPlaces(page, places);
    await expect(gridOf(page)).toHaveAttribute('data-dimmed', 'true');
    await expect(page.getByRole('combobox', { name: 'Booster' })).toBeDisabled();
    await expectAccessibleInLong(page);
  });
});

test('choice, input and scroll position survive bets; the choice ends with the draw', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 600 });
  await openPanel(page, urlOfPanel(server.url, network, SCROLLED));
  const six = page.locator('main [data-drawno="6"]');
  await six.click();
  await page.getByRole('combobox', { name: 'Booster' }).selectOption('3');
  await page.getByRole('button', { name: 'Game balance and more' }).click();
  const amount = page.getByRole('spinbutton', { name: 'Balance to add' });
  await amount.fill('12.5');
  const scrolled = () =>
    page.evaluate<number>(`Math.max(...[...document.querySelectorAll('main, main *')].map((each) => each.scrollTop))`);
  const before = await scrolled();
  await callApi(server.url, 'app/bet', await tokenOf(server.url, nameOf('user')), {
    gameId: SCROLLED,
    requestId: randomUUID(),
    lines: [{ drawno: '6', qty: 33 }],
  });
  await expect(six).toContainText('33.00');
  await expect(amount).toHaveValue('12.5');
  await page.keyboard.press('Escape');
  await expect(six).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('combobox', { name: 'Booster' })).toHaveValue('3');
  expect(await scrolled()).toBe(before);

  await drawNow(server, SCROLLED);
  await expect(six).toHaveAttribute('aria-pressed', 'false');
  await expect(resultForm(page).getByRole('textbox', { name: 'Result' })).toHaveValue('');
});
