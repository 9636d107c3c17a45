import { expect, test } from '@playwright/test';
import { ask } from '../../server/test/test-databases.ts';
import { startReceiver, WEBHOOK_SECRET, type WebhookReceiver } from '../../server/test/processes/webhook-receiver.ts';
import { expectToFit } from './look.ts';
import { makeNetwork, nameOf, type Network } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  PASSWORD,
  signIn,
  startTestServer,
  type TestServer,
} from './support.ts';

let server: TestServer;
let receiver: WebhookReceiver;
let network: Network;

test.beforeAll(async () => {
  receiver = await startReceiver();
  const settings = { NOTIFY_URL: receiver.url, NOTIFY_SECRET: WEBHOOK_SECRET };
  server = await startTestServer('dashboard', { settings });
  network = await makeNetwork(server.url);
});
test.afterAll(async () => {
  await server.remove();
  await receiver.stop();
});
const { allow } = failOnErrors();

const WIDTHS = [390, 600, 768, 900, 1024, 1180, 1280, 1440, 1920];

function playMuch(): Promise<void> {
  const { admin, user } = network.accounts;
  return ask(
    server.ownerUrl!,
    `insert into rollups (network_id, game_id, grain, starts_at, account_id, stake, win, super_commission,
      dist_commission, retail_commission, user_commission)
     select n.id, g.game_id, grain, at, unnest(u.chain), 12345678900, 23456789000 / (1 + days), 100, 200, 300, 400
     from networks n join network_games g on g.network_id = n.id, accounts u, unnest(array[0, 1, 7]) as days,
          lateral (values ('quarter', date_bin('15 minutes', now(),
          timestamptz 'epoch') - days * interval '1 day' - interval '15 minutes' * (days > 0)::int),
                          ('day', date_trunc('day', now(),
                          (select value from pinned_settings where name = 'time-zone')) - days * interval '1 day'))
            as period (grain, at)
     where n.admin_id = '${admin._id}' and u.id = '${user._id}'`,
  );
}

test("a new network shows first steps, then today's figures live after the first bet", async ({ page }) => {
  await signIn(page, server.url, nameOf('superadmin'), 'superadmin');
  await expect(page.getByRole('heading', { name: 'Welcome to Dashboard' })).toBeVisible();
  const first = page.getByRole('region', { name: 'No one has played yet' });
  await expect(first.getByRole('link', { name: 'Add an admin and choose its games' })).toHaveAttribute(
    'href',
    '/superadmin/admin/create',
  );
  await expectAccessible(page);
  await expectToFit(page, WIDTHS, 'that of a new network');

  await playMuch();
  const today = page.getByRole('region', { name: 'Today so far' });
  await expect(today).toContainText('123,456,789.00');
  await expect(first).toHaveCount(0);
  const chart = today.getByRole('region', { name: 'Play, summed by hour, in points' });
  await chart.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await expect(chart.getByRole('slider')).toHaveAttribute('aria-valuetext', /Today .*, Yesterday .*, Last \w+day /);
  await chart.getByRole('button', { name: 'Show as table' }).click();
  await expect(chart.getByRole('table')).toContainText('123,456,789.00');
  await today.getByRole('button', { name: 'Net', exact: true }).click();
  await expect(today.getByRole('table')).toContainText('−111,111,111.00');
  await expect(today).toContainText('Kept by the house after wins and commissions');
  const most = page.locator('section').filter({ hasText: 'Most play today' });
  await expect(most.getByRole('link', { name: nameOf('admin') })).toBeVisible();
  const loss = page.locator('section').filter({ hasText: 'Largest loss today' });
  await expect(loss).toContainText('−111,111,101.00');
  await expectAccessible(page);
  await expectToFit(page, WIDTHS);
  // Targets need 24 px.
  const small = await page
    .getByRole('main')
    .locator('a, button')
    .evaluateAll((targets) =>
      targets
        .filter((target) => Math.min(target.getBoundingClientRect().width, target.getBoundingClientRect().height) < 24)
        .map((target) => target.textContent),
    );
  expect(small).toEqual([]);
  const ways = page.getByRole('main').getByRole('link').filter({ hasNotText: 'Issue credit' });
  await expect(ways.first()).toHaveAttribute('href', '/superadmin/game');

  await loss.getByRole('link', { name: 'Largest loss today' }).click();
  await expect(page).toHaveURL(/turnoverreport\?period=7&sort=endPoints/);
  await expect(page.getByRole('region', { name: /Turnover Report/ })).toContainText('−111,111,101.00');
});

test('the online count updates live and links to the players', async ({ page }) => {
  await ask(server.ownerUrl!, `update sessions set last_used_at = now() - interval '5 minutes'`);
  await signIn(page, server.url, nameOf('retailer'), 'retailer');
  const tile = page.locator('section').filter({ hasText: 'Players online now' });
  await expect(tile).toContainText(/now\s*0/);
  await callApi(server.url, 'auth/login', undefined, { username: nameOf('user'), password: PASSWORD });
  await expect(tile).toContainText(/now\s*1/);
  await expect(page.getByRole('region', { name: 'Today so far' })).toContainText('Earned by you');
  await tile.getByRole('link', { name: 'Players online now' }).click();
  await expect(page.getByRole('region', { name: 'Online Players' })).toContainText(nameOf('user'));
});

test('offline keeps and labels the figures, which update on reconnect', async ({ page, context }) => {
  await signIn(page, server.url, nameOf('distributor'), 'distributor');
  const today = page.getByRole('region', { name: 'Today so far' });
  await expect(today.getByRole('slider')).toBeVisible();
  const notice = page.getByText('No connection.', { exact: true });
  allow(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await expect(notice).toBeVisible();
  await expect(today).toContainText('This time yesterday');
  const next = page.waitForResponse((response) => response.url().includes('/api/reports/dashboard') && response.ok());
  await context.setOffline(false);
  await expect(notice).toBeHidden();
  await next;
});

test('the superadmin sends a test notice by webhook and reads the response', async ({ page }) => {
  await signIn(page, server.url, 'superadmin', 'superadmin');
  await page.getByText('Server settings').click();
  const card = page.getByRole('region', { name: 'Notices by webhook' });
  await expect(card).toContainText(`Sent to ${new URL(receiver.url).host}`);
  const send = card.getByRole('button', { name: 'Send a test message' });
  await send.click();
  await expect(card.getByRole('status')).toHaveText(/^The receiver accepted it: status 204 after \d+ ms\.$/);
  expect(receiver.received.map(({ body }) => body)).toContainEqual(expect.stringContaining('A Drawhouse test message'));
  const tests = () => receiver.received.filter(({ body }) => body.includes('A Drawhouse test message'));
  const count = tests().length;
  // Makes the last test message recent, whatever the machine's speed.
  await page.route('**/api/notices/test', async (route) => {
    await ask(server.ownerUrl!, `update notice_messages set made_at = now() where type = 'test'`);
    await route.continue();
  });
  allow(/ 429 .*\/api\/notices\/test/);
  await send.click();
  await expect(card.getByRole('status')).toContainText(
    'A test was just sent. Wait 10 seconds before you send another one.',
  );
  expect(tests()).toHaveLength(count);
});
