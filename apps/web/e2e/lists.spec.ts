import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { makeNetwork, nameOf } from './network.ts';
import { expectAccessible, signIn, startTestServer, watchErrors } from './support.ts';
import type { TestServer } from './support.ts';

let server: TestServer;
let problems: string[];

test.beforeAll(async () => {
  server = await startTestServer('lists');
  await makeNetwork(server.url);
});
test.afterAll(() => server.remove());
test.beforeEach(async ({ page }) => {
  problems = [];
  watchErrors(page, problems);
  await signIn(page, server.url, nameOf('superadmin'), 'superadmin');
});
test.afterEach(() => expect(problems).toEqual([]));

const FILES = {
  admin: 'AdminsList.xlsx',
  superdistributor: 'SuperDistributorsList.xlsx',
  distributor: 'DistributorsList.xlsx',
  retailer: 'RetailersList.xlsx',
  user: 'PlayersList.xlsx',
};

async function openList(page: Page, level: string): Promise<void> {
  await page.goto(`${server.url}/superadmin/${level}`);
  await expect(page.getByRole('checkbox', { name: `Select the-${level}` })).toBeVisible();
}

async function savedName(page: Page, button: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  return (await download).suggestedFilename();
}

test('each list is exported under its name, whole or what is selected', async ({ page }) => {
  for (const [level, fileName] of Object.entries(FILES)) {
    await openList(page, level);
    expect(await savedName(page, 'Export')).toBe(fileName);
    await page.getByRole('checkbox', { name: `Select the-${level}` }).check();
    expect(await savedName(page, 'Export selected')).toBe(fileName);
  }
});

test('an export can be stopped', async ({ page }) => {
  await openList(page, 'user');
  // Never answered: the page gives it up by itself.
  await page.route('**/api/users/export**', () => undefined);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(page.getByText('is on its way')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('is on its way')).toBeHidden();
  await page.unroute('**/api/users/export**');
  expect(await savedName(page, 'Export')).toBe(FILES.user);
});

test('many accounts are switched after one question, with a result for each', async ({ page }) => {
  await openList(page, 'user');
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Deactivate Confirmation' });
  await expect(dialog).toContainText('Are you sure you want to deactivate 1 player?');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Deactivate 1' }).click();
  await expect(dialog).toContainText('1 of 1 deactivated.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByText('1 selected')).toBeHidden();
  await expect(page.getByRole('row', { name: /the-user/ })).toContainText('Deactive');
  await expect(page.getByRole('region', { name: 'Player' })).toBeFocused();
});

test('from the list to an account, to its form and back, each page names itself', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/retailer?search=the`);
  await expect(page).toHaveTitle('Retailer – Drawhouse');
  await page.getByRole('link', { name: 'the-retailer', exact: true }).click();
  await expect(page).toHaveTitle('Retailer the-retailer – Drawhouse');
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('listitem');
  await expect(crumbs).toHaveText([
    'superadmin',
    'the-admin',
    'the-superdistributor',
    'the-distributor',
    'the-retailer',
  ]);
  await page.getByRole('main').getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page).toHaveTitle('Edit Retailer the-retailer – Drawhouse');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveTitle('Retailer the-retailer – Drawhouse');
  await page.goBack();
  await expect(page).toHaveTitle('Retailer – Drawhouse');
  await expect(page).toHaveURL(/\/superadmin\/retailer\?search=the$/);
});

test('the focus goes to the list when the row that had it is gone', async ({ page }) => {
  await openList(page, 'user');
  const table = page.getByRole('region', { name: 'Player' });

  await test.step('what was narrowed is shown again', async () => {
    await page.goto(`${server.url}/superadmin/user?search=nobody`);
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await expect(page.getByRole('row', { name: /the-user/ })).toBeVisible();
    await expect(table).toBeFocused();
  });

  await test.step('a deleted row, by keyboard', async () => {
    const remove = page.getByRole('button', { name: 'Delete: the-user' });
    await remove.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete Confirmation' });
    await dialog.getByRole('button', { name: 'Confirm deletion' }).focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(remove).toBeHidden();
    await expect(table).toBeFocused();
  });
});

test('Live Result says when its games could not be loaded, and tries again', async ({ page }) => {
  await page.route('**/api/game/usergames/**', (route) => route.fulfill({ status: 403, json: { success: false } }));
  await page.goto(`${server.url}/superadmin/game`);
  const main = page.getByRole('main');
  await expect(main.getByRole('alert')).toContainText('Something went wrong');
  await expect(page.getByLabel('Sidebar').getByRole('alert')).toContainText('Something went wrong');
  await expectAccessible(page);
  problems.length = 0;
  await page.unroute('**/api/game/usergames/**');
  await main.getByRole('button', { name: 'Try again' }).click();
  await expect(main.getByRole('link').first()).toBeVisible();
  await expect(page.getByLabel('Sidebar').getByRole('alert')).toBeHidden();
});

test('the log is sorted by time, newest or oldest first', async ({ page }) => {
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

/** Notes in `moved`, frame by frame, whatever runs longer than one. */
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

  test('nothing moves: not a list, a dialog, a sheet or a notification', async ({ page }) => {
    await page.addInitScript(NOTE_MOTION);
    await openList(page, 'retailer');
    await page.getByRole('button', { name: 'Deactivate: the-retailer' }).hover();
    await page.getByRole('button', { name: 'Deactivate: the-retailer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deactivate Confirmation' });
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Edit: the-retailer' }).click();
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByText('Nothing to save')).toBeVisible();
    await page.goBack();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'More about the-retailer' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await page.evaluate('[...window.moved]')).toEqual([]);
  });
});

test('the columns of a list are chosen and stay chosen', async ({ page }) => {
  await openList(page, 'retailer');
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
