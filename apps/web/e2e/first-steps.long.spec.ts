import { expect, test, type Locator, type Page } from '@playwright/test';
import { expectToFit } from './look.ts';
import { expectAccessible, failOnErrors, PASSWORD, startTestServer, type TestServer } from './support.ts';

let server: TestServer;

failOnErrors();
test.beforeAll(async () => {
  server = await startTestServer('first-steps', { isEmpty: true });
});
test.afterAll(() => server.remove());

const MOST_CLICKS = 25;
const MOST_TABS = 80;
const MOST_KEYS = 200;
const WIDTHS = [360, 768, 1440];

test('an empty installation shows its first bet within 25 clicks', async ({ page }) => {
  const start = Date.now();
  let clicks = 0;
  const click = async (target: Locator): Promise<void> => {
    clicks += 1;
    await target.click();
  };
  const type = async (field: Locator, text: string): Promise<void> => {
    await click(field);
    await field.fill(text);
  };
  const first = page.getByRole('region', { name: 'No one has played yet' });
  const done = first.getByRole('img', { name: 'Done' }).or(first.getByLabel('Done'));
  const next = (name: string) => click(page.getByRole('link', { name, exact: true }));

  await page.goto(`${server.url}/auth/login`);
  await type(page.getByRole('textbox', { name: 'Username' }), 'superadmin');
  await type(page.getByLabel('Password', { exact: true }), PASSWORD);
  await click(page.getByRole('button', { name: 'Login' }));
  await expect(first.getByRole('listitem')).toHaveCount(8);
  await expect(done).toHaveCount(0);
  await expect(first).toContainText(`Players sign in at ${server.url}/sign-in`);
  await expectAccessible(page);
  await expectToFit(page, WIDTHS, 'with first steps');

  await next('Next: Issue credit to yourself');
  await type(page.getByRole('textbox', { name: 'Amount' }), '20000');
  await type(page.getByLabel('Password', { exact: true }), PASSWORD);
  await click(page.getByRole('button', { name: 'Issue credit' }));
  await next('Next');
  await expect(done).toHaveCount(1);

  await next('Next: all accounts with one form');
  await expect(page.getByText('Games: 3 chosen')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, WIDTHS, 'the form of a chain');
  await type(page.getByLabel('First password'), 'seven green umbrellas');
  await click(page.getByRole('checkbox', { name: 'This is a test network' }));
  await type(page.getByLabel('Password', { exact: true }), PASSWORD);
  await click(page.getByRole('button', { name: 'Create accounts' }));
  await expect(page.getByRole('heading', { name: 'Accounts created' })).toBeVisible();
  await expectAccessible(page);
  await next('Next');
  await expect(done).toHaveCount(7);
  await expect(page.getByRole('region', { name: 'Try it with simulated players' })).toContainText('Test');

  await click(page.getByRole('button', { name: 'Start simulated players of admin-1' }));
  await expect(page.getByRole('button', { name: 'Stop simulated players of admin-1' })).toBeVisible();
  await expectAccessible(page);
  // Remains when the first draw settles.
  await next('See the first bet on a live panel');
  await expect(page.getByText('Test', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'TOTAL DRAW COLLECTION' })).toBeVisible();
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
  const seconds = Math.round((Date.now() - start) / 1_000);
  test.info().annotations.push({ type: 'clicks and seconds', description: `${clicks}, ${seconds}` });
});

/** Moves the focus as a person without a mouse does. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<number> {
  await expect(target).toBeVisible();
  const hasFocus = () => target.evaluate((element) => element === element.ownerDocument.activeElement);
  for (let keys = 0; keys <= MOST_TABS; keys++) {
    if (await hasFocus()) return keys;
    await page.keyboard.press(key);
  }
  throw new Error(`${MOST_TABS} tabs do not reach ${String(target)}`);
}

test('an empty installation shows its first bet by keyboard alone', async ({ page }) => {
  const empty = await startTestServer('first-keys', { isEmpty: true });
  let keys = 0;
  const press = async (target: Locator, key = 'Enter'): Promise<void> => {
    keys += (await tabTo(page, target)) + 1;
    await page.keyboard.press(key);
  };
  const type = async (target: Locator, text: string): Promise<void> => {
    keys += await tabTo(page, target);
    await page.keyboard.type(text);
  };
  const next = (name: string) => press(page.getByRole('link', { name, exact: true }));
  const password = page.getByLabel('Password', { exact: true });

  await page.goto(`${empty.url}/auth/login`);
  await type(page.getByRole('textbox', { name: 'Username' }), 'superadmin');
  await type(password, PASSWORD);
  await page.keyboard.press('Enter');
  await next('Next: Issue credit to yourself');
  await type(page.getByRole('textbox', { name: 'Amount' }), '20000');
  await type(password, PASSWORD);
  await page.keyboard.press('Enter');
  await next('Next');
  await next('Next: all accounts with one form');
  await type(page.getByLabel('First password'), 'seven green umbrellas');
  await press(page.getByRole('checkbox', { name: 'This is a test network' }), 'Space');
  await type(password, PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Accounts created' })).toBeVisible();
  await next('Next');
  await press(page.getByRole('button', { name: 'Start simulated players of admin-1' }));
  // Above the button.
  const link = page.getByRole('link', { name: 'See the first bet on a live panel', exact: true });
  keys += (await tabTo(page, link, 'Shift+Tab')) + 1;
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'TOTAL DRAW COLLECTION' })).toBeVisible();
  expect(keys).toBeLessThanOrEqual(MOST_KEYS);
  test.info().annotations.push({ type: 'keys', description: String(keys) });
  // A page without its server reports errors.
  await page.close();
  await empty.remove();
});

test('the only possible parent is preselected', async ({ page }) => {
  await page.goto(`${server.url}/auth/login`);
  await page.getByLabel('Username').fill('superadmin');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/superadmin/dashboard');
  for (const [level, parent] of [
    ['superdistributor', 'admin-1'],
    ['user', 'retail-1'],
  ] as const) {
    await page.goto(`${server.url}/superadmin/${level}/create`);
    await expect(page.getByLabel('Reference').first()).toHaveValue(parent);
  }
});
