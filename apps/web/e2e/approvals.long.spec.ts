import { expect, test } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { accountsOf, fillCredit, submitOf } from './creditForms.ts';
import { serveNetwork, type Network } from './testNetwork.ts';
import { expectAccessible, failOnErrors, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;
const { allow } = failOnErrors();
serveNetwork('approvals', (...both) => ([server, network] = both));
const { idOf, signInAs, balanceOf } = accountsOf(() => ({ server, network }));

test('a transfer above the amount waits until a second person approves it', async ({ browser, page }) => {
  allow(/422 .*credit-transfer/);
  await signInAs(page, 'superadmin');
  await page.goto(`${server.url}/superadmin/approvalrules`);
  await page.getByLabel('Credit transfers, adjustments and payouts').fill('20');
  await expectSaid(page, 'Approval rules saved.', () => page.getByRole('button', { name: 'Save rules' }).click());
  await expectAccessible(page);

  const had = await balanceOf('retailer');
  const asker = await (await browser.newContext()).newPage();
  await signInAs(asker, 'distributor');
  await asker.goto(`${server.url}/distributor/retailer/credittransfer/${idOf('retailer')}`);
  await fillCredit(asker, '25');
  await submitOf(asker, 'Credit Transfer').click();
  await expect(asker.getByRole('main').getByRole('alert')).toContainText('needs the approval of a second person');
  expect(await balanceOf('retailer')).toBe(had);

  const decider = await (await browser.newContext()).newPage();
  // The superdistributor set the password of the distributor.
  await signInAs(decider, 'admin');
  await decider.goto(`${server.url}/admin/dashboard`);
  await decider.getByRole('link', { name: 'Approvals 1' }).click();
  const act = 'Give 25.00 points to the-retailer';
  await decider.getByRole('button', { name: `Approve: ${act}` }).click();
  const dialog = decider.getByRole('dialog');
  await expect(dialog.getByRole('table', { name: 'Changes' })).toContainText('Credit of the-retailer');
  await expectSaid(decider, `Approved: ${act}.`, () => dialog.getByRole('button', { name: 'Approve' }).click());
  await expect(decider.getByRole('row', { name: act })).toContainText('Approved');
  await expectAccessible(decider);
  expect(await balanceOf('retailer')).toBe(had + 25);

  await asker.goto(`${server.url}/distributor/approvals`);
  await expect(asker.getByRole('row', { name: act })).toContainText('Approved');
  await Promise.all([asker, decider].map((each) => each.context().close()));
});
