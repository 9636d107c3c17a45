import { expect, test, type Locator } from '@playwright/test';
import { chooseExport, exportedName, openList } from './accountListSteps.ts';
import { expectSaid } from './messages-heard.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import {
  expectAccessible,
  failOnErrors,
  haveSession,
  holdClock,
  inRowMenu,
  PASSWORD,
  whileTimeCreeps,
  type TestServer,
} from './support.ts';

let server: TestServer;
let network: Network;

const { allow } = failOnErrors();
serveNetwork('lists', (...both) => ([server, network] = both));
test.beforeEach(({ page }) => haveSession(page, server.url, nameOf('superadmin')));

test('an export can be stopped', async ({ page }) => {
  await openList(page, server.url, 'user');
  await page.route('**/api/users/export**', () => undefined);
  await chooseExport(page, 'Export XLS');
  await expect(page.getByText('is being prepared')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('is being prepared')).toBeHidden();
  await page.unroute('**/api/users/export**');
  expect(await exportedName(page, 'Export XLS')).toBe('PlayersList.xlsx');
});

test('a message leaves the page uncovered', async ({ page }) => {
  await page.clock.install();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await openList(page, server.url, 'user');
    await holdClock(page);
    await whileTimeCreeps(page, chooseExport(page, 'Export XLS'));
    const message = page.getByRole('alert').filter({ hasText: 'PlayersList.xlsx is saved.' });
    await whileTimeCreeps(page, expect(message).toBeVisible());
    await message.hover();
    const [over, main] = [await message.boundingBox(), await page.getByRole('main').boundingBox()];
    await page.clock.resume();
    expect(over!.y + over!.height, `at ${width} px`).toBeLessThanOrEqual(main!.y);
  }
});

test('a part that fails to load leaves the page, and loads on the next click', async ({ page }) => {
  allow(/ERR_FAILED.*(BulkDialog|TopUpDialog|dates)/);
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const cases: readonly [string, () => Promise<void>, Locator][] = [
    [
      'BulkDialog',
      async () => {
        await page.getByRole('checkbox', { name: 'Select the-user' }).check();
        await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
      },
      dialog('Deactivate Confirmation'),
    ],
    ['TopUpDialog', () => page.getByRole('button', { name: 'Top up: the-user' }).click(), dialog('Top up the-user')],
    ['dates', () => page.getByRole('button', { name: 'Created' }).click(), page.getByLabel('From')],
  ];
  for (const [part, act, shown] of cases)
    await test.step(part, async () => {
      await page.route(`**/assets/${part}-*.js`, (route) => route.abort());
      await openList(page, server.url, 'user');
      await expectSaid(page, 'This could not be loaded.', act);
      await expect(page.getByRole('row', { name: /the-user/ })).toBeVisible();
      await expect(shown).toBeHidden();
      await page.unroute(`**/assets/${part}-*.js`);
      await page.getByRole('heading', { name: 'Player' }).click();
      if (part === 'dates') await act();
      await expect(shown).toBeVisible();
    });
});

test('a table of few rows ends below its last row', async ({ page }) => {
  await openList(page, server.url, 'retailer');
  const pages = await page.getByRole('navigation', { name: 'Pages' }).boundingBox();
  const row = await page.getByRole('row', { name: /the-retailer/ }).boundingBox();
  expect(pages!.y - row!.y - row!.height).toBeLessThan(4);

  await page.goto(`${server.url}/superadmin/retailer/users/details/${network.accounts.retailer._id}`);
  await page.setViewportSize({ width: 1920, height: 900 });
  await expect(page.getByRole('checkbox', { name: `Select ${nameOf('user')}` })).toBeVisible();
  const table = await page.getByRole('navigation', { name: 'Pages' }).boundingBox();
  const parts = await Promise.all(
    ['All time', 'Most credit below, this week'].map((name) =>
      page.locator('section').filter({ hasText: name }).last().boundingBox(),
    ),
  );
  expect(parts[0]!.y - table!.y - table!.height).toBeLessThan(24);
  expect(parts[1]!.y, 'all parts stand in one row').toBe(parts[0]!.y);
});

test('a consequence starts beside its field, and below it on narrow screens', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/superdistributor/create`);
  const field = page.getByRole('textbox', { name: 'Commission' });
  await field.fill('90');
  const boxes = async () => [await field.boundingBox(), await page.getByRole('note').boundingBox()] as const;
  await expect(page.getByRole('note')).toContainText('With this commission of 90 % alone');
  const [wide, beside] = await boxes();
  expect(beside!.x).toBeGreaterThan(wide!.x + wide!.width);
  expect(Math.abs(beside!.y - wide!.y)).toBeLessThan(40);
  await page.setViewportSize({ width: 768, height: 900 });
  const [narrow, below] = await boxes();
  expect(below!.y).toBeGreaterThan(narrow!.y + narrow!.height);
});

test('a question can be confirmed while the previous change still reloads', async ({ page }) => {
  await openList(page, server.url, 'retailer');
  await page.route('**/api/credit/loadcredit', () => undefined);
  for (const action of ['Deactivate', 'Activate']) {
    await (await inRowMenu(page, 'the-retailer', action)).click();
    const dialog = page.getByRole('dialog', { name: `${action} Confirmation` });
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(dialog).toBeHidden();
  }
  await inRowMenu(page, 'the-retailer', 'Deactivate');
});

test('focus moves to the list when its row disappears', async ({ page }) => {
  const table = page.getByRole('region', { name: 'Player' });

  await test.step('shows the filtered rows again', async () => {
    await page.goto(`${server.url}/superadmin/user?search=nobody`);
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await expect(page.getByRole('row', { name: /the-user/ })).toBeVisible();
    await expect(table).toBeFocused();
  });

  await test.step('after deleting a row by keyboard', async () => {
    const menu = page.getByRole('button', { name: 'More actions: the-user' });
    await menu.focus();
    await page.keyboard.press('Enter');
    const remove = page.getByRole('menuitem', { name: 'Delete', exact: true });
    await expect(remove).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('End');
    await expect(remove).toBeFocused();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete Confirmation' });
    await expect(dialog.getByLabel('Your password', { exact: true })).toHaveValue(PASSWORD);
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(menu).toBeHidden();
    await expect(table).toBeFocused();
  });
});

test('Live Result reports games that failed to load and retries', async ({ page }) => {
  await page.goto('about:blank');
  await page.addInitScript(() => {
    const clicked = new Set<string>();
    Object.assign(window, { clicked });
    const note = ({ target }: Event): unknown => clicked.add((target as Element).closest('main') ? 'tables' : 'pairs');
    addEventListener('click', note, { capture: true });
  });
  allow(/status of 403 .*\/api\/live\/(tables|pairs)/);
  for (const call of ['tables', 'pairs'])
    await page.route(`**/api/live/${call}`, async (route) => {
      const goesOn = await page.evaluate(
        (name) => (window as never as { clicked: Set<string> }).clicked.has(name),
        call,
      );
      await (goesOn ? route.continue() : route.fulfill({ status: 403, json: { success: false } }));
    });
  await page.goto(`${server.url}/superadmin/game`);
  const main = page.getByRole('main');
  await expect(main.getByRole('alert')).toContainText('Something went wrong');
  await expect(page.getByLabel('Sidebar').getByRole('alert')).toContainText('Something went wrong');
  await expectAccessible(page);
  await main.getByRole('button', { name: 'Try again' }).click();
  await expect(main.getByRole('link').first()).toBeVisible();
  await page.getByLabel('Sidebar').getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByLabel('Sidebar').getByRole('link', { name: nameOf('admin') })).toBeVisible();
  await expect(page.getByLabel('Sidebar').getByRole('alert')).toBeHidden();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the log sorts by time, newest or oldest first', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/logactivities?pageSize=100`);
  const created = page.getByRole('columnheader', { name: 'Created At' });
  await expect(created).toHaveAttribute('aria-sort', 'descending');
  const answer = page.waitForResponse('**/api/logs?*sort=createdAt');
  await created.getByRole('button').click();
  expect((await answer).status()).toBe(200);
  await expect(created).toHaveAttribute('aria-sort', 'ascending');
  await page.reload();
  await expect(created).toHaveAttribute('aria-sort', 'ascending');
});

test('the whole column head sorts and shows the initial order', async ({ page }) => {
  await openList(page, server.url, 'retailer');
  const created = page.getByRole('columnheader', { name: 'Date & Time' });
  await expect(created).toHaveAttribute('aria-sort', 'descending');
  const name = page.getByRole('columnheader', { name: 'UserName' });
  const { width, height } = (await name.boundingBox())!;
  await name.click({ position: { x: width - 3, y: height - 3 } });
  await expect(name).toHaveAttribute('aria-sort', 'ascending');
  await expect(created).not.toHaveAttribute('aria-sort');
  await name.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(name).toHaveAttribute('aria-sort', 'descending');
});

test('clicking a row opens it unless the click means something else', async ({ page, context }) => {
  const list = `${server.url}/superadmin/retailer`;
  const details = /\/superadmin\/retailer\/users\/details\/[^/]+$/;
  await openList(page, server.url, 'retailer');
  const row = page.getByRole('row', { name: /the-retailer/ });
  const points = row.getByText(/^[\d,]+\.\d\d$/);

  await test.step('selection, menus and text marking do not open it', async () => {
    await row.getByRole('checkbox').check();
    await row.getByRole('button', { name: 'More actions' }).click();
    await page.keyboard.press('Escape');
    const box = (await points.boundingBox())!;
    await page.mouse.move(box.x + 1, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    expect(await page.evaluate('getSelection().toString()')).not.toBe('');
    await expect(page).toHaveURL(list);
  });

  await test.step('Ctrl or the middle button opens a new tab', async () => {
    for (const how of [{ modifiers: ['Control' as const] }, { button: 'middle' as const }]) {
      const opened = context.waitForEvent('page');
      await row.getByRole('cell').nth(1).click(how);
      const beside = await opened;
      await beside.waitForURL(details);
      await beside.close();
    }
    await expect(page).toHaveURL(list);
  });

  await row.getByRole('cell').nth(1).click();
  await page.waitForURL(details);
});

test('a missing page says so and leads back', async ({ page }) => {
  const gone = `${server.url}/superadmin/retailer/users/details/01a1ffd8-0000-7000-8000-000000000000`;
  allow(/status of 404 .*01a1ffd8/);
  await page.goto(gone);
  await expect(page.getByRole('alert')).toContainText('This account was not found');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Go back' }).click();
  await page.waitForURL('**/superadmin/retailer');
  await page.goto(gone);
  await page.getByRole('main').getByRole('link', { name: 'Retailers', exact: true }).click();
  await page.waitForURL('**/superadmin/retailer');
});

test('games are searched and toggled together', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/admin/create`);
  const games = page.getByRole('group', { name: 'Games' });
  await expect(games.getByText(/^(\d+) of \1 chosen$/)).toBeVisible();
  await games.getByRole('button', { name: 'Select none' }).click();
  await games.getByRole('searchbox', { name: 'Search games' }).fill('roulette');
  await expect(games.getByRole('checkbox').nth(1)).toBeVisible();
  const found = await games.getByRole('checkbox').count();
  await games.getByRole('button', { name: `Select all ${found} found` }).click();
  await expect(games.getByText(new RegExp(`^${found} of \\d+ chosen$`))).toBeVisible();
  await games.getByRole('searchbox').fill('');
  await expect(games.getByRole('checkbox', { checked: true })).toHaveCount(found);
  await games.getByRole('button', { name: 'Select all' }).click();
  await expect(games.getByRole('checkbox', { checked: false })).toHaveCount(0);
  await expectAccessible(page);
  await page.emulateMedia({ forcedColors: 'active' });
  const box = games.getByRole('checkbox').first();
  const sign = games.locator('.mantine-Checkbox-icon').first();
  const behind = await box.evaluate((input) => getComputedStyle(input).backgroundColor);
  await expect(sign).not.toHaveCSS('color', behind);
  await page.emulateMedia({ forcedColors: null });
  await games.getByRole('button', { name: 'Select none' }).click();
  await expect(games.getByText(/^0 of \d+ chosen$/)).toBeVisible();

  await page.getByRole('textbox', { name: 'Username' }).fill('an-admin-without');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const asked = page.getByRole('dialog', { name: 'No games chosen' });
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(asked).toContainText('This admin will have no tables');
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(asked).toBeHidden();
  await page.getByRole('button', { name: 'Submit' }).click();
  await expectSaid(page, 'User created successfully!', () =>
    asked.getByRole('button', { name: 'Create without games' }).click(),
  );
});

test('without a possible parent, the form leads to creating one', async ({ page }) => {
  await page.route('**/api/retailers/all?**', (route) =>
    route.fulfill({ json: { success: true, data: [], total: 0 } }),
  );
  await page.goto(`${server.url}/superadmin/user/create`);
  await expect(page.getByPlaceholder('No retailerss available')).toBeVisible();
  await page.getByRole('link', { name: 'Add Retailer' }).click();
  await page.waitForURL('**/superadmin/retailer/create');
});

test('a typed day accepts common notations', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/logactivities`);
  const day = page.getByRole('textbox', { name: 'Date' });
  await day.fill('3/4/2024');
  await page.waitForURL('**/logactivities?date=2024-04-03');
  await page.getByRole('searchbox').focus();
  await expect(day).toHaveValue('03 Apr 2024');
  await expect(page.getByText('No matches')).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${server.url}/superadmin/turnoverreport`);
  const range = page.getByRole('button', { name: 'Date Range' });
  await range.click();
  const dialog = page.getByRole('dialog', { name: 'Date Range' });
  const nextMonth = page.getByRole('button', { name: 'Next month' });
  for (const end of ['From Date', 'To Date', 'From Date']) {
    await dialog.getByLabel(end).click();
    await expect(nextMonth).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(nextMonth).toHaveCount(0);
    await expect(dialog).toBeVisible();
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(range).toBeFocused();
  await range.click();
  await dialog.getByLabel('From Date').fill('01 Mar 2024');
  await dialog.getByLabel('To Date').fill('2024-03-31');
  await dialog.getByLabel('To Date').press('Enter');
  await expect(page.getByText('01 Mar 2024 – 31 Mar 2024')).toBeVisible();
});

test('each section of the menu has a heading', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/profile`);
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  for (const name of ['Main', 'Management', 'Game', 'Reports', 'Live Reports', 'Logs Activity', 'Profile']) {
    await expect(menu.getByRole('region', { name, exact: true })).toBeVisible();
  }
});

const NOTE_MOTION = `
  window.moved = new Set();
  requestAnimationFrame(function look() {
    for (const { effect } of document.getAnimations()) {
      const duration = Number(effect?.getTiming().duration ?? 0);
      if (duration > 16) moved.add(effect.target?.outerHTML.slice(0, 120) + ': ' + duration + ' ms');
    }
    requestAnimationFrame(look);
  });
`;

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('nothing animates: lists, dialogs, sheets, notifications', async ({ page }) => {
    await page.addInitScript(NOTE_MOTION);
    await openList(page, server.url, 'retailer');
    await page.getByRole('link', { name: 'Credit Transfer: the-retailer' }).hover();
    await (await inRowMenu(page, 'the-retailer', 'Deactivate')).click();
    const dialog = page.getByRole('dialog', { name: 'Deactivate Confirmation' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.keyboard.press('Escape');
    await (await inRowMenu(page, 'the-retailer', 'Edit')).click();
    await expectSaid(page, 'Nothing to save', () => page.getByRole('button', { name: 'Submit' }).click());
    await page.goBack();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'More about the-retailer' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await page.evaluate('[...window.moved]')).toEqual([]);
  });
});

test("a list's columns are chosen permanently", async ({ page }) => {
  await openList(page, server.url, 'retailer');
  const heading = page.getByRole('columnheader', { name: 'Unique ID' });
  await expect(heading).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Unique ID' }).uncheck();
  await expect(heading).toBeHidden();
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Columns, 1 hidden' })).toBeVisible();
  await expect(heading).toBeHidden();
  await page.getByRole('button', { name: 'Columns, 1 hidden' }).click();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(heading).toBeVisible();
});
