import { expect, test } from '@playwright/test';
import { accountsOf } from './creditForms.ts';
import { printedBy } from './printedBy.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { callApi, expectAccessible, failOnErrors, submitSignIn, tokenOf, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;
const errors = failOnErrors();
serveNetwork('invitation', (...both) => ([server, network] = both));
const { signInAs } = accountsOf(() => ({ server, network }));

const OWN = 'green kettle on a hill';

test('a new account gets an invitation on paper, and its person chooses the password', async ({ browser, page }) => {
  await signInAs(page, 'distributor');
  await page.goto(`${server.url}/distributor/retailer/create`);
  await page.getByRole('textbox', { name: 'Username' }).fill('corner-shop');
  await page.getByRole('checkbox', { name: 'Invite the person instead' }).check();
  await expect(page.getByRole('textbox', { name: 'Password' })).toBeHidden();
  await page.getByRole('button', { name: 'Submit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invitation link' });
  const link = await dialog.getByLabel('Link').inputValue();
  await expectAccessible(page);
  const [slip, ...more] = await printedBy(page, () => dialog.getByRole('button', { name: 'Print slip' }).click());
  expect(more).toEqual([]);
  expect(slip).toContain('For corner-shop');
  expect(slip).not.toContain('Dashboard');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row', { name: /corner-shop/ })).toBeVisible();

  const shop = await (await browser.newContext()).newPage();
  await shop.goto(link);
  await expect(shop.getByLabel('Username')).toHaveValue('corner-shop');
  await shop.getByLabel('New password', { exact: true }).fill(OWN);
  await shop.getByLabel('Confirm password', { exact: true }).fill(OWN);
  await expectAccessible(shop);
  await shop.getByRole('button', { name: 'Set password' }).click();
  await shop.getByRole('link', { name: 'Sign in' }).click();
  await submitSignIn(shop, 'corner-shop', OWN);
  await shop.waitForURL('**/retailer/dashboard');
  errors.allow(/Failed to load resource: .* 4\d\d/);
  await shop.goto(link);
  await expect(shop.getByRole('alert')).toContainText('invitation');
  await shop.context().close();
});

test("a change to one's own login is announced, and in the bell until read", async ({ context, page }) => {
  await context.grantPermissions(['notifications']);
  const shown: string[] = [];
  await page.exposeFunction('show', (text: string) => shown.push(text));
  await page.addInitScript(() => {
    const Shown = function (title: string, { body }: NotificationOptions) {
      (window as unknown as { show: (text: string) => void }).show(`${title}: ${body}`);
    };
    Object.assign(window, {
      Notification: Object.assign(Shown, { permission: 'granted', requestPermission: async () => 'granted' }),
    });
  });
  await page.clock.install();
  await signInAs(page, 'retailer');
  await page.goto(`${server.url}/retailer/notices`);
  await page.getByRole('button', { name: /^Notices/ }).click();
  const panel = page.getByRole('dialog', { name: 'Notices' });
  await panel.getByText('Alerts', { exact: true }).click();
  await panel.getByLabel('Show new notices as browser notifications').check();
  await expectAccessible(page);
  const token = await tokenOf(server.url, nameOf('admin'));
  await callApi(server.url, `retailers/${network.accounts.retailer._id}`, token, { commission: 6 }, 'PUT');
  const polled = page.waitForResponse('**/auth/notices');
  await page.clock.runFor('01:00');
  await polled;
  await expect.poll(() => shown).toEqual([expect.stringContaining('Changes to your login: Commission changed.')]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Notices, \d needs? you$/ }).click();
  await expect(panel.getByRole('listitem').filter({ hasText: 'Commission changed' }).last()).toContainText(
    nameOf('admin'),
  );
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Mark as read' }).click();
  await expect(panel).toContainText('Nothing needs your attention');
  await page.goto(`${server.url}/retailer/profile`);
  await expect(page.getByRole('region', { name: 'Changes to your login' })).toContainText('Commission changed');
  await expect(page.getByRole('button', { name: 'Notices', exact: true })).toBeVisible();
});
