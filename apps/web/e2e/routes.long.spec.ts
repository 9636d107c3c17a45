import { STAFF_ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { expect, test, type Page } from '@playwright/test';
import { makeNetwork, nameOf, type Network } from './testNetwork.ts';
import { goTo, LEFT_TITLE, pathsOf } from './routePaths.ts';
import {
  expectAccessible,
  failOnErrors,
  findViolations,
  signIn,
  signOut,
  startTestServer,
  submitSignIn,
  watchErrors,
  watchRequests,
  type TestServer,
} from './support.ts';

let server: TestServer;
let network: Network;

const { allow } = failOnErrors(watchErrors, watchRequests);
test.beforeAll(async () => {
  server = await startTestServer('routes');
  network = await makeNetwork(server.url);
});
test.afterAll(() => server.remove());

const signInAs = (page: Page, role: Role) => signIn(page, server.url, nameOf(role), role);

async function settle(page: Page, path: string): Promise<string[]> {
  const main = page.locator('main');
  const wrong: string[] = [];
  try {
    await expect(main.locator(LEFT_TITLE)).toHaveCount(0);
    await expect(main.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(main.locator('output:has([aria-hidden]), [aria-busy="true"], tbody[aria-hidden]')).toHaveCount(0);
  } catch {
    wrong.push('does not settle');
  }
  if (new URL(page.url()).pathname !== path) wrong.push(`leads to ${new URL(page.url()).pathname}`);
  for (const alert of await main.getByText('This could not be loaded').all()) {
    wrong.push((await alert.locator('..').innerText()).replaceAll('\n', ' '));
  }
  return wrong.map((what) => `${path}: ${what}`);
}

for (const [index, role] of STAFF_ROLES.entries()) {
  test(`every kind of page of the ${role} opens without an error`, async ({ page }) => {
    test.setTimeout(720_000);
    const above = STAFF_ROLES.slice(0, index).flatMap((other) => pathsOf(other, network));
    const checked = new Set(above.map(({ kind }) => kind));
    const wrong: string[] = [];
    await signInAs(page, role);
    for (const { path, kind } of pathsOf(role, network)) {
      await goTo(page, path);
      wrong.push(...(await settle(page, path)));
      if (checked.has(kind)) continue;
      checked.add(kind);
      wrong.push(...(await findViolations(page)).map((violation) => `${path}: ${violation}`));
    }
    expect(wrong).toEqual([]);
  });
}

test("public and players' pages open without an error", async ({ page }) => {
  for (const path of ['/', '/auth/login', '/auth/signup']) {
    await page.goto(server.url + path);
    await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible();
    if (path !== '/') await expectAccessible(page);
  }
  await signInAs(page, 'user');
  await expect(page.getByRole('heading', { name: 'Games' })).toBeVisible();
});

test("wrong prefixes and unknown paths lead to the role's start page", async ({ page }) => {
  for (const path of ['/nothing', '/admin/nothing/at/all', '/auth/nothing']) {
    await page.goto(server.url + path);
    await page.waitForURL('**/auth/login*');
    await expect(page.getByText('Page not found.')).toHaveCount(path.startsWith('/admin/') ? 0 : 1);
  }
  for (const [role, ...nowhere] of [
    ['superadmin', '/superadmin/nothing', '/nothing', '/nothing/at/all', '/superadmin/backup'],
    ['retailer', '/retailer/retailer', '/retailer/winpercentage', '/retailer/user/nothing'],
  ] as const) {
    await signInAs(page, role);
    for (const path of ['/admin/dashboard', '/superadmin/admin', '/auth/login', '/'].slice(
      role === 'retailer' ? 0 : 2,
    )) {
      await page.goto(server.url + path);
      await page.waitForURL(`**/${role}/dashboard`);
    }
    for (const path of nowhere) {
      await page.goto(server.url + path);
      await page.waitForURL(`**/${role}/dashboard`);
      await expect(page.getByText('Page not found.')).toBeVisible();
    }
    await signOut(page);
  }
  await signInAs(page, 'user');
  await page.goto(`${server.url}/superadmin/dashboard`);
  await page.waitForURL(`${server.url}/`);
});

test('a live panel of a missing game shows nothing and a way back', async ({ page }) => {
  const { admin } = network.accounts;
  await signInAs(page, 'admin');
  allow(/loadgame.* answered 40[04]|status of 40[04] .*loadgame/);
  for (const pair of [`nosuchgame/${admin._id}`, 'funtargetbingo/nobody']) {
    await page.goto(`${server.url}/admin/game/${pair}/${nameOf('admin')}`);
    const main = page.locator('main');
    await expect(main.getByRole('link', { name: 'All tables' })).toBeVisible();
    await expect(main).toHaveText('Live panelAll tables');
    await expectAccessible(page);
  }
  await page.locator('main').getByRole('link', { name: 'All tables' }).click();
  await page.waitForURL('**/admin/game');
});

test('a deep link opens after the sign-in', async ({ page }) => {
  const path = `/superadmin/admin/users/details/${network.accounts.admin._id}`;
  await page.goto(server.url + path);
  await page.waitForURL('**/auth/login*');
  await submitSignIn(page, nameOf('superadmin'));
  await page.waitForURL(`**${path}`);
  expect(await settle(page, path)).toEqual([]);
});
