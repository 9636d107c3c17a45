import { changeHouse } from '@drawhouse/contract/house/house';
import { expect, test, type Page } from '@playwright/test';
import { expectToFit } from './look.ts';
import { expectSaid } from './messages-heard.ts';
import { headingOf, openAsPlayer, SIZES } from './playersPage.ts';
import { callApi, expectAccessible, failOnErrors, haveSession, tokenOf, type TestServer } from './support.ts';
import { LONG_DRAWS, nameOf, serveNetwork, type Network } from './testNetwork.ts';

let server: TestServer;
let network: Network;

serveNetwork('house', (...both) => ([server, network] = both), LONG_DRAWS);
const { allow } = failOnErrors();

const NAME = 'The Grand Lucky Star Lottery of the East';
const HELP_LINE = '+91 11 5550 1234';
const GAMBLING_HELP = 'Help with gambling problems: Tele-MANAS, 14416';

function picture(page: Page, width: number, height: number): Promise<string> {
  return page.evaluate(
    ([wide, high]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: wide, height: high });
      canvas.getContext('2d')!.fillRect(0, 0, wide!, high!);
      return canvas.toDataURL('image/png').split(',')[1]!;
    },
    [width, height],
  );
}

test('a superadmin names the house, and its name, logo, color and help lines are on the pages of players', async ({
  page,
}) => {
  allow(/status of 400|answered 400/);
  await haveSession(page, server.url, 'superadmin');
  await page.goto(`${server.url}/superadmin/house`);
  const name = page.getByLabel('Name', { exact: true });
  await expect(name).toHaveValue('Drawhouse');
  await name.fill(NAME);
  await page.getByLabel('Color', { exact: true }).fill('#ffd500');
  await expect(page.getByText(/^Light\. Shown as #[0-9a-f]{6}, so that its text stays readable\.$/)).toBeVisible();
  const buffer = Buffer.from(await picture(page, 900, 150), 'base64');
  await page.getByLabel('Logo', { exact: true }).setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  await page.getByLabel('Help line', { exact: true }).fill(HELP_LINE);
  await page.getByLabel('Terms', { exact: true }).fill('Be kind.\n\nPay what you owe.');
  const lines = page.getByLabel('Help lines for gambling problems');
  await lines.fill('IN Tele-MANAS 14416');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Line 1: enter country; name; contact')).toBeVisible();
  await lines.fill('XX; Tele-MANAS; 14416');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Help line 1: Enter each country as two letters, such as IN')).toBeVisible();
  await lines.fill('IN; Tele-MANAS; 14416');
  await expectSaid(page, 'Changes saved. Open pages show them once they are reloaded.', () =>
    page.getByRole('button', { name: 'Save' }).click(),
  );
  await expectAccessible(page);
  await expectToFit(page, [360, 768, 1280]);
  await page.reload();
  await expect(page.getByRole('banner').or(page.getByRole('complementary')).getByText(NAME).first()).toBeVisible();
});

test('players see the house from the first paint on, and nothing moves', async ({ page }) => {
  await page.addInitScript(() => {
    const moved = { sum: 0 };
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved.sum += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.setViewportSize({ width: 360, height: 720 });
  await page.goto(`${server.url}/welcome`);
  await expect(headingOf(page, `Welcome to ${NAME}`)).toBeVisible();
  await expect(page).toHaveTitle(`Welcome – ${NAME}`);
  const foot = page.getByRole('contentinfo').or(page.locator('footer'));
  for (const text of [NAME, 'Only adults may play.', `Help line: ${HELP_LINE}`, GAMBLING_HELP])
    await expect(foot.getByText(text, { exact: true })).toBeVisible();
  await expect(page.getByText('Triple Chance')).toBeVisible();
  expect(await page.evaluate('moved.sum')).toBeLessThan(0.02);
  await expectAccessible(page);
  await expectToFit(page, SIZES);

  await page.goto(`${server.url}/sign-in`);
  await expect(page.getByRole('main').getByText(NAME, { exact: true }).first()).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, SIZES);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(headingOf(page, 'Help')).toBeVisible();
  await expect(page.getByText('Ask the retailer who gave you your account.')).toBeVisible();
  await expect(page.getByRole('link', { name: '14416' })).toHaveAttribute('href', 'tel:14416');
  await expectAccessible(page);
  await expectToFit(page, SIZES);
  await foot.getByRole('link', { name: 'Terms' }).click();
  await expect(page.getByRole('main').getByText('Pay what you owe.')).toBeVisible();
});

test('manifest, icons and the offline page carry the house', async ({ page, context }) => {
  allow(/ERR_INTERNET_DISCONNECTED|status of 503/);
  await page.goto(`${server.url}/welcome`);
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', '/players/players-icon-192.png');
  const manifest = (await (await page.request.get(`${server.url}/players/players.webmanifest`)).json()) as object;
  const theme = await page.locator('meta[name="theme-color"]').getAttribute('content');
  expect(manifest).toMatchObject({ name: NAME, short_name: NAME, theme_color: theme });
  const colorAt = (x: number, y: number): Promise<string> =>
    page.evaluate<string>(
      `fetch('/players/players-icon-192.png').then((answer) => answer.blob()).then(createImageBitmap).then((icon) => {
        const canvas = new OffscreenCanvas(icon.width, icon.height).getContext('2d');
        canvas.drawImage(icon, 0, 0);
        return canvas.getImageData(${x}, ${y}, 1, 1).data.join();
      })`,
    );
  expect(await colorAt(96, 96)).toBe('0,0,0,255');
  expect(await colorAt(96, 20)).toBe('255,255,255,255');
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await context.setOffline(true);
  await page.goto(`${server.url}/sign-in`);
  await expect(headingOf(page, 'There is no connection')).toBeVisible();
  await expect(page.getByRole('main').getByText(NAME, { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCSS('background-color', cssColor(theme!));
  await expectAccessible(page);
  await context.setOffline(false);
});

function cssColor(hex: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `rgb(${channels.join(', ')})`;
}

test('a ticket names the house on the screen and on paper', async ({ page }) => {
  const token = await tokenOf(server.url, nameOf('user'));
  const { ticket } = await callApi<{ ticket: { ticketId: string } }>(server.url, 'app/bet', token, {
    gameId: network.pair.gameId,
    requestId: 'house-1',
    lines: [{ head: 'straight', drawno: '123', qty: 1 }],
  });
  await openAsPlayer(page, server, `/mine/bets/${ticket.ticketId}`);
  await expect(page.locator('footer').getByText(NAME)).toBeVisible();
  await page.getByRole('button', { name: 'Print ticket' }).click();
  const slip = page.getByRole('dialog').getByRole('article');
  for (const text of [NAME, `Help line: ${HELP_LINE}`, GAMBLING_HELP, 'Only adults may play.'])
    await expect(slip.getByText(text, { exact: true })).toBeVisible();
  await expect(slip.getByRole('presentation').first()).toHaveAttribute('src', /^\/api\/images\//);
});

test('the lobby ends with the house, and without a logo or many lines it stays short', async ({ page }) => {
  await openAsPlayer(page, server, '/');
  const foot = page.locator('footer');
  await expect(foot.getByText(GAMBLING_HELP)).toBeVisible();
  await callApi(
    server.url,
    changeHouse.path,
    await tokenOf(server.url, 'superadmin'),
    { gamblingHelp: '', logo: '' },
    'PUT',
  );
  await page.reload();
  await expect(foot.getByText(`Help line: ${HELP_LINE}`)).toBeVisible();
  await expect(foot.getByText(GAMBLING_HELP)).toBeHidden();
  await foot.getByRole('link', { name: 'Help', exact: true }).click();
  await expect(page.getByText('India', { exact: true })).toBeVisible();
  await expect(page.getByText('Other countries', { exact: true })).toBeVisible();
});
