import { expect, test } from '@playwright/test';
import { ask } from '../../server/test/test-databases.ts';
import { failOnErrors, signIn, type TestServer } from './support.ts';
import { nameOf, serveNetwork } from './testNetwork.ts';

let server: TestServer;
serveNetwork('seals', (running) => (server = running));
failOnErrors();

async function sealed(): Promise<number> {
  const answer = await fetch(`${server.url}/seals/checkpoint`);
  return answer.ok ? Number((await answer.text()).split('\n')[1]) : 0;
}

test('anybody sees until when the books are sealed, and that no witness verified them', async ({ page }) => {
  await expect.poll(sealed).toBeGreaterThan(0);
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${server.url}/fair#seals`);
  await expect(page.getByRole('heading', { name: 'How the books are sealed' })).toBeInViewport();
  await expect(
    page.getByText(/^This server sealed the books until .+\. No witness has verified them\.$/),
  ).toBeVisible();
});

test("a change without a log row raises a notice on the superadmin's dashboard", async ({ page }) => {
  await expect.poll(sealed).toBeGreaterThan(0);
  await ask(server.ownerUrl!, `update accounts set commission = commission + 1 where role = 'retailer'`);
  await signIn(page, server.url, nameOf('superadmin'), 'superadmin');
  // Both the server's check and the page's polling take seconds.
  await expect(page.getByRole('heading', { name: 'A record was changed without a log entry' })).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByText('One row was changed without a log row since this server started.')).toBeVisible();
});
