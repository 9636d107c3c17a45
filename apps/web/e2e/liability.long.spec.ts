import { expect, test } from '@playwright/test';
import { chooseExport } from './accountListSteps.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { expectAccessible, failOnErrors, haveSession, signIn, type TestServer } from './support.ts';
import { ask } from '../../server/test/test-databases.ts';

let server: TestServer;
let network: Network;
serveNetwork('liability', (...both) => ([server, network] = both));
failOnErrors();

const HISTORY = `
  insert into liability_days (network_id, day, player_credit, staff_credit, escrow, winnings, commission, tables, outside)
  select n.id, (now() at time zone '${process.env['TZ']!}')::date - i, 1000 * (400 - i), 500000, 0, 0, 0, -25 * i,
  -(1000 * (400 - i) + 500000 - 25 * i)
  from networks n, generate_series(2, 365) as i on conflict do nothing;
  insert into audit_verdicts (id, at, scope, checks, problems, finding)
  values (gen_random_uuid(), now() - interval '3 days', 'whole', 60, 2,
  'wallet 7 (credit) of network 1 has 5 hundredths, its transfers come to 4')`;

test("the superadmin sees each network's balances, their history and audit findings", async ({ page }) => {
  await signIn(page, server.url, nameOf('superadmin'), 'superadmin');
  await page.getByRole('link', { name: 'Liability' }).click();
  await page.waitForURL('**/superadmin/liability');
  const main = page.getByRole('main');
  const audits = main.getByRole('list', { name: 'Audits' });
  await expect(audits.getByRole('listitem')).toContainText([
    'sealed',
    'The full audit has not run yet',
    'The daily balance check has not run yet',
  ]);
  await expect(main.getByRole('row').filter({ hasText: nameOf('admin') })).toContainText('1,000.00');
  await ask(server.ownerUrl!, HISTORY);
  await page.reload();
  await expect(audits).toContainText('made 60 checks and found 2 problems. The first: wallet 7 (credit) of network 1');
  await expect(main.getByText(/^Recorded since .*\.$/)).toBeVisible();
  await main.getByRole('button', { name: '1 year' }).click();
  await main.getByRole('button', { name: 'Show as table' }).click();
  await expect(main.getByRole('row').filter({ hasText: 'Now' })).toBeVisible();
  // Dimmed content fails the contrast check.
  await expect(main.locator('[aria-busy="true"]')).toHaveCount(0);
  await expectAccessible(page);

  await main.getByRole('link', { name: nameOf('admin') }).click();
  await page.waitForURL(`**/superadmin/liability?id=${network.accounts.admin._id}`);
  await expect(main.getByRole('button', { name: 'All networks' })).toBeVisible();
  for (const [name, save] of [
    ['Liability.xlsx', () => chooseExport(page, 'Export XLS')],
    ['LiabilityByDay.xlsx', () => main.getByRole('button', { name: 'Export by day' }).click()],
  ] as const) {
    const [file] = await Promise.all([page.waitForEvent('download'), save()]);
    expect(file.suggestedFilename()).toBe(name);
  }
});

test('an admin sees its own network without findings elsewhere', async ({ page }) => {
  await ask(server.ownerUrl!, HISTORY);
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/liability`);
  const main = page.getByRole('main');
  await expect(main.getByRole('row').filter({ hasText: nameOf('admin') })).toBeVisible();
  await expect(main.getByRole('list', { name: 'Audits' })).toContainText(
    'found 2 problems. Your superadmin can see the details.',
  );
});
