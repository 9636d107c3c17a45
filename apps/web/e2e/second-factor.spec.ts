import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import { codeOf, enterPassword as enterPasswordOf, signOutOnDashboard } from './factorSteps.ts';
import { openProfile } from './openProfile.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  PASSWORD,
  signOut,
  submitSignIn,
  tokenOf,
  type TestServer,
} from './support.ts';
import { LONG_DRAWS, nameOf, serveNetwork } from './testNetwork.ts';

let server: TestServer;
const errors = failOnErrors();
serveNetwork('second-factor', (started) => (server = started), LONG_DRAWS);

const signOutOf = (page: Page) => signOutOnDashboard(page, `${server.url}/retailer`);
const enterPassword = (page: Page) => enterPasswordOf(page, server.url, nameOf('retailer'));

async function addAuthenticator(page: Page, context: BrowserContext) {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { forgetPasskeys: () => session.send('WebAuthn.clearCredentials', { authenticatorId }) };
}

test('staff set up an authenticator app, and sign in with its codes and a recovery code', async ({ page }) => {
  errors.allow(/Failed to load resource: .* 40[13]/);
  await openProfile(page, server.url, 'retailer');
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  const setup = page.getByRole('dialog', { name: 'Add authenticator app' });
  await expect(setup.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const secret = (await setup.locator('code').textContent())!;
  await setup.getByLabel('Code').fill('000000');
  await setup.getByRole('button', { name: 'Add app' }).click();
  await expect(setup).toContainText('This code is wrong. Check the time of your phone');
  await setup.getByLabel('Code').fill(await codeOf(secret, 0));
  await setup.getByRole('button', { name: 'Add app' }).click();
  const shown = page.getByRole('dialog', { name: 'Recovery codes' });
  await expect(shown.getByRole('listitem')).toHaveCount(10);
  const codes = await shown.getByRole('listitem').allTextContents();
  await expectAccessible(page);
  await shown.getByRole('button', { name: 'I have stored them' }).click();
  await expect(page.getByText('10 of 10 left')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add authenticator app' })).toBeFocused();
  await signOutOf(page);

  await test.step('with a code from the app', async () => {
    await enterPassword(page);
    const code = page.getByRole('textbox', { name: 'Code from your authenticator app' });
    await expect(code).toBeFocused();
    await expectAccessible(page);
    await code.fill('12');
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page.getByText('A code has six digits')).toBeVisible();
    await code.fill(await codeOf(secret, 1));
    await page.getByRole('button', { name: 'Login' }).click();
    await page.waitForURL('**/retailer/dashboard');
    await signOut(page);
  });

  await test.step('with a recovery code, after going back', async () => {
    await enterPassword(page);
    await page.getByRole('button', { name: 'Back to the password' }).click();
    await submitSignIn(page, nameOf('retailer'));
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(codes[4]!.toUpperCase());
    await page.getByRole('button', { name: 'Login' }).click();
    await page.waitForURL('**/retailer/dashboard');
    await page.goto(`${server.url}/retailer/profile`);
    await expect(page.getByText('9 of 10 left')).toBeVisible();
  });

  await test.step('with the password alone once it is removed', async () => {
    await page.getByRole('button', { name: 'Remove My phone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove second factor' });
    // After a reload, the page holds no elevation. The password would confirm nothing.
    await dialog.getByRole('textbox', { name: 'Second-factor code' }).fill(codes[5]!);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('9 of 10 left')).toBeHidden();
    await signOutOf(page);
    await enterPassword(page);
    await page.waitForURL('**/retailer/dashboard');
  });
});

test('a player sets up an authenticator app, and signs in with its code', async ({ page }) => {
  errors.allow(/Failed to load resource: .* 40[13]/);
  await page.goto(`${server.url}/sign-in`);
  await submitSignIn(page, nameOf('user'));
  await page.waitForURL(`${server.url}/`);
  await page.goto(`${server.url}/mine/account`);
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  const password = page.getByRole('dialog').getByLabel('Password', { exact: true });
  const setup = page.getByRole('dialog', { name: 'Add authenticator app' });
  await expect(password.or(setup)).toBeVisible();
  if (await password.isVisible()) {
    await password.fill(PASSWORD);
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  }
  const secret = (await setup.locator('code').textContent())!;
  await setup.getByLabel('Code').fill('12');
  await setup.getByRole('button', { name: 'Add authenticator app' }).click();
  await expect(setup).toContainText('Enter the six digits');
  await setup.getByLabel('Code').fill(await codeOf(secret, 0));
  await setup.getByRole('button', { name: 'Add authenticator app' }).click();
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page);
  await codes.getByRole('button', { name: 'I have stored them' }).click();
  await expect(page.getByText('10 of 10 left')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Log Out' }).click();
  await page.goto(`${server.url}/sign-in`);
  await submitSignIn(page, nameOf('user'));
  const code = page.getByRole('textbox', { name: 'Code' });
  await code.fill('000000');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('This code is wrong, or was used before')).toBeVisible();
  await expect(page.getByText(/Forgot your password|Request/)).toBeHidden();
  await code.fill(await codeOf(secret, 1));
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL(`${server.url}/`);
});

test('staff add a passkey, sign in and confirm with it', async ({ page, context }) => {
  errors.allow(/Failed to load resource: .* 40[13]/);
  // Passkeys belong to a host name.
  const url = server.url.replace('127.0.0.1', 'localhost');
  await addAuthenticator(page, context);
  await openProfile(page, url, 'distributor');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const setup = page.getByRole('dialog', { name: 'Add passkey' });
  await setup.getByLabel('Name of the device').fill('Laptop');
  await setup.getByRole('button', { name: 'Add passkey' }).click();
  const shown = page.getByRole('dialog', { name: 'Recovery codes' });
  await expect(shown.getByRole('listitem')).toHaveCount(10);
  await shown.getByRole('button', { name: 'I have stored them' }).click();
  await page.goto(`${url}/distributor/dashboard`);
  await signOut(page);
  await submitSignIn(page, nameOf('distributor'));
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL('**/distributor/dashboard');
  await page.goto(`${url}/distributor/profile`);
  await page.getByRole('button', { name: 'Remove Laptop' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove second factor' });
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(dialog).toContainText('Your passkey has confirmed that it is you.');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Remove Laptop' })).toBeHidden();
});

test('a player adds a passkey, signs in and confirms with it, and falls back to a recovery code', async ({
  page,
  context,
}) => {
  errors.allow(/Failed to load resource: .* 40[13]/);
  const url = server.url.replace('127.0.0.1', 'localhost');
  const device = await addAuthenticator(page, context);
  const name = `${nameOf('user')}.passkey`;
  const retailer = await tokenOf(url, nameOf('retailer'));
  await callApi(url, 'users/create', retailer, { username: name, password: PASSWORD, commission: 0, note: 'Passkey' });
  await page.goto(`${url}/sign-in`);
  await submitSignIn(page, name);
  await page.waitForURL(`${url}/`);
  await page.goto(`${url}/mine/account`);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  const shown = await codes.getByRole('listitem').allTextContents();
  await codes.getByRole('button', { name: 'I have stored them' }).click();
  await expect(page.getByText('10 of 10 left')).toBeVisible();

  const enterPasswordAgain = async () => {
    await page.goto(`${url}/mine/account`);
    await page.getByRole('main').getByRole('button', { name: 'Log Out' }).click();
    await page.goto(`${url}/sign-in`);
    await submitSignIn(page, name);
  };
  await enterPasswordAgain();
  const button = page.getByRole('button', { name: 'Use a passkey' });
  await expect(button).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/`);

  await page.goto(`${url}/mine/account`);
  await page.getByRole('button', { name: 'New codes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'New codes' }).click();
  const sheet = page.getByRole('dialog', { name: 'Confirm with your second factor' });
  await sheet.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  const renewed = await codes.getByRole('listitem').allTextContents();
  expect(renewed).not.toEqual(shown);
  await codes.getByRole('button', { name: 'I have stored them' }).click();

  await enterPasswordAgain();
  await device.forgetPasskeys();
  await expect(button).toBeVisible();
  // The code must not wait for the next challenge.
  await page.route(/\/auth\/factor\/options$/, () => undefined);
  await button.click();
  await expect(page.getByText('The passkey did not work. Try again, or use a code.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Code' }).fill(renewed[0]!);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL(`${url}/`);
});
