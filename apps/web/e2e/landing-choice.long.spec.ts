import { welcomeShown } from '@drawhouse/contract/players/welcome';
import { expect, test, type Page } from '@playwright/test';
import { expectToFit } from './look.ts';
import { expectSaid } from './messages-heard.ts';
import { makeNetwork, nameOf } from './testNetwork.ts';
import { expectAccessible, failOnErrors, haveSession, startTestServer, type TestServer } from './support.ts';

let server: TestServer;

failOnErrors();
test.beforeAll(async () => {
  server = await startTestServer('landing-choice');
  await makeNetwork(server.url);
});
test.afterAll(() => server.remove());

const choice = (page: Page) => page.getByRole('checkbox', { name: 'Show winners of this network' });

test("an admin switches its network's landing page data off and on in its profile", async ({ page }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/profile`);
  await expect(choice(page)).toBeChecked();
  await expectAccessible(page);
  await expectSaid(page, 'The landing page no longer shows winners of your network.', () => choice(page).click());
  await page.reload();
  await expect(choice(page)).not.toBeChecked();
  expect(await page.evaluate(`fetch('/api/${welcomeShown.path}').then((answer) => answer.json())`)).toMatchObject({
    shown: false,
  });
  await expectSaid(page, 'The landing page can now show winners of your network.', () => choice(page).click());
  await expect(choice(page)).toBeChecked();
  await expectToFit(page, [390, 1280]);

  await haveSession(page, server.url, nameOf('superdistributor'));
  await page.goto(`${server.url}/superdistributor/profile`);
  await expect(page.getByText('This device')).toBeVisible();
  await expect(choice(page)).toBeHidden();
});
