import { randomUUID } from 'node:crypto';
import type { Game } from '@drawhouse/contract/games/games';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { runAudit } from '../../server/test/processes/server-process.ts';
import { expectSaid } from './messages-heard.ts';
import { makeNetwork, nameOf } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  haveSession,
  signOut,
  startTestServer,
  watchErrors,
  tokenOf,
  type TestServer,
} from './support.ts';

const GAME = 'Three Lamps';
/** Betting closes a sixth of it earlier. */
const INTERVAL_SECONDS = 54;

let server: TestServer;
let adminId: string;
const problems: string[] = [];

test.beforeAll(async () => {
  server = await startTestServer('games-story');
  adminId = (await makeNetwork(server.url)).accounts.admin._id;
});
test.afterAll(() => server.remove());

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

async function picture(page: Page, color: string) {
  const url = await page.evaluate<string>(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 });
    const context = canvas.getContext('2d');
    context.fillStyle = '${color}';
    context.fillRect(0, 0, 64, 64);
    return canvas.toDataURL('image/png');
  })()`);
  return { name: `${color}.png`, mimeType: 'image/png', buffer: Buffer.from(url.split(',')[1]!, 'base64') };
}

async function windowOf(browser: Browser, role: 'superadmin'): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  watchErrors(page, problems);
  await haveSession(page, server.url, nameOf(role));
  return page;
}

interface Player {
  readonly token: string;
  readonly gameId: string;
}

interface State {
  readonly draw: {
    readonly _id: string;
    readonly number: number;
    readonly closesAt: string;
    readonly status: string;
  } | null;
  readonly walletBalance: number;
  readonly unitPrice: number;
  readonly heads: readonly { readonly pay: number }[];
  readonly limits: object;
}

const stateOf = ({ token, gameId }: Player) => callApi<State>(server.url, `app/state?gameId=${gameId}`, token);

/** Waits for a draw with this much betting time, since questions lapse with their draw. */
async function freshDraw(player: Player, page: Page, seconds: number): Promise<string> {
  const leftMs = async () => {
    const { draw } = await stateOf(player);
    return draw?.status === 'open' ? Date.parse(draw.closesAt) - Date.now() : 0;
  };
  await expect.poll(leftMs, { timeout: 120_000 }).toBeGreaterThan(seconds * 1000);
  const { _id, number } = (await stateOf(player)).draw!;
  await expect(page.getByRole('region', { name: 'Draw', exact: true })).toContainText(String(number));
  return _id;
}

test('from a catalogue game to a publicly checked draw', async ({ page, browser }) => {
  watchErrors(page, problems);
  await haveSession(page, server.url, nameOf('superadmin'));

  await test.step('the superadmin adds a time', async () => {
    await page.goto(`${server.url}/superadmin/timemaster`);
    await page.getByRole('link', { name: 'Add Time' }).click();
    await field(page, 'Time in sec').fill('4');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByText(/from 5 to 86,?400/)).toBeVisible();
    await field(page, 'Time in sec').fill(String(INTERVAL_SECONDS));
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByRole('cell', { name: String(INTERVAL_SECONDS), exact: true })).toBeVisible();
  });

  await test.step('adds a game with its images', async () => {
    await page.goto(`${server.url}/superadmin/gamemaster/create`);
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByText('Game name is required')).toBeVisible();
    await field(page, 'Game Name').fill(GAME);
    await field(page, 'Description').fill('One of three lamps');
    await field(page, 'Number of Digits').fill('3');
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: `${INTERVAL_SECONDS} s`, exact: true }).click();
    await page.keyboard.press('Escape');
    await field(page, 'Release Date').fill('1 Mar 2026');
    await field(page, 'Unit price').fill('2');
    await page.getByRole('group', { name: 'Pays' }).getByRole('textbox', { name: 'Number' }).fill('2.5');
    await page.getByRole('radio', { name: 'Yes', exact: true }).check();
    for (const [digit, color] of ['red', 'green', 'blue'].entries())
      await page.getByLabel(`Image of digit ${digit}`, { exact: true }).setInputFiles(await picture(page, color));
    await expectSaid(page, `Game "${GAME}" created successfully`, () =>
      page.getByRole('button', { name: 'Submit' }).click(),
    );
    await page.waitForURL('**/superadmin/gamemaster');
  });

  await test.step('assigns it to the admin', async () => {
    await page.goto(`${server.url}/superadmin/admin/edit/${adminId}`);
    await page.getByRole('checkbox', { name: GAME, exact: true }).check();
    await expectSaid(page, 'User updated successfully!', () => page.getByRole('button', { name: 'Submit' }).click());
    await page.waitForURL('**/superadmin/admin');
    await signOut(page);
  });

  const token = await tokenOf(server.url, nameOf('user'));
  const games = await callApi<{ data: Game[] }>(server.url, 'game', token);
  const player: Player = { token, gameId: games.data.find(({ gameName }) => gameName === GAME)!.gameId };
  const bet = (drawId: string, drawno: string, qty: number) =>
    callApi(server.url, 'app/bet', token, {
      gameId: player.gameId,
      drawId,
      requestId: randomUUID(),
      lines: [{ drawno, qty }],
    });

  await haveSession(page, server.url, nameOf('admin'));
  await test.step('the admin sets its win percentage', async () => {
    await page.goto(`${server.url}/admin/winpercentage`);
    const percentage = page.getByRole('textbox', { name: `Percentage of ${GAME} of ${nameOf('admin')}` });
    await percentage.fill('');
    await percentage.fill('0.5');
    await page.getByRole('button', { name: 'Set Percentage' }).click();
    await expect(percentage).toHaveAttribute('aria-invalid', 'true');
    await percentage.fill('100');
    await page.getByRole('button', { name: 'Set Percentage' }).click();
    await expect(page.getByText(`${GAME} of ${nameOf('admin')}: 100 % holds from draw`)).toBeVisible();
  });

  await test.step('sets its limits', async () => {
    await page.goto(`${server.url}/admin/limits`);
    const limit = page.getByRole('textbox', { name: new RegExp(`^.*ticket.*: ${GAME}$`, 'i') });
    await limit.fill('-1');
    await page.getByRole('button', { name: 'Set Limits' }).click();
    await expect(limit).toHaveAttribute('aria-invalid', 'true');
    await limit.fill('500');
    await expectSaid(page, `Limits of ${nameOf('admin')} set`, () =>
      page.getByRole('button', { name: 'Set Limits' }).click(),
    );
    expect(await stateOf(player)).toMatchObject({ unitPrice: 2, heads: [{ pay: 2.5 }], limits: { perTicket: 500 } });
  });

  const panel = `game/${player.gameId}/${adminId}/${nameOf('admin')}`;
  const second = await windowOf(browser, 'superadmin');
  let declared = '';
  await test.step('one person declares a result, and another sees it', async () => {
    await page.goto(`${server.url}/admin/${panel}`);
    await second.goto(`${server.url}/superadmin/${panel}`);
    await expect(second.getByRole('timer')).toBeVisible();
    declared = await freshDraw(player, page, 36);
    await bet(declared, '2', 10);
    const tile = page.locator('[data-drawno="2"]');
    await expect(tile).toContainText('20.00');
    await expect(tile.getByRole('img').or(tile.locator('img')).first()).toBeVisible();
    await tile.click();
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(second.getByText(`Saved by ${nameOf('admin')}`).first()).toBeVisible();
    const before = (await stateOf(player)).walletBalance;
    await expect.poll(async () => (await stateOf(player)).walletBalance, { timeout: 90_000 }).toBe(before + 50);
  });

  let generated = '';
  await test.step('generates the next result', async () => {
    generated = await freshDraw(player, page, 24);
    await page.getByRole('button', { name: 'Generate', exact: true }).click();
    await expectSaid(page, 'Result generated successfully!', () =>
      page.getByRole('dialog', { name: 'Generate result' }).getByRole('button', { name: 'Confirm' }).click(),
    );
    await second.context().close();
  });

  await test.step('anybody reads how both results came about and checks them', async () => {
    await signOut(page);
    await page.goto(`${server.url}/fair/${generated}`);
    await expect(page.getByText('This draw checks out').first()).toBeVisible();
    await page.goto(`${server.url}/fair`);
    await page.getByRole('textbox').fill('nothing');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
    await page.getByRole('textbox').fill(declared);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/fair/${declared}`);
    await expect(page.getByText(/declared/i).first()).toBeVisible();
    await expectAccessible(page);
  });

  expect(problems).toEqual([]);
  expect(await runAudit(server.dataDir, { DATABASE_URL: server.ownerUrl! })).toMatchObject({ code: 0 });
});
