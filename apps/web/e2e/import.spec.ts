import { expect, test } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { nameOf, serveNetwork } from './testNetwork.ts';
import { expectAccessibleInLong, failOnErrors, haveSession, PASSWORD, type TestServer } from './support.ts';

let server: TestServer;

failOnErrors();
serveNetwork('import', (its) => (server = its));
test.beforeEach(({ page }) => haveSession(page, server.url, nameOf('retailer')));

test('accounts come from a file: checked, corrected, created, and their passwords printed once', async ({ page }) => {
  await page.goto(`${server.url}/retailer/user/create`);
  await page.getByRole('link', { name: 'Type, paste or import them' }).click();
  await expect(page.getByRole('heading', { name: 'Import Users' })).toBeVisible();
  const rows = page.getByRole('textbox', { name: 'Rows' });
  await page.locator('input[type=file]').setInputFiles({
    name: 'players.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('\uFEFFUserName;Commission;Password\r\nmeera;0;\r\nthe-user;x;\r\n'),
  });
  await expect(rows).toHaveValue(/meera;0;/);
  await page.getByRole('button', { name: 'Check rows' }).click();
  await expect(page.getByText('1 of 2 rows wrong.')).toBeVisible();
  await expect(page.getByRole('row', { name: /^3 the-user/ })).toContainText('Commission: Enter a percentage');
  await expectAccessibleInLong(page);

  await rows.fill('UserName;Commission;Password\nmeera;0;\nkabir;0;blue horse 42 x\n');
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByRole('button', { name: 'Create 2 accounts' }).click();
  await expect(page.getByText('Password is required')).toBeVisible();
  await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: '2 Users created' })).toBeVisible();
  const slips = page.getByRole('list', { name: 'Slips' }).getByRole('listitem');
  await expect(slips).toHaveCount(2);
  await expect(slips.first()).toContainText(/meera\s*Password\s*[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}/);
  await expect(slips.last()).toContainText('blue horse 42 x');
  await expectAccessibleInLong(page);
  await page.getByRole('link', { name: 'Done' }).click();
  await expect(page.getByRole('row', { name: /meera/ })).toBeVisible();
});

test('one account after another keeps the settings', async ({ page }) => {
  await page.goto(`${server.url}/retailer/user/create`);
  const [username, password] = ['Username', 'Password'].map((name) => page.getByRole('textbox', { name, exact: true }));
  await page.getByRole('checkbox', { name: 'Create another' }).check();
  await page.getByRole('textbox', { name: 'Note' }).fill('by the door');
  // A commission shows the games, which the new account reloads. The form must not wait for them.
  const games = page.waitForResponse(/\/api\/game$/);
  await page.getByRole('textbox', { name: 'Commission' }).fill('1');
  await games;
  await page.route(/\/api\/game$/, () => undefined);
  for (const name of ['one-of-two', 'two-of-two']) {
    await username!.fill(name);
    await password!.fill('blue horse 42 x');
    await expectSaid(page, `${name} created.`, () => page.keyboard.press('Enter'));
    await expect(username!).toHaveValue('');
    await expect(username!).toBeFocused();
  }
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('by the door');
  await expect(page.getByText('Username is required')).toBeHidden();
  await page.getByRole('link', { name: 'Type, paste or import them' }).click();
  await page.getByRole('textbox', { name: 'Rows' }).fill('three-of-three');
  await page.getByRole('button', { name: 'Check rows' }).press('Enter');
  await expect(page.getByLabel('Your password', { exact: true })).toBeFocused();
});
