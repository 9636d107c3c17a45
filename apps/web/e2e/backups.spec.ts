import { expect, test, type Page } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import {
  callApi,
  failOnErrors,
  haveSession,
  inRowMenu,
  PASSWORD,
  submitSignIn,
  tokenOf,
  type TestServer,
} from './support.ts';
import { LONG_DRAWS, nameOf, serveNetwork } from './testNetwork.ts';

let server: TestServer;
serveNetwork('backups', (its) => (server = its), LONG_DRAWS);
const { allow } = failOnErrors();

const LATER = { username: 'since-then', password: PASSWORD, commission: 0, note: 'since', role: 'user' };

async function laterSignIn(page: Page): Promise<number> {
  const { username, password } = LATER;
  const response = await page.request.post(`${server.url}/api/auth/login`, { data: { username, password } });
  return response.status();
}

test('a backup is taken, verified, restored and undone on the page, and everyone signs in again', async ({ page }) => {
  // A restore ends the sessions before its answer arrives, so reads in between are refused.
  allow(/status of 401 .*\/api\/(?:backup\/progress|auth\/session|(?:auth\/)?notices)/);
  await page.setViewportSize({ width: 1920, height: 900 });
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/backup`);
  const main = page.getByRole('main');
  const generate = main.getByRole('button', { name: 'Generate Backup' }).first();
  await expectSaid(page, 'Backup completed', () => generate.press('Enter'));
  await expect(generate).toBeFocused();
  const row = main.getByRole('row').filter({ hasText: 'Complete' });
  await expect(row).toHaveCount(1);
  const [folder] = /\d{4}-\d\d-\d\dT[\d-]{8}Z-[0-9a-f]{6}/.exec((await row.textContent())!)!;

  await page.getByRole('columnheader', { name: 'Tested' }).waitFor();
  const times = row.getByRole('time');
  const before = await times.count();
  await (await inRowMenu(page, folder, 'Test restore')).click();
  await expect(times).toHaveCount(before + 1);

  await callApi(server.url, 'users/create', await tokenOf(server.url, nameOf('retailer')), LATER);
  await row.getByRole('button', { name: `Import: ${folder}` }).click();
  const question = page.getByRole('dialog', { name: 'Import Confirmation' });
  await expect(question.getByRole('listitem').filter({ hasText: '1 account' })).toBeVisible();
  await question.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL('**/auth/login?**');
  await expect(page.getByRole('alert')).toHaveText(
    new RegExp(`^Restored from "${folder}"\\. All sessions of your network`),
  );
  await expect(page.getByText('Your session has ended')).toBeHidden();
  expect(await laterSignIn(page)).toBe(401);

  await submitSignIn(page, nameOf('admin'));
  await page.waitForURL('**/admin/**');
  await page.goto(`${server.url}/admin/backup`);
  const offer = main.getByRole('region', { name: 'Undo restore' });
  await expect(offer).toContainText(`Restored from "${folder}"`);
  await offer.getByRole('button', { name: 'Undo restore' }).click();
  await page.getByRole('dialog', { name: 'Undo the restore?' }).getByRole('button', { name: 'Undo restore' }).click();
  await page.waitForURL('**/auth/login?**');
  await expect(page.getByText('The restore was undone')).toBeVisible();
  expect(await laterSignIn(page)).toBe(200);
});
