import { randomUUID } from 'node:crypto';
import type { Game } from '@drawhouse/contract/games/games';
import { expect, test, type Page } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { gridOf, resultForm, urlOfPanel } from './panelPage.ts';
import { drawNow, giveGames, makeNetwork, nameOf, passwordsSetLongAgo, type Network } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  haveSession,
  startTestServer,
  tokenOf,
  type TestServer,
} from './support.ts';

const GAME = 'funtargetbingo';

let server: TestServer;
let network: Network;
let ticketId: string;
const errors = failOnErrors();

/** Every four hours, some minutes away from now in any time zone. */
function timesAhead(now: Date): string[] {
  const minute = String((now.getUTCMinutes() + 37) % 60).padStart(2, '0');
  return ['00', '04', '08', '12', '16', '20'].map((hour) => `${hour}:${minute}`);
}

test.beforeAll(async () => {
  server = await startTestServer('outside-results');
  network = await makeNetwork(server.url);
  await passwordsSetLongAgo(server);
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  const game = data.find(({ gameId }) => gameId === GAME)!;
  const times = timesAhead(new Date());
  await callApi(server.url, 'schedule', token, {
    name: 'National',
    times,
    weekdays: [0, 1, 2, 3, 4, 5, 6],
    daysOff: [],
    daysOn: [],
    opensAt: null,
    closesBefore: 0,
    sources: Object.fromEntries(times.map((time) => [time, 'National'])),
    games: [game._id],
  });
  await giveGames(server.url, token, network.accounts.admin._id, [game]);
  const player = await tokenOf(server.url, nameOf('user'));
  const bet = { gameId: GAME, requestId: randomUUID(), lines: [{ drawno: '7', qty: 2 }] };
  ({ ticketId } = (await callApi<{ ticket: { ticketId: string } }>(server.url, 'app/bet', player, bet)).ticket);
  await drawNow(server, GAME);
});
test.afterAll(() => server.remove());

async function openPanelAs(page: Page, role: 'superadmin' | 'admin'): Promise<void> {
  await haveSession(page, server.url, nameOf(role));
  await page.goto(urlOfPanel(server.url, network, GAME).replace('/admin/', `/${role}/`));
  await expect(gridOf(page)).toBeVisible();
}

async function choose(page: Page, draw: RegExp, outcome: string): Promise<void> {
  const aim = resultForm(page).getByRole('combobox', { name: 'Result of' });
  await aim.selectOption(await aim.getByRole('option').filter({ hasText: draw }).textContent());
  await gridOf(page).locator(`[data-drawno="${outcome}"]`).click();
}

test('an outside result is entered by two people, corrected by two, and the player reads why', async ({
  browser,
  page,
}) => {
  // A request that waits for approval is an error to the browser.
  errors.allow(/live\/correctresult/);
  const second = await (await browser.newContext()).newPage();
  const player = await (await browser.newContext()).newPage();

  await test.step('two people enter the result', async () => {
    await openPanelAs(page, 'admin');
    await expect(page.getByText(/Waiting for the result of National/)).toBeVisible();
    await choose(page, /^National/, '7');
    await resultForm(page).getByRole('button', { name: 'SAVE' }).click();
    await expect(page.getByText('the-admin saved 7; a second person must confirm it.')).toBeVisible();
    await openPanelAs(second, 'superadmin');
    await second.getByRole('button', { name: /^Confirm/ }).click();
    await expect(page.getByText(/Waiting for the result of National/)).toBeHidden();
  });

  const lastResult = player.getByRole('region', { name: 'Last result' });
  await test.step('a board that opens afterwards shows the win', async () => {
    await haveSession(player, server.url, nameOf('user'));
    await player.goto(`${server.url}/play/${GAME}`);
    await expect(lastResult).toContainText('You won 18.00 on 2.00.');
    const running = player.getByRole('region', { name: 'The draw' });
    await expect(running).toContainText(/\d\d \w{3}, \d\d:\d\d\. Result of National/);
  });

  await test.step('the panel asks for a correction', async () => {
    await page.reload();
    const aim = resultForm(page).getByRole('combobox', { name: 'Result of' });
    await expect(aim.getByRole('option', { selected: true })).toHaveText(/^Draw/);
    await expect(page.getByText('Saving closes betting now.')).toBeHidden();
    const tile = gridOf(page).locator('[data-drawno="7"]');
    await expect(tile).not.toContainText('2.00');
    await choose(page, /^Correct National/, '3');
    await expect(page.getByText(/^These are the stakes of National/)).toBeVisible();
    await expect(tile).toContainText('2.00');
    await resultForm(page).getByRole('button', { name: 'Correct result' }).click();
    const dialog = page.getByRole('dialog', { name: 'Correct the result of National' });
    await expect(dialog).toContainText('The result changes from 7 to 3.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Correct result' }).click();
    await expect(dialog).toContainText('Reason is required');
    const reason = dialog.getByRole('textbox', { name: 'Reason' });
    await reason.fill('Read from the wrong line');
    const size = page.viewportSize()!;
    for (const width of [600, size.width]) await page.setViewportSize({ ...size, width });
    await expect(reason).toHaveValue('Read from the wrong line');
    await expectSaid(page, 'Correction requested', () =>
      dialog.getByRole('button', { name: 'Correct result' }).click(),
    );
  });

  await test.step('the second person approves it', async () => {
    await second.goto(`${server.url}/superadmin/approvals`);
    const row = second.getByRole('row', { name: /Correct the result of National/ });
    await expect(row).toContainText('Waiting');
    await row.getByRole('button', { name: /^Approve/ }).click();
    const dialog = second.getByRole('dialog');
    await expect(dialog).toContainText('Read from the wrong line');
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect(row).toContainText('Approved');
  });

  await test.step('the board, the ticket and the statement say why', async () => {
    await expect(lastResult).toContainText('You bet 2.00. No win.');
    await expect(lastResult).toContainText(/Result of National \d\d:\d\d, corrected/);
    await player.goto(`${server.url}/mine/bets/${ticketId}`);
    await expect(player.getByText(/The result was corrected from 7 to 3/)).toBeVisible();
    await expect(player.getByText(/were taken back\. Reason: Read from the wrong line/)).toBeVisible();
    await player.goto(`${server.url}/mine/statement`);
    await expect(player.getByText('Correction of a result').first()).toBeVisible();
  });
});
