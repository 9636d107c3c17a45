import { randomUUID } from 'node:crypto';
import { expect, test, type Page } from '@playwright/test';
import { expectToFit } from './look.ts';
import { cellOf, fateOf, NO_DRAWS, openBoard, placeButton, playGames } from './playTable.ts';
import { drawNow, nameOf, serveNetwork, type Network } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  holdClock,
  submitSignIn,
  tokenOf,
  type TestServer,
} from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork('play-limits', (...both) => ([server, network] = both), NO_DRAWS);
const { allow } = failOnErrors();
const GAMES = ['fruit12', 'horse12', 'lottery3d', 'titlisorrat'];
const SIZES = [[320, 640], [390, 844], 768, 1280] as const;

test.beforeAll(() => playGames(server, network, GAMES));
test.beforeEach(() => allow(/status of (404|422)|answered (404|422)/));

async function callAs(name: 'user' | 'retailer' | 'admin', method: 'POST' | 'PUT', path: string, body: unknown) {
  await callApi(server.url, path, await tokenOf(server.url, nameOf(name)), body, method);
}

const bet = async (gameId: string, drawno: string, qty: number) =>
  callAs('user', 'POST', 'app/bet', { gameId, requestId: randomUUID(), lines: [{ drawno, qty }] });
const chip = (page: Page, points: string) =>
  page.getByRole('radio', { name: `${points} points`, exact: true }).press('Space');

test("a board shows the game's limits and the draw's remainder", async ({ page }) => {
  const admin = await tokenOf(server.url, nameOf('admin'));
  const limits = `limits/${network.accounts.admin._id}`;
  const { data } = await callApi<{ data: { id: string; gameId: string }[] }>(server.url, limits, admin);
  const { id } = data.find(({ gameId }) => gameId === 'fruit12')!;
  await callAs('admin', 'PUT', limits, { updates: [{ id, perNumber: 40, perTicket: 20, perPlayer: 25 }] });
  await openBoard(page, server, 'fruit12');
  await bet('fruit12', '2', 10);
  await page.reload();
  await expect(
    page.getByText(
      'At most 40.00 points per number on a draw, all players together. At most 20.00 points per ticket. ' +
        'At most 25.00 points per player and draw.',
    ),
  ).toBeVisible();
  const left = page.getByText('At most 25.00 points per player and draw: 15.00 points are left on this one.');
  await chip(page, '10.00');
  await cellOf(page, /Apple/).click();
  await expect(left).toBeVisible();
  await expect(placeButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await cellOf(page, /Apple/).click();
  await expect(left).toBeVisible();
  await expect(placeButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expectToFit(page, SIZES, 'the limits of a game');
  await page.getByRole('button', { name: 'Undo' }).click();
  await placeButton(page).click();
  await expect(fateOf(page, 'Placed')).toBeVisible();
  await cellOf(page, /Apple/).click();
  await expect(page.getByText('per player and draw: 5.00 points are left on this one.')).toBeVisible();
});

test('typed bets of every kind show their return before placing, as does each ticket line', async ({ page }) => {
  await openBoard(page, server, 'lottery3d');
  const numbers = page.getByRole('textbox', { name: 'Numbers' });
  await numbers.fill('fp 12, straight 123');
  const keypad = page.getByRole('form', { name: 'Bet by number' });
  await expect(keypad).toContainText('2 bets, 2.00 points');
  await expect(keypad).toContainText(/Front Pair pays [\d.,]+ for 1, returns [\d.]+%/);
  await expect(keypad).toContainText(/Straight pays [\d.,]+ for 1, returns [\d.]+%/);
  await numbers.press('Enter');
  await page.getByRole('textbox', { name: 'Units' }).press('Enter');
  const lines = page.getByRole('region', { name: 'Your slip' }).getByRole('listitem');
  await expect(lines).toHaveCount(2);
  for (const line of await lines.all()) await expect(line).toContainText(/returns [\d.]+%/);
  await expectToFit(page, SIZES, 'a ticket with returns');
});

test("today's net continues when a draw settled while the live connection was down", async ({ page }) => {
  let cut = async (): Promise<void> => undefined;
  let isDown = false;
  await page.routeWebSocket(/socket\.io/, (socket) => {
    if (isDown) return void socket.close();
    socket.connectToServer();
    cut = () => socket.close();
  });
  await page.route(/socket\.io/, (route) => (isDown ? route.abort() : route.continue()));
  allow(/socket\.io|WebSocket|ERR_FAILED|Failed to load/);
  await openBoard(page, server, 'horse12');
  const day = page.getByRole('region', { name: 'Your time and your day' });
  // Ignores the session's duration.
  const today = async () => /Today.*/s.exec((await day.getByText(/Today/).textContent())!)![0];
  const before = await today();
  await bet('horse12', '5', 7);
  isDown = true;
  await cut();
  await expect(page.getByText('Reconnecting.')).toBeVisible();
  await callAs('admin', 'POST', 'live/addresult', {
    gameId: 'horse12',
    adminId: network.accounts.admin._id,
    result: '3',
  });
  await drawNow(server, 'horse12');
  const token = await tokenOf(server.url, nameOf('user'));
  await expect
    .poll(
      async () =>
        (await callApi<{ data: { winpoints: number | null }[] }>(server.url, 'app/tickets?gameId=horse12', token))
          .data[0]!.winpoints,
    )
    .toBe(0);
  expect(await today()).toBe(before);
  isDown = false;
  await expect(day).toContainText(/Today −7\.00/);
});

test("an open board continues into the network's next day", async ({ page }) => {
  let day: ReturnType<typeof dayThatEnds> | undefined;
  await page.route('**/api/app/protection', async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = (await response.json()) as { data: { serverTime: string } };
    const now = Date.parse(data.serverTime);
    day ??= dayThatEnds(now);
    const serverTime = new Date(now + day.aheadMs).toISOString();
    await route.fulfill({ response, json: { ...rest, data: { ...data, serverTime, timeZone: day.timeZone } } });
  });
  const read: { path: string; isAfter: boolean }[] = [];
  page.on('request', (request) => {
    const isAfter = day !== undefined && Date.now() >= day.endsAt;
    read.push({ path: new URL(request.url()).pathname, isAfter });
  });
  const reads = (path: string, after: boolean) =>
    read.filter((each) => each.path === path && each.isAfter === after).length;
  // News would reread the lobby.
  await page.routeWebSocket(/socket\.io/, () => undefined);
  await page.route(/socket\.io/, () => undefined);
  await openBoard(page, server, 'titlisorrat');
  await expect(page.getByText(/^Signed in for/)).toBeVisible();
  for (const path of ['/api/app/lobby', '/api/app/protection']) {
    await expect.poll(() => reads(path, true)).toBe(1);
    expect(reads(path, false)).toBe(1);
  }
  // Requests are counted before their answers.
  await page.unrouteAll({ behavior: 'wait' });
});

/** Makes the day end soon, at `endsAt` on the local clock. */
function dayThatEnds(now: number) {
  const soonMs = 5_000;
  // Its next day begins within the hour.
  const behind = (47 - new Date(now).getUTCHours()) % 24;
  return {
    timeZone: behind > 12 ? `Etc/GMT+${24 - behind}` : `Etc/GMT-${behind}`,
    aheadMs: 3_600_000 - (now % 3_600_000) - soonMs,
    endsAt: Date.now() + soonMs,
  };
}

test('during a break boards and sign-ins show its end, nothing is placed, and exclusion stays possible', async ({
  page,
}) => {
  await openBoard(page, server, 'titlisorrat');
  await cellOf(page, /^Sun/).click();
  await page.route('**/api/app/bet', async (route) => {
    await callAs('user', 'POST', 'app/protection/break', { length: '1 week' });
    await route.continue();
  });
  await placeButton(page).click();
  await expect(fateOf(page, 'Not placed')).toBeVisible();
  await expect(page.getByText(/You can't bet or change limits until then\. Nothing was taken/)).toBeVisible();
  await page.getByRole('button', { name: 'Back to slip' }).click();
  const said = page.getByText(/^You are on a break until \d/);
  await expect(said).toHaveCount(2);
  await expect(page.getByText(/^You are on a break until .* You can’t place bets until then\.$/)).toBeVisible();
  await expect(placeButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('region', { name: 'Your slip' })).toContainText('1 bet');
  await expectAccessible(page);
  await expectToFit(page, SIZES, 'a break on a board');

  await page.goto(`${server.url}/mine/limits`);
  await expect(page.getByRole('button', { name: /^(Change (?!reminders)|Take )/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Exclude me for 6 months' })).toBeVisible();

  for (const path of ['/sign-in', '/auth/login']) {
    await page.goto(`${server.url}/healthz`);
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await page.context().clearCookies();
    if (path === '/sign-in') await page.clock.install();
    await page.goto(server.url + path);
    await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible();
    // Both navigate a second after their message.
    await holdClock(page);
    await submitSignIn(page, nameOf('user'));
    const notice = page.getByRole('status').or(page.getByRole('alert'));
    await expect(notice.filter({ hasText: /^You are on a break until / })).toBeVisible();
    await page.clock.resume();
    await page.waitForURL(`${server.url}/`);
    await expect(page.getByText(/^You are on a break until \d/)).toBeVisible();
  }
});
