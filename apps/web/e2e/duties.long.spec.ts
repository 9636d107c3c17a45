import { expect, test, type Page } from '@playwright/test';
import { generate } from 'otplib';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  PASSWORD,
  sendPasswords,
  submitSignIn,
  tokenOf,
  type TestServer,
} from './support.ts';
import { LONG_DRAWS, nameOf, serveNetwork, type Network } from './testNetwork.ts';

let server: TestServer;
let network: Network;
const errors = failOnErrors();
serveNetwork('duties', (...both) => ([server, network] = both), LONG_DRAWS);

const FIRST_PASSWORD = 'first horse battery';

async function setOnAdmin(change: object): Promise<void> {
  const token = await tokenOf(server.url, nameOf('superadmin'));
  await callApi(server.url, `admins/${network.accounts.admin._id}`, token, change, 'PUT');
}

/** Opens a page that needs a sign-in, which leads to the duties. */
async function signInFor(page: Page, username: string, password: string, path: string): Promise<void> {
  await sendPasswords(page);
  await page.goto(server.url + path);
  await page.waitForURL('**/auth/login**');
  await submitSignIn(page, username, password);
}

test('a required second factor is set up at sign-in, and leads to the page asked for', async ({ page }) => {
  errors.allow(/Failed to load resource: .* 403/);
  await setOnAdmin({ factorRoles: ['distributor'] });
  await signInFor(page, nameOf('distributor'), PASSWORD, '/distributor/turnoverreport');
  await expect(page.getByRole('heading', { name: 'Set up your second factor' })).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  const setup = page.getByRole('dialog', { name: 'Add authenticator app' });
  const secret = (await setup.locator('code').textContent())!;
  await setup.getByLabel('Code').fill(await generate({ secret }));
  await setup.getByRole('button', { name: 'Add app' }).click();
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await codes.getByRole('button', { name: 'I have stored them' }).click();
  await expect(page.getByRole('heading', { name: 'Turnover Report' })).toBeVisible();
});

test('choosing a password comes before a required second factor, and signing out ends both', async ({ page }) => {
  errors.allow(/Failed to load resource: .* 403/);
  await setOnAdmin({ factorRoles: ['retailer'] });
  const token = await tokenOf(server.url, nameOf('superadmin'));
  await callApi(server.url, 'retailers/create', token, {
    username: 'new-shop',
    password: FIRST_PASSWORD,
    commission: 0,
    note: 'add notes',
    refId: network.accounts.distributor._id,
  });
  await signInFor(page, 'new-shop', FIRST_PASSWORD, '/retailer/user');
  await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible();
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused();
  await page.reload();
  await page.getByLabel('Old password', { exact: true }).fill(FIRST_PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByRole('heading', { name: 'Set up your second factor' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/auth/login');
});
