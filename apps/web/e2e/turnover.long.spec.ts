import { expect, test, type Locator, type Page, type Route } from '@playwright/test';
import { printedBy } from './printedBy.ts';
import { ask } from '../../server/test/test-databases.ts';
import { nameOf, serveNetwork } from './testNetwork.ts';
import { expectAccessible, IN_MOTION, failOnErrors, haveSession, type TestServer, untilQuiet } from './support.ts';

test.use(IN_MOTION);

let server: TestServer;
serveNetwork('turnover', (its) => (server = its));
const { allow } = failOnErrors();
/** The zone of servers and pages, which defines rollup days. */
const ZONE = process.env['TZ']!;

/** Days ago, stake and win in the rollups. */
const PLAYED = [
  [6, 100, 40],
  [3, 300, 420],
  [1, 50, 0],
] as const;

test.beforeAll(async () => {
  const values = PLAYED.map(([days, stake, win]) => `(${days}, ${stake}00, ${win}00)`).join(', ');
  await ask(
    server.ownerUrl!,
    `insert into rollups (network_id, game_id, grain, starts_at, account_id, stake, win, super_commission,
      dist_commission, retail_commission, user_commission)
     select ng.network_id, ng.game_id, grain, date_trunc('day', now(),
     '${ZONE}') - days * interval '1 day' + after, up.id, stake, win, stake / 100, 0, 0, 0
     from network_games ng, (values ${values}) as played (days, stake, win),
          (values ('day', interval '0'), ('quarter', interval '10 hours')) as periods (grain, after),
          accounts player cross join lateral unnest(player.chain) as up (id) where player.username = '${nameOf('user')}'
     on conflict do nothing`,
  );
  // Ten draws with 10 points on one of ten numbers: expected return 9 of 10, within 8.5.
  await ask(
    server.ownerUrl!,
    `insert into return_sums (network_id, game_id, starts_at, draws, stake, win, expected_win, variance)
     select network_id, game_id, date_trunc('day', now(), '${ZONE}') - interval '1 day', 10, 10000, 36000,
     9000000000, 7290000000000 from network_games`,
  );
});

const course = (page: Page) => page.getByRole('region', { name: /Play, win and net/ });
const slider = (page: Page) => course(page).getByRole('slider');
const isMarkBeneath = (shown: HTMLElement): boolean => {
  const mark = shown.querySelector('[class*="band"]')!;
  const svg = mark.parentElement!.querySelector('svg')!;
  const { left, right } = mark.getBoundingClientRect();
  const column = [...svg.querySelectorAll('rect')]
    .map((rect) => rect.getBoundingClientRect())
    .find((rect) => rect.left >= left && rect.right <= right)!;
  // elementsFromPoint ignores elements without pointer events.
  svg.style.pointerEvents = 'auto';
  const stacked = shown.ownerDocument.elementsFromPoint(column.left + column.width / 2, column.top + column.height / 2);
  svg.style.pointerEvents = '';
  const above = stacked.findIndex(({ tagName }) => tagName === 'rect');
  return above !== -1 && above < stacked.indexOf(mark);
};
const dayOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toLocaleDateString('en-CA');

test('the turnover chart is read by keyboard, as a table, zoomed to a day and back', async ({ page }) => {
  await haveSession(page, server.url, nameOf('superadmin'));
  await page.goto(`${server.url}/superadmin/turnoverreport?period=4`);
  await expect(page.getByRole('heading', { name: 'Turnover Report: Admins' })).toBeVisible();
  await expect(slider(page)).toBeVisible();
  await expectAccessible(page);

  await slider(page).focus();
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /Play 50\.00, Win 0\.00, Net 49\.50$/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /Play 300\.00, Win 420\.00, Net −123\.00$/);
  expect(await course(page).evaluate(isMarkBeneath)).toBe(true);

  await course(page).getByRole('button', { name: 'Show as table' }).click();
  const rows = course(page).getByRole('row');
  await expect(rows).toHaveCount(8);
  await expect(rows.filter({ hasText: '420.00' })).toContainText('−123.00');
  await expect(page.getByRole('definition').first()).toHaveText('450.00');
  await expectAccessible(page);
  const days = await course(page).getByRole('rowheader').allTextContents();
  const printed = (await printedBy(page, () => page.keyboard.press('Control+p'))).join('\n');
  for (const day of days) expect(printed).toContain(day);
  await course(page).getByRole('button', { name: 'Show as chart' }).click();

  await slider(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`startDate=${dayOf(1)}&endDate=${dayOf(1)}`));
  await expect(course(page)).toContainText('by the hour');
  await expect(slider(page)).toHaveAttribute('aria-valuemax', '24');
  await expect(page.getByRole('definition').first()).toHaveText('50.00');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL(/period=4$/);
  await expect(course(page)).toContainText('by day');

  const box = (await slider(page).boundingBox())!;
  await page.mouse.move(box.x + (box.width / 7) * 4.5, box.y + box.height / 2);
  await expect(course(page)).toContainText('Select a day to see only that day');
  await page.mouse.click(box.x + (box.width / 7) * 4.5, box.y + box.height / 2);
  await expect(page).toHaveURL(new RegExp(`startDate=${dayOf(3)}&endDate=${dayOf(3)}`));
  await expect(page.getByRole('definition').first()).toHaveText('300.00');

  await page.getByRole('link', { name: nameOf('admin'), exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Turnover Report: Super Distributors' })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`role=admin&id=[\\w-]+&startDate=${dayOf(3)}&endDate=${dayOf(3)}`));
  await expect(page.getByRole('definition').first()).toHaveText('300.00');
});

/** Before its first settled draw, with something that needs a person. */
const UNPLAYED = { hasPlayed: false, steps: { hasCredit: false, playerHasCredit: false, hasBet: false, panel: null } };
const LATE = { code: 'DRAWS_LATE', key: '', title: 'Draws are late', text: 'Look at the tables.', detail: '3 draws' };

test('nothing moves when late code and answers arrive', async ({ page }) => {
  await haveSession(page, server.url, nameOf('superadmin'));
  await page.addInitScript(`
    globalThis.moved = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.moved += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  let ready = Promise.withResolvers<void>();
  const late = async (route: Route) => {
    await ready.promise;
    await route.continue();
  };
  const lateFirst = async (route: Route, change: object) => {
    const response = await route.fetch();
    const answer = (await response.json()) as object;
    await ready.promise;
    await route.fulfill({ response, json: { ...answer, ...change } });
  };
  for (const what of ['**/ChartPlot-*.js', '**/dates-*.js', '**/api/reports/turn**', '**/api/admins/all**'])
    await page.route(what, late);
  const today = page.getByRole('region', { name: 'Today so far' });
  const loads = async (path: string, begun: Locator, done: Locator) => {
    for (const size of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ]) {
      ready = Promise.withResolvers<void>();
      await page.setViewportSize(size);
      await untilQuiet(page, async () => {
        await page.goto(`${server.url}/superadmin/${path}`);
        await expect(begun).toBeVisible();
        ready.resolve();
        await expect(done).toBeVisible();
      });
      expect(await page.evaluate('globalThis.moved'), `${path} at ${size.width} px`).toBeLessThan(0.02);
    }
  };
  await loads('turnoverreport?period=4', course(page), page.getByText('450.00').first());
  await loads('admin', page.getByRole('heading', { level: 1 }), page.getByRole('navigation', { name: 'Pages' }));
  await page.route('**/api/reports/dashboard', late);
  await loads('dashboard', page.getByRole('heading', { level: 1 }), today.getByRole('slider'));
  await page.route('**/api/notices', (route) => lateFirst(route, { data: [LATE] }));
  await page.route('**/api/reports/dashboard', (route) => lateFirst(route, UNPLAYED));
  await loads('dashboard', page.getByRole('heading', { level: 1 }), page.getByText('No one has played yet'));
});

test('a player in the turnover report links to its tickets of the period', async ({ page }) => {
  await haveSession(page, server.url, nameOf('retailer'));
  await page.goto(`${server.url}/retailer/turnoverreport?period=4`);
  await page
    .getByRole('region', { name: /^Turnover Report/ })
    .getByRole('link', { name: nameOf('user') })
    .click();
  await expect(page).toHaveURL(
    new RegExp(`/retailer/gamehistory\\?userId=[\\w-]{36}&startDate=${dayOf(7)}&endDate=${dayOf(1)}&period=4$`),
  );
  await expect(page.getByRole('button', { name: 'Last Week' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('No history found for this game.').or(page.getByText('No matches'))).toBeVisible();
});

test('the chosen period stays visible when a phone is turned', async ({ page }) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await haveSession(page, server.url, nameOf('retailer'));
  await page.goto(`${server.url}/retailer/turnoverreport`);
  const today = page.getByRole('button', { name: 'Today', exact: true });
  await expect(today).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(today).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Last 6 Months' })).not.toBeInViewport();
});

test('forced colors keep selections distinguishable', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await haveSession(page, server.url, nameOf('superadmin'));
  await page.goto(`${server.url}/superadmin/turnoverreport?period=4`);
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  for (const [chosen, other] of [
    [page.getByRole('button', { name: 'Last Week' }), page.getByRole('button', { name: 'Yesterday' })],
    [menu.getByRole('link', { name: 'Turnover Report' }), menu.getByRole('link', { name: 'Returns' })],
  ] as const) {
    const background = (of: Locator) => of.evaluate((element) => getComputedStyle(element).backgroundColor);
    await expect(chosen).toBeVisible();
    expect(await background(chosen)).not.toBe(await background(other));
  }
});

test('invalid days fall back to today, and an empty chart says so', async ({ page }) => {
  await haveSession(page, server.url, nameOf('retailer'));
  await page.goto(`${server.url}/retailer/turnoverreport?startDate=nonsense&endDate=2026-13-45`);
  await expect(page.getByRole('button', { name: 'Today', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(course(page)).toContainText('Nothing was played in this period.');
  await expect(page.getByRole('heading', { name: 'Turnover Report: Users' })).toBeVisible();
});

test('a table replaces the chart until its code loads', async ({ page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  allow(/ERR_FAILED|ChartPlot-/);
  await page.route('**/ChartPlot-*.js', (route) => route.abort());
  await page.goto(`${server.url}/admin/turnoverreport?period=4`);
  await expect(course(page).getByRole('table')).toBeVisible();
  await page.unroute('**/ChartPlot-*.js');
  await course(page).getByRole('button', { name: 'Show as chart' }).click();
  await expect(slider(page)).toBeVisible();
});

test('returns outside their band are marked and filtered', async ({ page }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/returns`);
  const row = page.getByRole('row').filter({ hasText: 'Above its band' });
  await expect(row).toContainText('360.00\u{a0}%');
  const total = page.getByRole('region', { name: 'Returns' }).locator('tfoot');
  for (const width of [1600, 1440, 1024, 600, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(total, `at ${width} px`).toContainText('100.00');
    await expect(total, `at ${width} px`).toContainText('360.00');
  }
  await page.setViewportSize({ width: 1600, height: 900 });
  await expect(page.getByText('1 game is outside its band.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Filter by Band' }).click();
  await page.getByRole('dialog', { name: 'Band' }).getByRole('button', { name: 'Within its band' }).click();
  await expect(page.getByText('No games match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(row).toBeVisible();
  await page.getByRole('button', { name: 'Yesterday' }).click();
  await expect(row).toBeVisible();
  await page.getByRole('button', { name: 'Today', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: 'No draws with bets' })).toBeVisible();
});
