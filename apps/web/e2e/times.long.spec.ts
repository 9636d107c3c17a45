import { expect, test } from '@playwright/test';
import type { Game } from '@drawhouse/contract/games/games';
import { expectSaid } from './messages-heard.ts';
import {
  giveGames,
  LONG_DRAW_SECONDS,
  makeNetwork,
  nameOf,
  passwordsSetLongAgo,
  setDrawInterval,
} from './testNetwork.ts';
import { callApi, expectAccessible, haveSession, startTestServer, tokenOf, type TestServer } from './support.ts';

const GAME = 'funtargetbingo';

let server: TestServer;
let panelPath: string;

test.beforeAll(async () => {
  server = await startTestServer('times');
  await setDrawInterval(server, GAME, LONG_DRAW_SECONDS);
  const { accounts } = await makeNetwork(server.url);
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  const game = data.find(({ gameId }) => gameId === GAME)!;
  await callApi(server.url, `game/${game._id}`, token, { resultMode: 'two-person' }, 'PUT');
  await giveGames(server.url, token, accounts.admin._id, [game]);
  panelPath = `game/${GAME}/${accounts.admin._id}/${nameOf('admin')}`;
});
test.afterAll(() => server.remove());

test('a time is added, changed with its effect shown, and deleted', async ({ page }) => {
  await haveSession(page, server.url, nameOf('superadmin'));
  await page.goto(`${server.url}/superadmin/timemaster`);
  const row = (seconds: string) =>
    page.getByRole('row').filter({ has: page.getByRole('cell', { name: seconds, exact: true }) });
  await expect(row(LONG_DRAW_SECONDS.toLocaleString('en-US'))).toContainText(/and \d+ more/);
  await expect(page.getByRole('columnheader')).toHaveText(['No', 'Time ID', 'Time in sec', 'Games', 'Action']);
  await expectAccessible(page);

  await test.step('refuses invalid times beside the field', async () => {
    await page.getByRole('link', { name: 'Add Time' }).click();
    const field = page.getByRole('textbox', { name: 'Time in sec' });
    for (const [typed, said] of [
      ['', 'Enter a whole number of seconds from 5 to 86,400'],
      ['4', 'Enter a whole number of seconds from 5 to 86,400'],
      ['300', 'A time of 300 seconds already exists'],
    ] as const) {
      await field.fill(typed);
      await page.getByRole('button', { name: 'Create' }).click();
      await expect(page.getByText(said)).toBeVisible();
    }
    await field.fill('45');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL('**/timemaster');
    await expect(row('45')).toBeVisible();
  });

  await test.step('the form of a used time shows what changes and from when', async () => {
    await page.getByRole('link', { name: `Edit Time: ${LONG_DRAW_SECONDS} s` }).click();
    const use = page.getByRole('region', { name: 'Games' });
    await expect(use).toContainText(/These \d+ games draw at this interval\./);
    await page.getByRole('textbox', { name: 'Time in sec' }).fill('1800');
    await expect(use).toContainText('games draw every 30 minutes from');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Update' }).click();
    await page.waitForURL('**/timemaster');
    await expect(row('1,800')).toBeVisible();
  });

  await test.step('a used time stays; an unused one is deleted', async () => {
    for (const [seconds, said] of [
      ['300', 'use this time'],
      ['45', 'Time deleted successfully!'],
    ] as const) {
      await page.getByRole('button', { name: `Delete: ${seconds} s` }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete Confirmation' });
      await expectSaid(page, said, () => dialog.getByRole('button', { name: 'Confirm', exact: true }).click());
      if (seconds === '300') await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(dialog).toBeHidden();
    }
    await expect(row('45')).toBeHidden();
  });
});

test('a saved result applies once a second person confirms it', async ({ browser }) => {
  const pages = await Promise.all(
    (['admin', 'superadmin'] as const).map(async (role) => {
      const page = await (await browser.newContext()).newPage();
      await haveSession(page, server.url, nameOf(role));
      await page.goto(`${server.url}/${role}/${panelPath}`);
      await expect(page.getByText('Betting is open')).toBeVisible();
      return page;
    }),
  );
  const [admin, superadmin] = pages as [(typeof pages)[number], (typeof pages)[number]];
  await admin.locator('[data-drawno="7"]').click();
  await admin.getByRole('button', { name: 'SAVE' }).click();
  await expect(admin.getByText('waiting for a second person')).toBeVisible();
  await expect(admin.getByText('Unconfirmed')).toBeVisible();
  await expect(admin.getByRole('button', { name: /^Confirm/ })).toBeHidden();
  await expect(superadmin.getByText('waiting for you')).toBeVisible();
  await expectAccessible(superadmin);

  await test.step('nobody confirms for an account whose password they set', async () => {
    await expectSaid(
      superadmin,
      `You set the password of ${nameOf('admin')} less than 7 days ago, so you don't count as a second person`,
      () => superadmin.getByRole('button', { name: 'Confirm 7' }).click(),
    );
    await passwordsSetLongAgo(server);
  });

  await test.step('another person asks the first in turn', async () => {
    await superadmin.locator('[data-drawno="8"]').click();
    await superadmin.getByRole('button', { name: 'SAVE' }).click();
    await expect(admin.getByRole('button', { name: 'Confirm 8' })).toBeVisible();
    await expect(superadmin.getByRole('button', { name: /^Confirm/ })).toBeHidden();
  });

  await test.step('applies once confirmed, with both names on both panels', async () => {
    await admin.getByRole('button', { name: 'Confirm 8' }).click();
    for (const page of pages) {
      await expect(page.getByText(`confirmed by ${nameOf('admin')} from the same address`)).toBeVisible();
      await expect(page.getByRole('button', { name: /^Confirm/ })).toBeHidden();
    }
    await expectAccessible(admin);
  });
  for (const page of pages) await page.context().close();
});
