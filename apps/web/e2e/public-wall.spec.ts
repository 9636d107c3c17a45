import { expect, test } from '@playwright/test';
import { giveGames, LONG_DRAW_SECONDS, makeNetwork, nameOf, setDrawInterval } from './testNetwork.ts';
import type { Game } from '@drawhouse/contract/games/games';
import { callApi, expectAccessible, haveSession, startTestServer, tokenOf, type TestServer } from './support.ts';

const GAMES = ['funtargetbingo', 'titlisorrat'];

let server: TestServer;
let adminId: string;

test.beforeAll(async () => {
  server = await startTestServer('public-wall');
  for (const game of GAMES) await setDrawInterval(server, game, LONG_DRAW_SECONDS);
  const network = await makeNetwork(server.url);
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  adminId = network.accounts.admin._id;
  await giveGames(
    server.url,
    token,
    adminId,
    data.filter(({ gameId }) => GAMES.includes(gameId)),
  );
});
test.afterAll(() => server.remove());

test('an admin makes a link to a public wall, which shows results until it is withdrawn', async ({ page, browser }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/game`);
  await page.getByRole('button', { name: 'Public wall' }).click();
  const dialog = page.getByRole('dialog', { name: 'Public wall' });
  await dialog.getByRole('checkbox', { name: 'Titli' }).check();
  await dialog.getByRole('button', { name: 'Make link' }).click();
  const link = await dialog.getByLabel('Link').inputValue();
  expect(link).toContain('/wall/dhw_');
  expect(link).toContain('games=titlisorrat');
  await expectAccessible(page);

  const strangers = await browser.newContext();
  const screen = await strangers.newPage();
  await screen.goto(link);
  await expect(screen.getByRole('heading', { level: 1 })).toContainText('Titli');
  await expect(screen.getByRole('timer')).toHaveCount(1);
  await expect(screen.getByText('No results yet.')).toBeVisible();
  await callApi(server.url, 'live/generateresult', await tokenOf(server.url, nameOf('admin')), {
    gameId: 'titlisorrat',
    adminId,
  });
  await expect(screen.getByRole('region', { name: 'Last result', exact: true })).toContainText('generated');
  await expectAccessible(screen);

  await dialog.getByRole('button', { name: 'Withdraw link' }).click();
  await expect(screen.getByRole('alert')).toContainText('no longer exists');
  await strangers.close();
});
