import type { AdminGame, Game } from '@drawhouse/contract/games/games';
import { expect, test } from '@playwright/test';
import { callApi, PASSWORD, signIn, startTestServer, type TestServer } from './support.ts';

const ADMINS = Array.from({ length: 20 }, (_, index) => `admin-${String(index + 1).padStart(2, '0')}`);

let server: TestServer;
let pairs: AdminGame[];
let games: Game[];

test.beforeAll(async () => {
  server = await startTestServer('many', { isEmpty: true });
  const { token, user } = await callApi<{ token: string; user: { _id: string } }>(server.url, 'auth/login', undefined, {
    username: 'superadmin',
    password: PASSWORD,
  });
  games = (await callApi<{ data: Game[] }>(server.url, 'game', token)).data;
  for (const username of ADMINS) {
    await callApi(server.url, 'admins/create', token, {
      username,
      password: PASSWORD,
      commission: 0,
      note: 'add notes',
      refId: user._id,
      userStatus: true,
      games: games.map((game) => game._id),
    });
  }
  pairs = (await callApi<{ adminGameList: AdminGame[] }>(server.url, `game/usergames/${user._id}`, token))
    .adminGameList;
});
test.afterAll(() => server.remove());
test.beforeEach(({ page }) => signIn(page, server.url, 'superadmin', 'superadmin'));

test('tables of 20 admins show once each, searchable and filterable', async ({ page }) => {
  expect(pairs).toHaveLength(ADMINS.length * games.length);
  await page.goto(`${server.url}/superadmin/game`);
  const main = page.getByRole('main');
  const rows = main.getByRole('table', { name: 'All tables' }).locator('tbody tr');
  await expect(rows).toHaveCount(pairs.length);
  const links = await rows.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(new Set(links).size).toBe(pairs.length);
  await main.getByRole('combobox', { name: 'Game' }).selectOption({ label: games[0]!.gameName });
  await expect(rows).toHaveCount(ADMINS.length);
  await main.getByRole('combobox', { name: 'Admin' }).selectOption('admin-12');
  await expect(rows).toHaveCount(1);
  await main.getByRole('combobox', { name: 'Admin' }).selectOption('All admins');
  await expect(rows).toHaveCount(ADMINS.length);
  await main.getByRole('searchbox').fill(`admin-07 ${games[0]!.gameName}`);
  await expect(rows).toHaveCount(1);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await rows.getByText('admin-07').click();
  await page.waitForURL(`**/superadmin/game/*/*/admin-07`);
});

test("the palette lists each panel once and opens the right admin's", async ({ page }) => {
  const wanted = pairs.find((pair) => pair.username === 'admin-13' && pair.gameId === 'funtargetbingo')!;
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const palette = page.getByRole('dialog', { name: 'Find anything' });
  const panels = palette.getByRole('group', { name: 'Live panels' }).getByRole('option');
  await expect(panels).toHaveCount(12);
  await expect(palette).toContainText(`${pairs.length - 12} more`);
  await palette.getByRole('combobox').fill(`${wanted.gameName} admin-13`);
  await expect(panels).toHaveCount(1);
  await palette.getByRole('combobox').fill(wanted.gameName);
  await palette.getByRole('combobox').fill(`${wanted.gameName} admin-13`);
  await expect(panels).toHaveCount(1);
  await panels.click();
  await page.waitForURL(`**/superadmin/game/${wanted.gameId}/${wanted.adminId}/admin-13`);
});

test('the menu folds by admin, is searchable and keeps log and profile visible', async ({ page }) => {
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  const panelLinks = menu.getByRole('region', { name: 'Live Reports' }).getByRole('link');
  const inSight = async () => {
    for (const name of ['Log Activities', 'Profile']) {
      await expect(menu.getByRole('link', { name, exact: true })).toBeInViewport({ ratio: 1 });
    }
  };
  const fold = (username: string) => menu.getByRole('button', { name: new RegExp(`^${username}`) });
  await expect(fold('admin-20')).toHaveAttribute('aria-expanded', 'false');
  await expect(panelLinks).toHaveText(['All tables']);
  await inSight();

  await fold('admin-02').click();
  await expect(panelLinks).toHaveCount(1 + games.length);
  await fold('admin-02').click();
  await menu.getByRole('searchbox', { name: 'Search live panels' }).fill('bingo 05');
  await expect(fold('admin-05')).toHaveAttribute('aria-expanded', 'true');
  await expect(fold('admin-06')).toBeHidden();
  await panelLinks.nth(1).click();
  await page.waitForURL('**/superadmin/game/**/admin-05');
  await menu.getByRole('searchbox').fill('');
  await expect(fold('admin-05')).toHaveAttribute('aria-expanded', 'true');
  await expect(menu.locator('[aria-current="page"]')).toBeInViewport();
  await expect(fold('admin-06')).toHaveAttribute('aria-expanded', 'false');
  await inSight();
});
