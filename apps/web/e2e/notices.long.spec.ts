import { NOTICES } from '@drawhouse/contract/notices/notice-texts';
import { expect, test, type Page } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { expectToFit } from './look.ts';
import { makeNetwork, nameOf } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  signIn,
  signOut,
  startTestServerProcess,
  tokenOf,
  watchErrors,
  type TestServer,
} from './support.ts';

let server: TestServer;

test.beforeAll(async () => {
  server = await startTestServerProcess('notices', { inDataDir: true });
  await makeNetwork(server.url);
  const token = await tokenOf(server.url, nameOf('admin'));
  await callApi(server.url, 'auth/notices/read', token, { until: new Date().toISOString() });
});
test.afterAll(() => server.remove());

async function readsUntilWhen(page: Page): Promise<void> {
  const notice = { code: 'CLOCK_SET_BACK', key: '', ...NOTICES.CLOCK_SET_BACK, until: '2026-03-05T06:07:08.000Z' };
  await page.route('**/api/notices', (route) => route.fulfill({ json: { success: true, data: [notice] } }));
  await page.reload();
  await expect(page.getByRole('heading', { name: notice.title })).toBeVisible();
  await expect(page.getByText(/Otherwise it lasts until 0[45] Mar 2026/)).toBeVisible();
  await expect(page.getByRole('main').getByRole('heading').nth(1)).toHaveText(notice.title);
  await expectToFit(page, [390]);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.unroute('**/api/notices');
}

async function readsOfBackups(page: Page, username: string): Promise<void> {
  const { title, text } = NOTICES.BACKUP_FAILED;
  const notice = {
    code: 'BACKUP_FAILED',
    key: nameOf('admin'),
    title,
    text,
    admin: nameOf('admin'),
    detail: 'The disk has no room.',
  };
  await page.route('**/api/notices', (route) => route.fulfill({ json: { success: true, data: [notice] } }));
  await page.reload();
  await expect(page.getByText('The disk has no room.')).toBeVisible();
  const isOwn = username === nameOf('admin');
  await expect(page.getByRole('main').getByRole('heading').nth(1)).toHaveText(
    isOwn ? title : `${title}: ${notice.admin}`,
  );
  await expect(page.getByRole('link', { name: 'Open Backup' })).toHaveCount(isOwn ? 1 : 0);
  await expectToFit(page, [390]);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.unroute('**/api/notices');
  const overdue = { code: 'BACKUP_OVERDUE', key: nameOf('admin'), ...NOTICES.BACKUP_OVERDUE, admin: nameOf('admin') };
  for (const [last, says] of [
    ['2026-03-05T06:07:08.000Z', /Last one: 0[45] Mar 2026/],
    [null, /None so far/],
  ] as const) {
    await page.route('**/api/notices', (route) =>
      route.fulfill({ json: { success: true, data: [{ ...overdue, last }] } }),
    );
    await page.reload();
    await expect(page.getByText(says)).toBeVisible();
    await page.unroute('**/api/notices');
  }
}

test('only the superadmin reads where the seed key is stored', async ({ page }) => {
  const problems: string[] = [];
  watchErrors(page, problems);
  const notice = page.getByRole('heading', { name: 'The seed key is stored beside the database' });
  await signIn(page, server.url, 'superadmin', 'superadmin');
  await expect(notice).toBeHidden();
  await page.getByText('Server settings').click();
  await expect(notice).toBeVisible();
  await expect(page.getByText('SEED_KEY_FILE')).toBeVisible();
  await expectAccessible(page);
  await readsUntilWhen(page);
  await readsOfBackups(page, 'superadmin');
  await signOut(page);
  await signIn(page, server.url, nameOf('admin'), 'admin');
  await expect(page.getByRole('heading', { name: 'Welcome to Dashboard' })).toBeVisible();
  await expect(notice).toBeHidden();
  await readsOfBackups(page, nameOf('admin'));
  expect(problems).toEqual([]);
});

test('an admin sets a threshold, and settles what the bell shows', async ({ page }) => {
  await signIn(page, server.url, nameOf('admin'), 'admin');
  const bell = page.getByRole('banner').getByRole('button', { name: /^Notices/ });
  await bell.click();
  await expect(page.getByRole('dialog', { name: 'Notices' })).toContainText('Nothing needs your attention.');
  await page.getByRole('link', { name: 'All notices' }).click();
  await page.getByText('Alerts', { exact: true }).click();
  await page.getByLabel('Notify when a table is below').fill('1000000000');
  await expectSaid(page, 'Alerts saved.', () => page.getByRole('button', { name: 'Save alerts' }).click());
  const low = page.getByRole('listitem').filter({ hasText: 'A table is low' });
  await expect(low.first()).toContainText('below 1,000,000,000.00.');
  const count = await low.getByText(/^Its balance is [\d,−.]+, below/).count();
  await expect(bell).toHaveAccessibleName(new RegExp(`^Notices, ${count} need`));
  await expectAccessible(page);
  await expectToFit(page, [360, 768]);
  await page.setViewportSize({ width: 1280, height: 720 });
  await bell.click();
  const opened = page.getByRole('dialog', { name: 'Notices' });
  await opened.getByRole('link', { name: 'Open the panel' }).first().click();
  await expect(page).toHaveURL(/\/admin\/game\//);
  await expect(opened).toBeHidden();
  await page.goBack();
  await low.first().getByRole('button', { name: 'Acknowledge', exact: true }).first().click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Acknowledged' })).toHaveCount(1);
  await expect(bell).toHaveAccessibleName(count === 1 ? 'Notices' : new RegExp(`^Notices, ${count - 1} need`));
});
