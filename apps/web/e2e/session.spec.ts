import { expect, test, type Page } from '@playwright/test';
import { expectToFit } from './look.ts';
import { expectSaid } from './messages-heard.ts';
import { openProfile } from './openProfile.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  expectAccessibleInLong,
  failOnErrors,
  haveSession,
  openUntilQuiet,
  PASSWORD,
  sendPasswords,
  signIn,
  signOut,
  submitSignIn,
  type TestServer,
  untilQuiet,
} from './support.ts';

let server: TestServer;
let network: Network;

const { watch, allow } = failOnErrors();
serveNetwork('session', (...both) => ([server, network] = both));

const offer = (page: Page) => page.getByRole('dialog', { name: 'Are you still there?' });

test('the sign-in fits, is accessible and leads to the requested page', async ({ page }) => {
  const path = `/superadmin/admin/users/details/${network.accounts.admin._id}`;
  await page.goto(server.url + path);
  await page.waitForURL('**/auth/login*');
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, [390, 1280]);
  await submitSignIn(page, nameOf('superadmin'));
  await page.waitForURL(`**${path}`);
  await expect(page.getByRole('heading', { level: 1 }).first()).toHaveText(`Admin ${nameOf('admin')}`);
});

test('a session is shared by all tabs and ends in all of them', async ({ context, page }) => {
  // A reconnect after the clock jump would refetch the page, which counts as use.
  await context.routeWebSocket(/socket\.io/, () => undefined);
  // Polling is its fallback.
  await context.route(/socket\.io/, () => undefined);
  await context.clock.install();
  await haveSession(page, server.url, nameOf('retailer'));
  const other = await context.newPage();
  watch(other);
  await openUntilQuiet(page, `${server.url}/retailer/dashboard`);
  await openUntilQuiet(other, `${server.url}/retailer/profile`);
  await expect(page.getByRole('region', { name: 'Everything is set up' })).toBeVisible();
  await expect(other.getByText('This device')).toBeVisible();

  await test.step('stores only auth and users', async () => {
    const kept = await page.evaluate<string>("Object.keys(JSON.parse(localStorage.getItem('auth'))).join()");
    expect(kept).toBe('auth,users');
  });

  await test.step('offers to stay only in the last two minutes, in each tab', async () => {
    const leftMs = await page.evaluate<number>("JSON.parse(localStorage.getItem('auth')).auth.expiresAt - Date.now()");
    await context.clock.fastForward(leftMs - 180_000);
    await expect(offer(page)).toBeHidden();
    await context.clock.fastForward('01:15');
    await expect(offer(page)).toBeVisible();
    await expect(offer(other)).toBeVisible();
    await expectAccessibleInLong(page);
  });

  await test.step('staying in one tab counts in the other', async () => {
    const stay = () => offer(page).getByRole('button', { name: 'Stay signed in' }).click();
    // Later answers would count as use.
    await untilQuiet(other, () => untilQuiet(page, stay));
    await expect(offer(page)).toBeHidden();
    await expect(offer(other)).toBeHidden();
  });

  await test.step('without use both end, and nothing remains', async () => {
    await context.clock.fastForward('31:00');
    await page.waitForURL('**/auth/login**');
    await other.waitForURL('**/auth/login**');
    for (const tab of [page, other])
      await expect(tab.getByText('Your session has ended. Please sign in again.')).toBeVisible();
    await expect.poll(() => page.evaluate("localStorage.getItem('auth')")).toBeNull();
    await expect.poll(() => other.evaluate('sessionStorage.length')).toBe(0);
  });
});

test('signing out in one tab silently signs out the other', async ({ context, page }) => {
  await signIn(page, server.url, nameOf('retailer'), 'retailer');
  const other = await context.newPage();
  watch(other);
  await other.goto(`${server.url}/retailer/profile`);
  await expect(other.getByText('This device')).toBeVisible();
  await signOut(page);
  await other.waitForURL('**/auth/login**');
  await expect(other.getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(other.getByRole('alert')).toBeHidden();
  await expect(other.getByText('Your session has ended')).toBeHidden();
});

test('a new password ends other sessions, and a session can be ended from another', async ({ browser, page }) => {
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await openProfile(other, server.url, 'distributor');
  await openProfile(page, server.url, 'distributor');
  const form = page.getByRole('form', { name: 'Change Password' });
  const fill = async (old: string, fresh: string, again: string) => {
    await form.getByLabel('Old password').fill(old);
    await form.getByLabel('New password').fill(fresh);
    await form.getByLabel('Confirm password').fill(again);
    await form.getByRole('button', { name: 'Change Password' }).click();
  };

  await test.step("shows the rules in the specification's words", async () => {
    await expectSaid(page, '⚠️ Please fill all fields.', () => fill('', PASSWORD, PASSWORD));
    await expectSaid(page, '❌ New and confirm password do not match.', () =>
      fill(PASSWORD, 'a longer battery', 'another battery'),
    );
    await expectAccessibleInLong(page);
  });

  await test.step('asks before discarding input', async () => {
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    await expect(question).toBeHidden();
    await expect(form.getByLabel('Confirm password')).toHaveValue('another battery');
  });

  await test.step('ends the other session and keeps this one', async () => {
    await expectSaid(page, '✅ Password changed successfully!', () =>
      fill(PASSWORD, 'a longer battery', 'a longer battery'),
    );
    await expect(form.getByText('✅ Password changed successfully!')).toBeHidden();
    await other.reload();
    await other.waitForURL('**/auth/login**');
    await expect(page.getByText('This device')).toBeVisible();
  });

  await test.step('signs the other out by its row', async () => {
    await other.getByRole('textbox', { name: 'Username' }).fill(nameOf('distributor'));
    await other.getByLabel('Password', { exact: true }).fill('a longer battery');
    await other.getByRole('button', { name: 'Login' }).click();
    await other.waitForURL('**/distributor/profile');
    await page.reload();
    const rows = page.getByRole('region', { name: 'Where you are signed in' }).getByRole('listitem');
    await expect(rows).toHaveCount(2);
    allow(/status of 403/);
    await sendPasswords(page, false);
    await rows.nth(1).getByRole('button').click();
    const question = page.getByRole('dialog', { name: 'Confirm with your password' });
    await question.getByRole('textbox', { name: 'Your password' }).fill('a longer battery');
    await question.getByRole('button', { name: 'Confirm' }).click();
    await expect(rows).toHaveCount(1);
    await other.reload();
    await other.waitForURL('**/auth/login**');
  });
  await elsewhere.close();
});

test('a displaced session says so in every tab', async ({ context, page }) => {
  allow(/status of 401/);
  await openProfile(page, server.url, 'superdistributor');
  const other = await context.newPage();
  await other.goto(`${server.url}/superdistributor/profile`);
  await expect(other.getByText('This device')).toBeVisible();
  for (let more = 0; more < 10; more++)
    await callApi(server.url, 'auth/login', undefined, { username: nameOf('superdistributor'), password: PASSWORD });
  for (const tab of [page, other]) {
    await expect(tab.getByText('You signed in elsewhere too often')).toBeVisible();
    await expect(tab).toHaveURL(/\/auth\/login/);
  }
});
