import { expect, test } from '@playwright/test';
import { expectToFitInLong } from './look.ts';
import { expectSaid } from './messages-heard.ts';
import { headingOf, openAsPlayer, SIZES } from './playersPage.ts';
import { drawNow, fundAdmin, LONG_DRAWS, nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { callApi, expectAccessibleInLong, failOnErrors, submitSignIn, tokenOf, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork('players', (...both) => ([server, network] = both), LONG_DRAWS);
const { watch, allow } = failOnErrors();

async function layBet(requestId: string): Promise<string> {
  const token = await tokenOf(server.url, nameOf('user'));
  const lines = [{ head: 'straight', drawno: '123', qty: 10 }];
  const { ticket } = await callApi<{ ticket: { drawId: string } }>(server.url, 'app/bet', token, {
    gameId: network.pair.gameId,
    requestId,
    lines,
  });
  return ticket.drawId;
}

test('the sign-in explains errors, remembers the name and leads to the requested page', async ({ page }) => {
  allow(/status of (401|403)|answered (401|403)/);
  await page.goto(`${server.url}/mine/statement`);
  await page.waitForURL('**/sign-in?back=*');
  const username = page.getByRole('textbox', { name: 'Username' });
  await expect(username).toBeFocused();
  await page.getByLabel('Password', { exact: true }).focus();
  await expect(page.getByText('Username is required')).toBeVisible();
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Password is required')).toBeVisible();
  await expect(username).toBeFocused();
  await expectAccessibleInLong(page);
  await expectToFitInLong(page, SIZES);

  await submitSignIn(page, nameOf('user'), 'wrong password');
  await expect(page.getByRole('alert')).toHaveText(/^Username or password is wrong\.\s*Request [0-9A-Z]{26}$/);
  await page.getByRole('checkbox', { name: 'Remember me' }).check();
  await expectSaid(page, 'Login successful!', () => submitSignIn(page, ` ${nameOf('user')} `));
  await page.waitForURL('**/mine/statement');
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  const addresses: string[] = [];
  page.on('framenavigated', (frame) => addresses.push(new URL(frame.url()).pathname));
  await page.getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL('**/sign-in');
  expect(addresses).toEqual(['/auth/login', '/sign-in']);
  await expect(username).toHaveValue(nameOf('user'));
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
});

test('the lobby shows wallet and games, and updates results and wins live', async ({ page }) => {
  await openAsPlayer(page, server, '/');
  await expect(headingOf(page, 'Games')).toBeVisible();
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: network.pair.gameName });
  await expect(card).toContainText('Closes in');
  const wallet = page.getByRole('link', { name: /^Wallet/ });
  await expect(wallet).toContainText('1,000.00');
  await expectAccessibleInLong(page);
  await expectToFitInLong(page, SIZES);
  let loads = 0;
  page.on('load', () => loads++);

  const drawId = await layBet('lobby-1');
  await expect(wallet).toContainText('990.00');
  await expect(card).toContainText('Your open bets: 10.00');
  const token = await tokenOf(server.url, nameOf('admin'));
  const pair = { gameId: network.pair.gameId, adminId: network.accounts.admin._id };
  await fundAdmin(server.url, network, 10_000);
  await callApi(server.url, 'live/addresult', token, { ...pair, drawId, result: '123' });
  await expect(card).toContainText('Drawn in');
  await drawNow(server, network.pair.gameId);
  await expect(card).toContainText('Last result123');
  await expect(card).not.toContainText('Your open bets');
  await expect(card, 'its source is never hidden').toContainText('Declared by the operator');
  await expect(wallet).toContainText('9,990.00');
  const today = page.getByRole('region', { name: 'Today' });
  await expect(today).toContainText('+8,990.00');
  await expect(today).toContainText('staked 10.00, won 9,000.00');
  expect(loads).toBe(0);

  await page.goto(`${server.url}/welcome`);
  const winners = page.getByRole('region', { name: 'Recent winners' });
  await expect(winners.getByRole('listitem')).toHaveText([/^t\*{5}.*9,000\.00$/]);
  await expect(winners).toContainText('No more winners to show.');
});

test('links, Back and Forward move focus to page headings', async ({ page }) => {
  await openAsPlayer(page, server, '/');
  const game = page.getByRole('main').getByRole('link', { name: network.pair.gameName, exact: true });
  await expect(game).toHaveAttribute('href', `/play/${network.pair.gameId}`);
  await page.getByRole('link', { name: /^Wallet/ }).click();
  await expect(headingOf(page, 'My statement')).toBeFocused();
  await expect(page).toHaveTitle('My statement – Drawhouse');
  await page.goBack();
  await expect(headingOf(page, 'Games')).toBeFocused();
  await page.goForward();
  await expect(headingOf(page, 'My statement')).toBeFocused();

  const [elsewhere] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Drawhouse' }).click({ modifiers: ['ControlOrMeta'] }),
  ]);
  watch(elsewhere);
  await expect(headingOf(elsewhere, 'Games')).toBeVisible();
  await elsewhere.close();

  await page.goto(`${server.url}/mine/nothing/here`);
  await page.waitForURL(`${server.url}/`);
  await expect(headingOf(page, 'Games')).toBeFocused();
});

test('a session ends in all tabs, with a reason if the server ended it', async ({ context, page }) => {
  await openAsPlayer(page, server, '/');
  const other = await context.newPage();
  watch(other);
  await other.goto(`${server.url}/mine/account`);
  await expect(headingOf(other, 'Password and devices')).toBeVisible();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Log Out' }).click();
  for (const tab of [page, other]) await tab.waitForURL('**/sign-in*');
  await expect(other.getByText('Your session has ended')).toBeHidden();

  await openAsPlayer(page, server, '/');
  await expect(headingOf(page, 'Games')).toBeVisible();
  allow(/status of 401|answered 401/);
  const token = await tokenOf(server.url, nameOf('retailer'));
  await callApi(server.url, `app/logout?id=${network.accounts.user._id}&role=retailer`, token);
  await page.waitForURL('**/sign-in');
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible();
});
