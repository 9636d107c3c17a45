import { expect, test } from '@playwright/test';
import { addApp, codeOf, enterPassword, signOutOnDashboard, storeCodes } from './factorSteps.ts';
import { openProfile } from './openProfile.ts';
import { callApi, expectAccessible, failOnErrors, tokenOf, type TestServer } from './support.ts';
import { LONG_DRAWS, nameOf, serveNetwork, type Network } from './testNetwork.ts';

let server: TestServer;
let network: Network;
const errors = failOnErrors();
serveNetwork('devices', (...both) => ([server, network] = both), LONG_DRAWS);

const CODE = { name: 'Code from your authenticator app' };

test('a remembered device is not asked for a code until it is forgotten', async ({ page }) => {
  errors.allow(/Failed to load resource: .* 401/);
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { _id } = network.accounts.admin;
  await callApi(server.url, `admins/${_id}`, token, { rememberDevices: true }, 'PUT');
  const staff = `${server.url}/retailer`;
  await openProfile(page, server.url, 'retailer');
  const secret = await addApp(page);
  const codes = await storeCodes(page);
  await signOutOnDashboard(page, staff);

  await enterPassword(page, server.url, nameOf('retailer'));
  await page.getByRole('textbox', CODE).fill(await codeOf(secret, 1));
  await page.getByRole('checkbox', { name: 'Don’t ask on this device for 30 days' }).check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL('**/retailer/dashboard');
  await signOutOnDashboard(page, staff);

  await enterPassword(page, server.url, nameOf('retailer'));
  await page.waitForURL('**/retailer/dashboard');
  await page.goto(`${staff}/profile`);
  const remembered = page.getByRole('listitem').filter({ hasText: 'Until' });
  await expect(remembered).toContainText('This device');
  await remembered.getByRole('button', { name: /^Forget / }).click();
  await expect(remembered).toHaveCount(0);
  await signOutOnDashboard(page, staff);

  await enterPassword(page, server.url, nameOf('retailer'));
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(codes[0]!);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL('**/retailer/dashboard');
});

test('a person who lost the phone signs in with a recovery code and replaces it', async ({ browser, page }) => {
  errors.allow(/Failed to load resource: .* 40[13]/);
  await openProfile(page, server.url, 'distributor');
  const lost = await addApp(page);
  const codes = await storeCodes(page);

  const staff = `${server.url}/distributor`;
  const other = await (await browser.newContext()).newPage();
  await enterPassword(other, server.url, nameOf('distributor'));
  await other.getByRole('button', { name: 'Use a recovery code' }).click();
  await other.getByRole('textbox', { name: 'Recovery code' }).fill(codes[0]!);
  await other.getByRole('button', { name: 'Login' }).click();
  await other.waitForURL('**/distributor/dashboard');
  await other.goto(`${staff}/profile`);

  const secret = await test.step('adds the new phone', () => addApp(other, 'New phone', codes[1]));
  await expect(other.getByRole('button', { name: 'Remove New phone' })).toBeVisible();

  await test.step('removes the lost one', async () => {
    await other.getByRole('button', { name: 'Remove My phone' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(other.getByRole('button', { name: 'Remove My phone' })).toBeHidden();
    await expect(other.getByText('8 of 10 left')).toBeVisible();
    await signOutOnDashboard(other, staff);
  });

  await enterPassword(other, server.url, nameOf('distributor'));
  await other.getByRole('textbox', CODE).fill(await codeOf(lost, 0));
  await other.getByRole('button', { name: 'Login' }).click();
  await expect(other.getByRole('alert').or(other.getByText(/wrong/)).first()).toBeVisible();
  await other.getByRole('textbox', CODE).fill(await codeOf(secret, 1));
  await other.getByRole('button', { name: 'Login' }).click();
  await other.waitForURL('**/distributor/dashboard');
  await other.context().close();
});
