import type { Game } from '@drawhouse/contract/games/games';
import { expect, test, type Route } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { gridOf, openPanel, resultForm, urlOfPanel } from './panelPage.ts';
import { followTo } from './routePaths.ts';
import { giveGames, LONG_DRAW_SECONDS, makeNetwork, nameOf, setDrawInterval } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  IN_MOTION,
  haveSession,
  startTestServerProcess,
  tokenOf,
  type TestServerProcess,
} from './support.ts';
import { wearWideFont } from './wideFont.ts';

const GAME = 'funtargetbingo';
const PICTURED = 'titlisorrat';

test.use(IN_MOTION);

let server: TestServerProcess;
let panelUrl: string;
let picturedUrl: string;
let setGames: (keys: readonly string[]) => Promise<void>;

test.beforeAll(async () => {
  server = await startTestServerProcess('panel');
  await setDrawInterval(server, GAME, LONG_DRAW_SECONDS);
  const network = await makeNetwork(server.url);
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  setGames = (keys) => {
    const games = data.filter(({ gameId }) => keys.includes(gameId));
    return giveGames(server.url, token, network.accounts.admin._id, games);
  };
  await setGames([GAME, PICTURED]);
  panelUrl = urlOfPanel(server.url, network, GAME);
  picturedUrl = urlOfPanel(server.url, network, PICTURED);
});
test.afterAll(() => server.remove());

test("an outcome's picture shows on tile, choice and result", async ({ page }) => {
  await openPanel(page, picturedUrl);
  const sun = page.locator('[data-drawno="3"]');
  const picture = sun.locator('svg').first();
  await expect(picture.locator('path').first()).toBeAttached();
  await expect(sun).toContainText('Sun');
  const drawn = await picture.innerHTML();

  await sun.click();
  await expect.poll(() => resultForm(page).locator('svg').first().innerHTML()).toBe(drawn);
  await resultForm(page).getByRole('button', { name: 'SAVE' }).click();
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

test('missing pictures fall back to numbers without layout shift', async ({ page }) => {
  await openPanel(page, picturedUrl);
  const sun = page.locator('[data-drawno="3"]');
  await expect(sun.locator('svg path').first()).toBeAttached();
  await wearWideFont(page);
  const before = await gridOf(page).boundingBox();
  await page.route(/\/assets\/tiles-/, (route) => route.abort());
  await page.reload();
  await expect(sun.locator('svg text')).toHaveText('3');
  await wearWideFont(page);
  expect(await gridOf(page).boundingBox()).toEqual(before);
});

test('a panel displaced by newer tabs says so and resumes when viewed', async ({ browser }) => {
  const context = await browser.newContext();
  // As on plain http outside localhost: every tab connects.
  await context.addInitScript('delete Navigator.prototype.locks');
  const first = await context.newPage();
  await haveSession(first, server.url, nameOf('admin'));
  await first.goto(panelUrl);
  await expect(gridOf(first)).toBeVisible();
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

test('a result saved after leaving the panel is not announced elsewhere, a failure names its panel', async ({
  page,
}) => {
  await openPanel(page, panelUrl);
  const leaveWhileSaving = async (answer: Parameters<Route['fulfill']>[0]) => {
    const { promise: asked, resolve } = Promise.withResolvers<Route>();
    await page.route('**/live/addresult', resolve);
    await page.locator('[data-drawno="7"]').click();
    await resultForm(page).getByRole('button', { name: 'SAVE' }).click();
    const held = await asked;
    await followTo(page, new URL(picturedUrl).pathname);
    const answered = page.waitForResponse('**/live/addresult');
    await held.fulfill(answer);
    await (await answered).finished();
    // The next two frames would show a message.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))');
    await page.unroute('**/live/addresult');
  };
  await leaveWhileSaving({ json: { success: true, message: 'Result added successfully!' } });
  await expect(page.getByText('Result added successfully!')).toHaveCount(0);
  await followTo(page, new URL(panelUrl).pathname);
  await expect(gridOf(page)).toBeVisible();
  await expectSaid(page, ['Failed to add result. Please try again.', `Fun Target Bingo ${nameOf('admin')}`], () =>
    leaveWhileSaving({ json: { success: false } }),
  );
});

test('a panel closes when its game is taken from the admin', async ({ page }) => {
  await openPanel(page, picturedUrl);
  await setGames([GAME]);
  await expect(gridOf(page)).toBeHidden();
  await expect(page.getByRole('main').getByRole('link', { name: 'All tables' })).toBeVisible();
  await expectAccessible(page);
  await setGames([GAME, PICTURED]);
});

// Last, because it stops the server.
test('a lost connection is reported without moving the grid', async ({ page }) => {
  await openPanel(page, panelUrl);
  await wearWideFont(page);
  const before = await gridOf(page).boundingBox();
  await server.end('SIGKILL');
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  expect(await gridOf(page).boundingBox()).toEqual(before);
  await expectAccessible(page);
});
