import { expect, test } from '@playwright/test';
import { chooseOwnPassword, FIRST_PASSWORD } from '../../server/test/processes/network-by-calls.ts';
import { expectToFit } from './look.ts';
import { makeNetwork, nameOf, type Network } from './testNetwork.ts';
import { followTo } from './routePaths.ts';
import { callApi, PASSWORD, haveSession, signIn, startTestServer, tokenOf, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;

const MUCH = 900_000_000;
const LONG_NAME = 'the-retailer-with-a-long-long-na';

test.beforeAll(async () => {
  server = await startTestServer('widths');
  network = await makeNetwork(server.url);
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { superadmin, admin, distributor } = network.accounts;
  await callApi(server.url, 'superadmins/credit-adjust', token, {
    toUserId: superadmin._id,
    adjustAmount: MUCH,
    transactionType: 'credit',
    password: PASSWORD,
  });
  await callApi(server.url, 'admins/credit-transfer', token, {
    toUserId: admin._id,
    transferAmount: MUCH,
    password: PASSWORD,
  });
  await callApi(server.url, 'retailers/create', token, {
    username: LONG_NAME,
    password: FIRST_PASSWORD,
    commission: 1,
    note: 'add notes',
    refId: distributor._id,
    userStatus: true,
  });
  await chooseOwnPassword(server.url, LONG_NAME);
});
test.afterAll(() => server.remove());

const SIZES = [
  [390, 844],
  [600, 844],
  [640, 450],
  [768, 900],
  [900, 900],
  [1024, 900],
  [1180, 900],
  [1280, 900],
  [1440, 900],
] as const;

const KINDS: Readonly<Record<string, (its: Network) => string>> = {
  dashboard: () => 'dashboard',
  notices: () => 'notices',
  profile: () => 'profile',
  import: () => 'user/import',
  list: () => 'retailer',
  'list of players': () => 'user',
  details: ({ accounts }) => `admin/users/details/${accounts.admin._id}`,
  form: () => 'admin/create',
  'form of a game': () => 'gamemaster/create',
  times: () => 'timemaster',
  schedules: () => 'timemaster/schedules',
  'form of a schedule': () => 'timemaster/schedules/create',
  report: () => 'turnoverreport',
  transactions: () => 'transactionreport',
  'pending commission': () => 'commissionpayoutReport',
  'commission of games': () => 'admincommissionreport',
  'online players': () => 'onlineplayers?show=all',
  returns: () => 'returns',
  'all tables': () => 'game',
  statement: ({ accounts }) => `admin/statement/${accounts.admin._id}`,
  'bet list': () => 'gamehistory',
  liability: () => 'liability',
  week: () => 'week',
  payments: () => 'payments',
  standing: () => 'standing',
  log: () => 'logactivities',
  approvals: () => 'approvals',
  'approval rules': () => 'approvalrules',
  percentages: () => 'winpercentage',
  limits: () => 'limits',
  closures: () => 'closures',
  beacons: () => 'beacons',
  house: () => 'house',
  panel: ({ pair }) => `game/${pair.gameId}/${pair.adminId}/${pair.username}`,
};

test('no page overflows, truncates amounts or overlaps text at any width', async ({ page }) => {
  test.setTimeout(600_000);
  await haveSession(page, server.url, nameOf('superadmin'));
  await page.goto(`${server.url}/superadmin/profile`);
  for (const [kind, pathOf] of Object.entries(KINDS)) {
    await test.step(kind, async () => {
      await followTo(page, `/superadmin/${pathOf(network)}`);
      const main = page.getByRole('main');
      await expect(main.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(main.locator('[aria-busy="true"], tbody[aria-hidden]')).toHaveCount(0);
      await expectToFit(page, SIZES, kind);
    });
  }
});

test('hidden columns and actions open by name in a sheet or menu', async ({ page }) => {
  await haveSession(page, server.url, nameOf('superadmin'));
  await page.goto(`${server.url}/superadmin/retailer`);
  const table = page.getByRole('region', { name: 'Retailer' });
  const heads = table.getByRole('columnheader');
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(heads).toContainText(['', 'No', 'UserName', 'Refer ID', 'Unique ID', 'Points', 'Date & Time', 'Action']);
  await page.setViewportSize({ width: 600, height: 844 });
  await expect(heads).toContainText(['', 'UserName', 'Points', 'Action', 'More']);
  await table.getByRole('button', { name: `More about ${nameOf('retailer')}`, exact: true }).click();
  const sheet = page.getByRole('dialog', { name: nameOf('retailer'), exact: true });
  for (const name of ['Refer ID', 'Unique ID', 'Date & Time']) await expect(sheet.getByText(name)).toBeVisible();
  for (const name of ['Credit Transfer', 'Credit Adjust', 'Edit', 'Statement']) {
    await expect(sheet.getByRole('link', { name, exact: true })).toHaveText(name);
  }
  await expect(sheet.getByRole('listitem').last()).toHaveText('Delete');
});

test("a 32-letter name leaves room for the top bar's controls", async ({ page }) => {
  await signIn(page, server.url, LONG_NAME, 'retailer');
  await expect(page.getByRole('banner').getByText('Balance')).toBeVisible();
  for (const size of SIZES) {
    await expectToFit(page, [size]);
    const [width] = size;
    for (const button of await page.getByRole('banner').getByRole('button').all()) {
      const box = (await button.boundingBox())!;
      expect(box.x + box.width, `at ${width} px`).toBeLessThanOrEqual(width);
    }
  }
});

test('reports put the key figures first', async ({ page }) => {
  await haveSession(page, server.url, nameOf('superadmin'));
  const heads = page.getByRole('main').getByRole('columnheader');
  for (const [path, width, wanted] of [
    ['gamehistory', 1440, ['TicketID', 'Username', 'Game', 'Time', 'Play', 'Won', 'W/L', 'Result', 'Action']],
    ['logactivities', 1440, ['No', 'Username', 'Subject', 'URL', 'Method', 'IP Address', 'Created At']],
    ...([600, 768, 1024] as const).map((narrow) => ['gamehistory', narrow, ['TicketID', 'Time', 'Result']] as const),
    ['transactionreport', 1440, ['Transaction Message', 'Status', 'Created Date']],
    ['transactionreport', 600, ['User', 'Credit', 'Debit', 'Created Date']],
    ['logactivities', 600, ['Username', 'Subject', 'Created At']],
    ['admincommissionreport', 600, ['Game Name', 'Username', 'Commission Amount']],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${server.url}/superadmin/${path}`);
    for (const name of wanted)
      await expect(heads.filter({ hasText: name }).first(), `${path} at ${width} px`).toBeVisible();
  }
});

test('titles never break words for adjacent buttons', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await haveSession(page, server.url, nameOf('superadmin'));
  await page.goto(`${server.url}/superadmin/superdistributor`);
  const title = page.getByRole('heading', { name: 'Super Distributor' });
  await expect(title).toBeVisible();
  const linesOf = (heading: HTMLElement) => {
    const [text] = heading.childNodes as unknown as Iterable<Text>;
    return text!.data.split(' ').map((word) => {
      const range = document.createRange();
      range.setStart(text!, text!.data.indexOf(word));
      range.setEnd(text!, text!.data.indexOf(word) + word.length);
      return range.getClientRects().length;
    });
  };
  expect(await title.evaluate(linesOf)).toEqual([1, 1]);
});

test('a row opens beside its list if it fits, otherwise from below', async ({ page }) => {
  await haveSession(page, server.url, nameOf('superadmin'));
  await page.goto(`${server.url}/superadmin/logactivities?signIns=shown`);
  const sheet = page.getByRole('dialog', { name: 'Signed in' });
  for (const [width, edge] of [
    [1024, 'x'],
    [900, 'y'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page
      .getByRole('row', { name: /Signed in/ })
      .first()
      .click();
    await expect.poll(async () => (await sheet.boundingBox())?.[edge] ?? 0).toBeGreaterThan(300);
    expect((await sheet.boundingBox())![edge === 'x' ? 'y' : 'x']).toBe(0);
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
  }
});

test('all menu groups are visible at 900 px, and folding is remembered', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, server.url, nameOf('superadmin'), 'superadmin');
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  for (const name of ['Dashboard', 'Returns', 'Liability', 'All tables', 'Log Activities', 'Profile'])
    await expect(menu.getByRole('link', { name, exact: true })).toBeInViewport({ ratio: 1 });
  const group = menu.getByRole('button', { name: 'Management' });
  await group.click();
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await expect(menu.getByRole('link', { name: 'Game Master' })).toHaveCount(0);
  await page.reload();
  await expect(menu.getByRole('link', { name: 'Game History' })).toBeVisible();
  await expect(menu.getByRole('link', { name: 'Game Master' })).toHaveCount(0);
  await page.goto(`${server.url}/superadmin/gamemaster`);
  await expect(menu.getByRole('link', { name: 'Game Master' })).toHaveAttribute('aria-current', 'page');
  await expect(menu.getByRole('link', { name: 'Time Master' })).toHaveCount(0);
  await group.click();
  await expect(menu.getByRole('link', { name: 'Time Master' })).toBeVisible();
});

test('the sidebar folds at 900 px or manually, and remembers it', async ({ page }) => {
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  await signIn(page, server.url, nameOf('superadmin'), 'superadmin');
  await page.setViewportSize({ width: 901, height: 900 });
  await expect(sidebar).toBeVisible();
  await page.setViewportSize({ width: 900, height: 900 });
  await expect(sidebar).toBeHidden();
  await page.getByRole('button', { name: 'Open the menu' }).click();
  const profile = page.getByRole('dialog').getByRole('link', { name: 'Profile', exact: true });
  await expect(profile).toBeVisible();
  await page.setViewportSize({ width: 390, height: 600 });
  await expect(profile).not.toBeInViewport();
  await profile.scrollIntoViewIfNeeded();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Dashboard', exact: true })).not.toBeInViewport();
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Collapse the menu' }).click();
  await expect(sidebar).toBeHidden();
  await page.reload();
  const unfold = page.getByRole('button', { name: 'Expand the menu' });
  await expect(unfold).toBeVisible();
  await expect(sidebar).toBeHidden();
  await unfold.click();
  await expect(sidebar).toBeVisible();
});
