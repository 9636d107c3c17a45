import { expect, test, type Page } from '@playwright/test';
import { LONG_DRAWS, makeNetwork, nameOf, type Network } from './testNetwork.ts';
import {
  expectAccessible,
  failOnErrors,
  inRowMenu,
  PASSWORD,
  haveSession,
  startTestServer,
  type TestServer,
} from './support.ts';

let server: TestServer;
let network: Network;

failOnErrors();
test.beforeAll(async () => {
  server = await startTestServer('commands', LONG_DRAWS);
  network = await makeNetwork(server.url);
});
test.afterAll(() => server.remove());
test.beforeEach(({ page }) => haveSession(page, server.url, nameOf('superadmin')));

async function start(page: Page, path = 'profile'): Promise<void> {
  await page.goto(`${server.url}/superadmin/${path}`);
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible();
}

const palette = (page: Page) => page.getByRole('dialog', { name: 'Find anything' });
const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });

async function openPalette(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Search', exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await expect(palette(page).getByRole('combobox')).toBeFocused();
}

test('Enter waits for the results of the typed text', async ({ page }) => {
  await start(page);
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/api/find?*', async (route) => {
    await promise;
    await route.continue();
  });
  await openPalette(page);
  await page.keyboard.type(nameOf('retailer'));
  await page.keyboard.press('Enter');
  await expect(palette(page)).toContainText('Searching');
  answer();
  await page.waitForURL(`**/superadmin/retailer/users/details/${network.accounts.retailer._id}`);
});

test('the palette finds pages, panels, accounts and actions', async ({ page }) => {
  await start(page);
  await test.step('an account by part of its name, by keyboard only', async () => {
    await openPalette(page);
    await page.keyboard.type('the-ret');
    const option = palette(page).getByRole('option', { name: 'the-retailer', exact: false }).first();
    await expect(option).toContainText(`Retailer · ${network.accounts.retailer.uniqueId}`);
    await expectAccessible(page);
    await expect(option).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/superadmin/retailer/users/details/${network.accounts.retailer._id}`);
    await expect(palette(page)).toBeHidden();
    await expect(page.locator('main')).toBeFocused();
  });

  await test.step('a page and a live panel', async () => {
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await page.keyboard.type('turnover');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/superadmin/turnoverreport');
    await openPalette(page);
    await palette(page)
      .getByRole('option', { name: new RegExp(network.pair.gameName) })
      .click();
    await page.waitForURL('**/superadmin/game/**');
  });

  await test.step('actions: theme, new account, sign-out', async () => {
    await openPalette(page);
    await page.keyboard.type('dark');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await openPalette(page);
    await page.keyboard.type('add retailer');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/superadmin/retailer/create');
    await openPalette(page);
    await page.keyboard.type('log out');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/auth/login');
  });
});

test('commands open filled forms, and finds are offered again', async ({ page }) => {
  const player = network.accounts.user;
  await start(page);
  await test.step('`/` and a top-up with its amount, by keyboard only', async () => {
    await page.keyboard.press('/');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await expect(palette(page).getByRole('combobox')).toHaveValue('');
    await page.keyboard.type('top up the-user 12.50');
    const option = palette(page).getByRole('option', { name: /Top up the-user by 12.50/ });
    await expect(option).toHaveAttribute('aria-selected', 'true');
    await expect(option).toContainText(`Credit Transfer · Player · ${player.uniqueId}`);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/superadmin/user/credittransfer/${player._id}`));
    await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('12.50');
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status').filter({ hasText: '12.50' }).first()).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('');
  });

  await test.step('a statement by unique id', async () => {
    await openPalette(page);
    await page.keyboard.type(`statement of ${player.uniqueId}`);
    await expect(palette(page).getByRole('option', { name: /Statement of the-user/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/superadmin/user/statement/${player._id}`);
  });

  await test.step('voiding asks on the panel', async () => {
    await openPalette(page);
    await page.keyboard.type('void');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/superadmin/game/**');
    await expect(page.getByRole('dialog', { name: /Void draw/ })).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('recent finds come first', async () => {
    await openPalette(page);
    await page.keyboard.type('the-use');
    await expect(palette(page).getByRole('option', { name: /^the-user/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/superadmin/player/players/details/${player._id}`);
    await openPalette(page);
    const recent = palette(page).getByRole('group', { name: 'Recent' }).getByRole('option').first();
    await expect(recent).toContainText('the-user');
    await expect(recent).toContainText(`Player · ${player.uniqueId}`);
    await expectAccessible(page);
  });
});

test('keeps keys typed right after the shortcut, however slow the palette', async ({ page }) => {
  let send = () => {};
  const sent = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route('**/assets/CommandPalette-*.js', async (route) => {
    await sent;
    await route.continue();
  });
  await page.goto(`${server.url}/superadmin/retailer`);
  await expect(page.getByRole('link', { name: nameOf('retailer'), exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('turnoj');
  await page.keyboard.press('Backspace');
  send();
  await expect(palette(page).getByRole('combobox')).toHaveValue('turno');
  await expect(palette(page).getByRole('combobox')).toBeFocused();
  await page.keyboard.type('ver');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/superadmin/turnoverreport');
});

test('keys search a list, move, open rows and show help', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/distributor`);
  const row = page.getByRole('link', { name: nameOf('distributor'), exact: true });
  await expect(row).toBeVisible();

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toContainText('Search the list');
  await expectAccessible(page);
  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();

  await page.keyboard.press('f');
  const search = page.getByRole('main').getByRole('searchbox');
  await expect(search).toBeFocused();
  await page.keyboard.type('j?/dist');
  await expect(search).toHaveValue('j?/dist');
  await expect(help).toBeHidden();
  await search.fill('dist');
  await page.waitForURL('**/superadmin/distributor?search=dist');
  await page.keyboard.press('Escape');
  await expect(search).not.toBeFocused();
  await expect(row).toBeVisible();
  await page.keyboard.press('j');
  await expect(row).toBeFocused();
  await page.keyboard.press('x');
  const selected = page.getByRole('region', { name: 'Selected rows' });
  await expect(selected).toContainText('1 selected');
  await page.keyboard.press('b');
  await expect(selected.getByRole('button').first()).toBeFocused();
  await row.focus();
  await page.keyboard.press('x');
  await expect(selected).toBeHidden();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/superadmin/distributor/users/details/${network.accounts.distributor._id}`);
});

test('focus returns to its origin', async ({ page }) => {
  await start(page, 'retailer');
  const button = page.getByRole('button', { name: 'Search', exact: true });
  await button.click();
  await expect(palette(page).getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();

  await (await inRowMenu(page, nameOf('retailer'), 'Deactivate')).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: `More actions: ${nameOf('retailer')}` })).toBeFocused();

  await page.goto(`${server.url}/superadmin/retailer`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
});

test('single keys can be switched off permanently', async ({ page }) => {
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const search = page.getByRole('main').getByRole('searchbox');
  const single = help.getByRole('switch', { name: 'Single-key shortcuts' });
  await page.goto(`${server.url}/superadmin/distributor`);
  await expect(page.getByRole('link', { name: nameOf('distributor'), exact: true })).toBeVisible();
  await page.keyboard.press('?');
  await single.click();
  await expect(help).not.toContainText('Search the list');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();

  await page.reload();
  await expect(page.getByRole('link', { name: nameOf('distributor'), exact: true })).toBeVisible();
  for (const key of ['?', '/', 'f', 'j']) await page.keyboard.press(key);
  await expect(search).not.toBeFocused();
  await expect(palette(page)).toBeHidden();
  expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
  await expect(help).toBeHidden();

  await openPalette(page);
  await page.keyboard.type('keyboard');
  await page.keyboard.press('Enter');
  await single.click();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await page.keyboard.press('f');
  await expect(search).toBeFocused();
});

test('the palette works on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await start(page);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await palette(page).getByRole('combobox').fill('the-user');
  await expect(palette(page).getByRole('option', { name: /the-user/ })).toBeVisible();
  expect(await palette(page).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  await expectAccessible(page);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  expect(overflow).toBeLessThanOrEqual(0);
  await palette(page).getByRole('button', { name: 'Close' }).click();
  await expect(palette(page)).toBeHidden();
});

test.describe('a form with unsaved changes', () => {
  const username = (page: Page) => page.getByRole('textbox', { name: 'Username' });
  const leave = (page: Page) => page.getByRole('link', { name: 'Dashboard', exact: true }).click();

  test.beforeEach(async ({ page }) => {
    await start(page, 'retailer');
    await page.getByRole('link', { name: 'Add Retailer' }).first().click();
    await expect(username(page)).toBeVisible();
  });

  test('asks before leaving by link, Back or reload', async ({ page }) => {
    await username(page).fill('half-typed');
    await leave(page);
    await expect(question(page)).toBeVisible();
    await expectAccessible(page);
    await question(page).getByRole('button', { name: 'Stay' }).click();
    await expect(question(page)).toBeHidden();
    await expect(username(page)).toHaveValue('half-typed');

    await page.goBack();
    await expect(question(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/retailer\/create$/);
    await expect(username(page)).toHaveValue('half-typed');

    const asked = page.waitForEvent('dialog');
    const reload = page.evaluate('location.reload()').catch(() => null);
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await reload;
    await expect(username(page)).toHaveValue('half-typed');

    await leave(page);
    await question(page).getByRole('button', { name: 'Leave without saving' }).click();
    await page.waitForURL('**/superadmin/dashboard');
  });

  test('does not ask without input', async ({ page }) => {
    await leave(page);
    await page.waitForURL('**/superadmin/dashboard');
    await expect(question(page)).toBeHidden();
  });

  test('does not ask after success or at sign-out', async ({ page }) => {
    await username(page).fill('second-retailer');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('combobox', { name: 'Reference' }).or(page.getByLabel('Reference')).first().click();
    await page.getByRole('option', { name: nameOf('distributor') }).click();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.waitForURL('**/superadmin/retailer');
    await expect(question(page)).toBeHidden();

    await page.getByRole('link', { name: 'Credit Transfer: second-retailer' }).click();
    await page.getByRole('textbox', { name: 'Amount' }).fill('5');
    await page.getByRole('button', { name: 'Account menu of superadmin' }).click();
    await page.getByRole('button', { name: 'Log Out' }).click();
    await page.waitForURL('**/auth/login');
  });
});
