import { expect, test, type Page } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { accountsOf } from './creditForms.ts';
import { nameOf, passwordsSetLongAgo, serveNetwork, type Network } from './testNetwork.ts';
import { expectAccessible, failOnErrors, PASSWORD, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;
const { allow } = failOnErrors();
serveNetwork('guards', (...both) => ([server, network] = both));
const { signInAs } = accountsOf(() => ({ server, network }));

test.beforeAll(() => passwordsSetLongAgo(server));

const confirmed = (page: Page, button: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();

async function approveAs(page: Page, role: 'admin' | 'superadmin', act: string): Promise<void> {
  await signInAs(page, role);
  await page.goto(`${server.url}/${role}/approvals`);
  await page.getByRole('button', { name: `Approve: ${act}` }).click();
  await expectSaid(page, `Approved: ${act}.`, () => confirmed(page, 'Approve'));
}

test('a weaker rule and more rights of a login wait for a second person', async ({ browser, page }) => {
  allow(/422 .*(approvalrules|logins)/);
  await signInAs(page, 'superadmin');
  await page.goto(`${server.url}/superadmin/approvalrules`);
  const guards = page.getByLabel('Weaker result modes, second factors and logins');
  await guards.check();
  await expectSaid(page, 'Approval rules saved.', () => page.getByRole('button', { name: 'Save rules' }).click());

  const owner = await (await browser.newContext()).newPage();
  await signInAs(owner, 'admin');
  await owner.goto(`${server.url}/admin/logins`);
  await owner.getByRole('button', { name: 'Add login' }).first().click();
  const add = owner.getByRole('dialog');
  await add.getByLabel('Name', { exact: true }).fill('Meera');
  await add.getByLabel('Username').fill('meera.front');
  await add.getByLabel('Password', { exact: true }).fill('another horse battery');
  await confirmed(owner, 'Add login');
  await expect(add).toContainText('More rights need an approval here.');
  await add.getByRole('combobox', { name: 'Role' }).click();
  await owner.getByRole('option', { name: 'Reports' }).click();
  await confirmed(owner, 'Add login');
  await expect(owner.getByRole('row', { name: 'Meera' })).toContainText('Reports');
  await owner.getByRole('button', { name: 'Change: Meera' }).click();
  await owner.getByRole('dialog').getByRole('combobox', { name: 'Role' }).click();
  await owner.getByRole('option', { name: 'Cashier' }).click();
  await confirmed(owner, 'Save login');
  await expect(owner.getByRole('dialog')).toContainText('needs the approval of a second person');
  await approveAs(page, 'superadmin', `Change login Meera of ${nameOf('admin')}`);
  await owner.reload();
  await expect(owner.getByRole('row', { name: 'Meera' })).toContainText('Cashier');

  await page.goto(`${server.url}/superadmin/approvalrules`);
  await guards.uncheck();
  await page.getByRole('button', { name: 'Save rules' }).click();
  await expect(page.getByRole('alert')).toContainText('needs the approval of a second person');
  await approveAs(owner, 'admin', `Change the approval rules of ${nameOf('admin')}`);
  await page.reload();
  await expect(guards).not.toBeChecked();
  await owner.context().close();
});

test('an admin says where staff may sign in, and cannot shut itself out', async ({ browser, page }) => {
  allow(/422 .*staffplaces|403 /);
  await signInAs(page, 'admin');
  await page.goto(`${server.url}/admin/logins`);
  await page.getByRole('button', { name: 'Where staff may sign in' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Allowed IP addresses').fill('203.0.113.0/24');
  await confirmed(page, 'Save');
  await expect(dialog).toContainText('This would shut you out');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  const above = await (await browser.newContext()).newPage();
  await signInAs(above, 'superadmin');
  await above.goto(`${server.url}/superadmin/logins`);
  await above.getByRole('button', { name: 'Where staff may sign in' }).click();
  await above.getByRole('dialog').getByLabel('Allowed IP addresses').fill('203.0.113.0/24');
  await expectSaid(above, 'It applies to all staff of the network', () => confirmed(above, 'Save'));

  const retailer = await (await browser.newContext()).newPage();
  await retailer.goto(`${server.url}/login`);
  await retailer.getByLabel('Username').fill(nameOf('retailer'));
  await retailer.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await expectSaid(retailer, 'Staff of this network may not sign in from here.', () =>
    retailer.getByRole('button', { name: 'Login' }).click(),
  );
  await Promise.all([above, retailer].map((each) => each.context().close()));
});
