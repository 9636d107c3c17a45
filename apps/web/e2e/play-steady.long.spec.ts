import { expect, test, type Browser, type Page } from '@playwright/test';
import { drawPart, fateOf, NO_DRAWS, openBoard, placeButton, playGames, SEND } from './playTable.ts';
import { drawNow, nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { callApi, IN_MOTION, tokenOf, type TestServer, untilQuiet } from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork('play-steady', (...both) => ([server, network] = both), NO_DRAWS);
test.use(IN_MOTION);

const RESULTS: Readonly<Record<string, { result: string; color?: string; type?: string }>> = {
  funtargetbingo: { result: '3' },
  titlisorrat: { result: '3' },
  pingpong1: { result: '3' },
  europeanroulette: { result: '17' },
  andarbahar: { result: '13', color: 'black', type: 'spade' },
  triplefun: { result: '123' },
  lottery3d: { result: '123' },
  lottery4d: { result: '[{"series":"1000","results":[{"subseries":"1000","drawno":"1042"}]}]' },
  acqOpdpL: { result: '[{"series":"K50SILVER","drawno":"07"},{"series":"K60GOLD","drawno":"42"}]' },
};
const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
] as const;
const MOST = 0.02;

/** Sums layout shifts since the last reading, also within half a second of a touch. */
const LISTEN = `(() => {
  window.shifts = { sum: 0, moved: [] };
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      shifts.sum += value;
      shifts.moved.push(...sources.map(({ node }) => value.toFixed(4) + ' ' + (node?.textContent ?? '').slice(0, 40)));
    }
  }).observe({ type: 'layout-shift', buffered: true });
})()`;

async function openSized(browser: Browser, gameId: string, size: (typeof SIZES)[number]): Promise<Page> {
  const context = await browser.newContext({ viewport: size });
  await context.addInitScript(LISTEN);
  const page = await context.newPage();
  await untilQuiet(page, async () => {
    await openBoard(page, server, gameId);
    await page.getByRole('grid').waitFor();
  });
  return page;
}

/** Shifts are reported some frames later. */
async function expectStill(pages: readonly Page[], phase: string): Promise<void> {
  for (const page of pages) {
    const { sum, moved } = await page.evaluate<{ sum: number; moved: string[] }>(`(async () => {
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
      const found = shifts;
      window.shifts = { sum: 0, moved: [] };
      return found;
    })()`);
    expect.soft(sum, `${phase} at ${page.viewportSize()!.width} px: ${moved.join('; ')}`).toBeLessThanOrEqual(MOST);
  }
}

test.beforeAll(() => playGames(server, network, Object.keys(RESULTS)));

test('nothing moves while a ticket has no answer', async ({ browser }) => {
  const pages = await Promise.all(SIZES.map((size) => openSized(browser, 'lottery3d', size)));
  for (const page of pages) {
    await page.route(SEND, (route) => route.abort());
    await page.getByRole('grid').getByRole('button').nth(3).click();
    await expect(placeButton(page)).toHaveText('Place 1.00');
  }
  await expectStill(pages, 'bet');
  for (const page of pages) {
    await placeButton(page).click();
    await expect(fateOf(page, 'Checking whether your ticket was placed')).toBeVisible();
  }
  await expectStill(pages, 'without an answer');
  for (const page of pages) {
    await page.unroute(SEND);
    await expect(fateOf(page, 'Placed')).toBeVisible();
  }
  await expectStill(pages, 'placed');
  for (const page of pages) await page.context().setOffline(true);
  for (const page of pages) await expect(drawPart(page)).toContainText('No connection');
  await expectStill(pages, 'offline');
  for (const page of pages) await page.context().close();
});

test('nothing moves when a ticket is refused', async ({ browser }) => {
  const pages = await Promise.all(SIZES.map((size) => openSized(browser, 'lottery3d', size)));
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  const refusal = { success: false, code: 'BETTING_CLOSED', message: 'Betting on this draw is closed.' };
  for (const page of pages) {
    await page.route(SEND, async (route) => {
      await promise;
      await route.fulfill({ status: 422, json: refusal });
    });
    await page.getByRole('grid').getByRole('button').nth(3).click();
    await placeButton(page).click();
    await expect(page.getByText('Placing your ticket', { exact: true })).toBeVisible();
  }
  await expectStill(pages, 'sent');
  answer();
  for (const page of pages) await expect(fateOf(page, 'Not placed')).toBeVisible();
  await expectStill(pages, 'refused');
  for (const page of pages) await page.context().close();
});

for (const [gameId, declared] of Object.entries(RESULTS))
  test(`nothing moves at any phase of a draw of ${gameId}`, async ({ browser }) => {
    const pages = await Promise.all(SIZES.map((size) => openSized(browser, gameId, size)));
    await expectStill(pages, 'opened');
    for (const page of pages) await page.getByRole('grid').getByRole('button').nth(3).click();
    for (const page of pages) await expect(placeButton(page)).toHaveText('Place 1.00');
    await expectStill(pages, 'bet');
    for (const page of pages) {
      await placeButton(page).click();
      await expect(fateOf(page, 'Placed')).toBeVisible();
    }
    for (const page of pages) await expect(drawPart(page)).toContainText(/This draw:\s\d\.00\son\s\d\sbets/);
    await expectStill(pages, 'placed');
    const body = { gameId, adminId: network.accounts.admin._id, ...declared };
    await callApi(server.url, 'live/addresult', await tokenOf(server.url, nameOf('admin')), body);
    for (const page of pages) await expect(drawPart(page)).toContainText('Closed. Drawn in');
    await expectStill(pages, 'closed');
    const moments = pages.map((page) => page.getByRole('button', { name: 'Close the result' }));
    const shown = Promise.all(moments.map((moment) => expect(moment).toBeVisible()));
    await drawNow(server, gameId);
    await shown;
    for (const page of pages) await expect(drawPart(page)).toContainText('Last draw:');
    await expectStill(pages, 'result');
    for (const moment of moments) await expect(moment).toBeHidden();
    for (const page of pages) await expect(page.getByRole('region', { name: 'Last result' })).toBeVisible();
    await expectStill(pages, 'after');
    for (const page of pages) await page.context().close();
  });
