import { expect, test, type Page } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  inRowMenu,
  PASSWORD,
  haveSession,
  signIn,
  submitSignIn,
  sendPasswords,
  type TestServer,
} from './support.ts';

let server: TestServer;
let network: Network;
const { allow } = failOnErrors();
serveNetwork('status', (...both) => ([server, network] = both));

const reference = (page: Page) => page.getByRole('combobox', { name: 'Reference' });

test('choosing a reference by typing its name', async ({ page }) => {
  const { token, user } = await callApi<{ token: string; user: { _id: string } }>(server.url, 'auth/login', undefined, {
    username: nameOf('admin'),
    password: PASSWORD,
  });
  for (const username of ['the-superdistributor-2', 'at-the-superdistributor'])
    await callApi(server.url, 'superdistributors/create', token, {
      username,
      password: PASSWORD,
      commission: 0,
      note: 'add notes',
      refId: user._id,
    });
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/distributor/create`);
  const name = nameOf('superdistributor');

  await test.step('the full name and Enter', async () => {
    await reference(page).click();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await expect(reference(page)).toHaveValue(name);
    await expect(page.getByText('is required')).toBeHidden();
  });

  await test.step('marks the best match while typing', async () => {
    await reference(page).fill('SUPERDISTRIBUTOR-2');
    await expect(page.getByRole('option', { name: 'the-superdistributor-2' })).toHaveAttribute(
      'data-combobox-selected',
      'true',
    );
    await page.keyboard.press('Enter');
    await expect(reference(page)).toHaveValue('the-superdistributor-2');
    await reference(page).fill(name);
    await expect(page.getByRole('option').first()).toHaveText(name);
    await expect(page.getByRole('option').first()).toHaveAttribute('data-combobox-selected', 'true');
    await expectAccessible(page);
  });

  await test.step('the full name and Tab', async () => {
    await reference(page).fill('at-the-superdistributor');
    await page.keyboard.press('Tab');
    await expect(reference(page)).toHaveValue('at-the-superdistributor');
  });

  await test.step('creates the account below the choice', async () => {
    await page.getByRole('textbox', { name: 'Username' }).fill('chosen-below');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await expectSaid(page, 'User created successfully!', () => page.getByRole('button', { name: 'Submit' }).click());
    await page.waitForURL('**/admin/distributor');
    await expect(page.getByRole('row').filter({ hasText: 'chosen-below' })).toContainText('at-the-superdistributor');
  });
});

test("another account's password requires the user's own password once the page has no elevation", async ({
  browser,
  page,
}) => {
  allow(/Failed to load resource: .* 403 .*\/api\/(superdistributors|auth\/confirm)/);
  const fresh = 'another horse battery';
  const form = page.getByRole('main');
  const field = form.getByLabel('Password', { exact: true });
  const question = page.getByRole('dialog', { name: 'Confirm with your password' });
  const own = question.getByRole('textbox', { name: 'Your password' });
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT' || request.url().endsWith('/auth/confirm'))
      sent.push(`${request.method()} ${request.postData()}`);
  });
  const edit = `PUT ${JSON.stringify({ password: fresh, note: 'by the river' })}`;
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/superdistributor`);
  await (await inRowMenu(page, nameOf('superdistributor'), 'Edit')).click();
  await sendPasswords(page, false);
  await form.getByLabel('Note').fill('by the river');
  await field.fill(fresh);

  await test.step('Cancel leaves the form unchanged', async () => {
    await field.press('Enter');
    await expect(own).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(fresh);
    await expect(form.getByLabel('Note')).toHaveValue('by the river');
    await expect(form.getByRole('alert')).toBeHidden();
    expect(sent).toEqual([edit]);
  });

  await test.step('opens from the button, which regains focus', async () => {
    const submit = form.getByRole('button', { name: 'Submit' });
    await submit.press('Space');
    await expect(own).toBeFocused();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(submit).toBeFocused();
  });

  await test.step('Back closes it and keeps input', async () => {
    await form.getByRole('button', { name: 'Submit' }).click();
    await expect(own).toBeFocused();
    await page.goBack();
    await expect(question).toBeHidden();
    await expect(field).toHaveValue(fresh);
    await form.getByRole('button', { name: 'Submit' }).click();
    await expect(own).toBeFocused();
  });

  await test.step('shows a wrong password below its field', async () => {
    await own.press('Enter');
    await expect(question.getByText('Password is required')).toBeVisible();
    await own.fill('not the password');
    await own.press('Enter');
    await expect(question.getByText('The password is wrong')).toBeVisible();
    await expect(own).toBeFocused();
  });

  await test.step('reports a missing answer and allows a retry', async () => {
    await page.route('**/api/auth/confirm', (route) => route.abort());
    allow(/net::ERR_FAILED, .*\/api\/auth\/confirm/);
    await own.fill(PASSWORD);
    await expectSaid(page, 'An unexpected error occurred', () => own.press('Enter'));
    await expect(own).toHaveValue(PASSWORD);
    await page.unroute('**/api/auth/confirm');
  });

  await test.step('the correct password sends the form once, however often confirmed', async () => {
    sent.length = 0;
    await expectSaid(page, 'User updated successfully!', () =>
      question.getByRole('button', { name: 'Confirm' }).dblclick(),
    );
    await expect(question).toBeHidden();
    expect(sent).toEqual([`POST ${JSON.stringify({ password: PASSWORD })}`, edit]);
  });

  await test.step('the account signs in with its new password', async () => {
    const theirs = await browser.newPage();
    await theirs.goto(`${server.url}/auth/login`);
    await submitSignIn(theirs, nameOf('superdistributor'), fresh);
    await theirs.waitForURL('**/superdistributor/dashboard');
    await theirs.close();
  });
});

test('deactivating in the form asks like the row action and signs everyone out', async ({ browser, page }) => {
  test.slow();
  const { distributor } = network.accounts;
  const [shop, home] = [await browser.newContext(), await browser.newContext()];
  const [staff, player] = [await shop.newPage(), await home.newPage()];
  await haveSession(staff, server.url, nameOf('retailer'));
  await staff.goto(`${server.url}/retailer/profile`);
  const second = await shop.newPage();
  await second.goto(`${server.url}/retailer/user`);
  await expect(second.getByRole('row').filter({ hasText: nameOf('user') })).toBeVisible();
  await signIn(player, server.url, nameOf('user'), 'user');
  await haveSession(page, server.url, nameOf('admin'));
  const question = page.getByRole('dialog', { name: 'Deactivate Confirmation' });

  await test.step('the question names who is signed out', async () => {
    await page.goto(`${server.url}/admin/distributor/${distributor._id}/edit`);
    await page.getByRole('radio', { name: 'Deactive' }).check();
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(question).toContainText(`Are you sure you want to deactivate ${nameOf('distributor')}?`);
    await expect(question).toContainText('with 1 account and 1 player below it');
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(page.getByRole('radio', { name: 'Deactive' })).toBeChecked();
  });

  await test.step('confirming notifies everyone below in every tab', async () => {
    await page.getByRole('button', { name: 'Submit' }).click();
    await expectSaid(page, 'User updated successfully!', () =>
      question.getByRole('button', { name: 'Confirm', exact: true }).click(),
    );
    for (const out of [staff, second, player])
      await expect(out.getByText('Your session has ended. Please sign in again.')).toBeVisible();
    await page.waitForURL((url) => !url.pathname.endsWith('/edit'));
  });

  await test.step('accounts below are shown as locked, in list and page', async () => {
    await page.goto(`${server.url}/admin/retailer`);
    const row = page.getByRole('row').filter({ hasText: nameOf('retailer') });
    await expect(row).toContainText(`Can’t sign in: ${nameOf('distributor')} is not active`);
    await expectAccessible(page);
    await row.getByRole('link', { name: nameOf('retailer'), exact: true }).click();
    const badge = page.locator('[data-tone="warn"]');
    const why = `Can’t sign in: ${nameOf('distributor')} is not active`;
    await expect(badge.and(page.getByText(why, { exact: true }))).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Credit Transfer', exact: true }).click();
    await expect(page.getByText(`${nameOf('distributor')}, above this account, is not active`)).toBeVisible();
  });

  await test.step("the row action shows the account's display name", async () => {
    await page.goto(`${server.url}/admin/distributor`);
    await (await inRowMenu(page, nameOf('distributor'), 'Activate')).click();
    const told = [`User ${distributor.uniqueId} has been successfully activated.`, nameOf('distributor')];
    await expectSaid(page, { whole: told }, () => page.getByRole('button', { name: 'Confirm', exact: true }).click());
    await (await inRowMenu(page, nameOf('distributor'), 'Deactivate')).click();
    await expect(question).toContainText('with 1 account and 1 player below it');
    await question.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('the log records it', async () => {
    await page.goto(`${server.url}/admin/logactivities`);
    await expect(page.getByText(`Deactivated distributor ${nameOf('distributor')}`, { exact: true })).toBeVisible();
    await expect(page.getByText(`Activated distributor ${nameOf('distributor')}`, { exact: true })).toBeVisible();
  });
  await shop.close();
  await home.close();
});

test('after a transfer the form shows its figures and is ready for the next', async ({ page }) => {
  await haveSession(page, server.url, nameOf('distributor'));
  await page.goto(`${server.url}/distributor/retailer/credittransfer/${network.accounts.retailer._id}`);
  const before = page.getByRole('table').getByRole('row').locator('td:first-of-type');
  await expect(before).toHaveText(['1,000.00', '1,000.00']);
  await page.route('**/api/retailers/*-*-*', (route) => route.abort());
  await page.route('**/api/credit/loadcredit', (route) => route.abort());
  allow(/ERR_FAILED, .*\/api\/(retailers|credit)\//);
  await page.getByRole('textbox', { name: 'Amount' }).fill('12.50');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const transfer = page.getByRole('main').getByRole('button', { name: 'Credit Transfer', exact: true });
  await expectSaid(page, 'Credit transfer successful!', () => transfer.click());
  await expect(page.getByRole('main').getByRole('status')).toHaveText(
    `12.50 given to ${nameOf('retailer')}. ${nameOf('retailer')} now has 1,012.50, you have 987.50.`,
  );
  await expect(before).toHaveText(['1,012.50', '987.50']);
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('');
});

test("a log day is the server's, in any viewer's time zone, and labeled so", async ({ browser }) => {
  const { token, user } = await callApi<{ token: string; user: { timeZone: string } }>(
    server.url,
    'auth/login',
    undefined,
    { username: nameOf('superadmin'), password: PASSWORD },
  );
  const { data } = await callApi<{ data: { createdAt: string }[] }>(server.url, 'logs?search=Issued 10,000.00', token);
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: user.timeZone }).format(new Date(data[0]!.createdAt));
  // More than a day apart, so one instant has different dates.
  for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const context = await browser.newContext({ timezoneId });
    const page = await context.newPage();
    await haveSession(page, server.url, nameOf('superadmin'));
    await page.goto(`${server.url}/superadmin/logactivities?date=${day}&search=Issued`);
    await expect(page.getByText('Issued 10,000.00 points')).toBeVisible();
    const said = page.getByText(`Days in ${user.timeZone.replaceAll('_', ' ')}`);
    await expect(said).toHaveCount(2);
    await page.goto(`${server.url}/superadmin/turnoverreport`);
    const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: user.timeZone });
    await expect(page.getByRole('main')).toContainText(today.format(new Date()));
    await context.close();
  }
  const page = await browser.newPage({ timezoneId: user.timeZone });
  await haveSession(page, server.url, nameOf('superadmin'));
  await page.goto(`${server.url}/superadmin/logactivities?date=${day}&search=Issued`);
  await expect(page.getByText('Issued 10,000.00 points')).toBeVisible();
  await expect(page.getByText(/^Days in/)).toHaveCount(0);
  await page.close();
});

test('a form opens in its first field, which may be left empty once without an error', async ({ page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/superdistributor`);
  await page.getByRole('link', { name: 'Add Super Distributor' }).first().click();
  const username = page.getByRole('textbox', { name: 'Username' });
  await expect(username).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(username).not.toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(username).toHaveAttribute('aria-invalid', 'true');
});
