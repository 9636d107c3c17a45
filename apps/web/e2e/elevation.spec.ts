import { expect, test, type Page, type Request } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { failOnErrors, inRowMenu, PASSWORD, submitSignIn, type TestServer } from './support.ts';
import { LONG_DRAWS, nameOf, serveNetwork, type Network } from './testNetwork.ts';

let server: TestServer;
let network: Network;
const errors = failOnErrors();
serveNetwork('elevation', (...both) => ([server, network] = both), LONG_DRAWS);

const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm with your password' });

/** Only the form gives the page an elevation. */
async function signInAsAdmin(page: Page): Promise<void> {
  await page.goto(`${server.url}/auth/login`);
  await submitSignIn(page, nameOf('admin'));
  await page.waitForURL('**/admin/dashboard');
}

const kept = (page: Page): Promise<string> =>
  page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');

async function give(page: Page, password: string): Promise<void> {
  await question(page).getByRole('textbox', { name: 'Your password' }).fill(password);
  await question(page).getByRole('button', { name: 'Confirm' }).click();
}

async function editNote(page: Page, note: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Super Distributors', exact: true }).click();
  await (await inRowMenu(page, nameOf('superdistributor'), 'Edit')).click();
  await page.getByRole('main').getByLabel('Note').fill(note);
}

test('a page asks for the password once: not after sign-in, but after a reload and in another tab', async ({
  page,
  context,
}) => {
  errors.allow(/Failed to load resource: .* 403/);
  const sent: Request[] = [];
  context.on('request', (request) => void sent.push(request));
  const signedIn = page.waitForResponse('**/api/auth/login');
  await signInAsAdmin(page);
  const { elevation } = (await (await signedIn).json()) as { elevation: string };
  expect(elevation).toMatch(/^[\w-]{43}$/);
  const submit = page.getByRole('button', { name: 'Submit' });
  const panel = `${server.url}/admin/game/lottery3d/${network.pair.adminId}/${nameOf('admin')}`;

  await test.step('does not ask after sign-in and stores no secret', async () => {
    await editNote(page, 'by the river');
    await expectSaid(page, 'User updated successfully!', () => submit.click());
    await page.waitForURL('**/admin/superdistributor');
    expect(await sent.find((request) => request.method() === 'PUT')!.headerValue('elevation')).toBe(elevation);
    expect(await kept(page)).not.toContain(elevation);
  });

  await test.step('asks once after a reload and resends the call unchanged', async () => {
    await page.goto(panel);
    const balance = page.getByRole('region', { name: 'Game balance' });
    await page.getByRole('spinbutton', { name: 'Balance to add' }).fill('40');
    sent.length = 0;
    await page.getByRole('button', { name: 'Add Balance' }).click();
    await give(page, 'not the password');
    await expect(question(page).getByText('The password is wrong')).toBeVisible();
    await expectSaid(page, 'Balance added successfully!', () => give(page, PASSWORD));
    const calls = sent.filter((request) => request.url().endsWith('/live/addbalance'));
    expect(calls).toHaveLength(2);
    expect(calls[0]!.postData()).toBe(calls[1]!.postData());
    expect(await calls[0]!.headerValue('idempotency-key')).toBe(await calls[1]!.headerValue('idempotency-key'));
    await expect(balance).toContainText('40.00');
    await page.getByRole('spinbutton', { name: 'Balance to add' }).fill('2');
    await page.getByRole('button', { name: 'Add Balance' }).click();
    await expect(balance).toContainText('42.00');
  });

  const second = await context.newPage();
  errors.watch(second);
  await test.step('another tab has no elevation, and Cancel does nothing', async () => {
    await second.goto(panel);
    await second.getByRole('spinbutton', { name: 'Balance to add' }).fill('7');
    await second.getByRole('button', { name: 'Add Balance' }).click();
    await expect(question(second)).toBeVisible();
    await question(second).getByRole('button', { name: 'Cancel' }).click();
    await expect(question(second)).toBeHidden();
    await expect(second.getByRole('spinbutton', { name: 'Balance to add' })).toHaveValue('7');
  });

  await test.step("a transfer's password grants no elevation there", async () => {
    const below = network.accounts.superdistributor._id;
    await second.goto(`${server.url}/admin/superdistributor/credittransfer/${below}`);
    await second.getByRole('textbox', { name: 'Amount' }).fill('5');
    await second.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await expectSaid(second, 'Credit transfer successful!', () =>
      second.getByRole('button', { name: 'Credit Transfer' }).click(),
    );
    await editNote(second, 'by the sea');
    await second.getByRole('button', { name: 'Submit' }).click();
    await expect(question(second)).toBeVisible();
    await question(second).getByRole('button', { name: 'Cancel' }).click();
  });
});

test('a dialog asks for the password itself: before it sends, and once more if the server refuses', async ({
  page,
}) => {
  errors.allow(/Failed to load resource: .* 403/);
  await signInAsAdmin(page);
  await page.goto(`${server.url}/admin/superdistributor`);
  const name = nameOf('superdistributor');
  const toggles: Request[] = [];
  page.on('request', (request) => void (/toggle-status/.test(request.url()) && toggles.push(request)));
  const dialog = page.getByRole('dialog');
  const password = dialog.getByRole('textbox', { name: 'Your password' });

  await test.step('after a reload, the field is there at once, with the focus', async () => {
    await (await inRowMenu(page, name, 'Deactivate')).click();
    await expect(password).toBeFocused();
    await password.press('Enter');
    await expect(dialog.getByText('Password is required')).toBeVisible();
    await password.fill('not the password');
    await password.press('Enter');
    await expect(dialog.getByText('The password is wrong')).toBeVisible();
    expect(toggles).toEqual([]);
    await password.fill(PASSWORD);
    await expectSaid(page, 'deactivated', () => password.press('Enter'));
    await expect(dialog).toBeHidden();
    expect(toggles).toHaveLength(1);
  });

  await test.step('an elevation that the server has dropped is asked for in the same dialog', async () => {
    await page.route(
      '**/toggle-status/**',
      async (route) => {
        const { elevation: _, ...headers } = await route.request().allHeaders();
        await route.continue({ headers });
      },
      { times: 1 },
    );
    await (await inRowMenu(page, name, 'Activate')).click();
    await expect(password).toBeHidden();
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(password).toBeFocused();
    await expect(dialog).toHaveCount(1);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    expect(toggles).toHaveLength(2);
    await (await inRowMenu(page, name, 'Activate')).click();
    await expectSaid(page, 'activated', () => dialog.getByRole('button', { name: 'Confirm' }).click());
  });
});

test('a backup is downloaded in a new tab by a single-use address', async ({ page, context }) => {
  errors.allow(/Failed to load resource: .* 403/);
  await signInAsAdmin(page);
  await page.getByRole('link', { name: 'Backup', exact: true }).click();
  await expectSaid(page, 'Backup completed', () =>
    page.getByRole('button', { name: 'Generate Backup' }).first().click(),
  );
  await page.reload();
  const asked = context.waitForEvent('request', (request) => request.url().includes('once='));
  const downloading = page.waitForEvent('download').catch(() => undefined);
  await page.getByRole('button', { name: /^Download: / }).click();
  await give(page, PASSWORD);
  const request = await asked;
  expect(await request.headerValue('elevation')).toBeNull();
  expect((await downloading)?.suggestedFilename()).toMatch(/^the-admin-.*\.zip$/);
  expect((await page.request.get(request.url())).status()).toBe(403);
});
