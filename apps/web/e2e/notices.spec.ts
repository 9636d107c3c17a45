import { expect, test } from '@playwright/test';
import { makeNetwork, nameOf } from './network.ts';
import { expectAccessible, signIn, signOut, startTestServer, watchErrors } from './support.ts';
import type { TestServer } from './support.ts';

let server: TestServer;

test.beforeAll(async () => {
  server = await startTestServer('notices', { inDataDir: true });
  await makeNetwork(server.url);
});
test.afterAll(() => server.remove());

test('the superadmin reads where the key of the seeds lies, and nobody else', async ({ page }) => {
  const problems: string[] = [];
  watchErrors(page, problems);
  const notice = page.getByRole('heading', { name: 'The key of the seeds lies beside the database' });
  await signIn(page, server.url, 'superadmin', 'superadmin');
  await expect(notice).toBeVisible();
  await expect(page.getByText('SEED_KEY_FILE')).toBeVisible();
  await expectAccessible(page);
  await signOut(page);
  await signIn(page, server.url, nameOf('admin'), 'admin');
  await expect(page.getByRole('heading', { name: 'Welcome to Dashboard' })).toBeVisible();
  await expect(notice).toBeHidden();
  expect(problems).toEqual([]);
});
