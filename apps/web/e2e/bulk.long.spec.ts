import { expect, test, type Locator, type Page } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { makeInactivePlayer } from './accountListSteps.ts';
import { expectAccessible, failOnErrors, haveSession, PASSWORD, type TestServer } from './support.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';

let server: TestServer;
let network: Network;

failOnErrors();
serveNetwork('bulk', (...both) => ([server, network] = both));
test.beforeAll(() => makeInactivePlayer(server, network));
test.beforeEach(({ page }) => haveSession(page, server.url, nameOf('superadmin')));

async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let press = 0; press < 120; press++) {
    if (await target.evaluate((element) => element.ownerDocument.activeElement === element)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(target)}`);
}

async function pressOn(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

async function selectAll(page: Page): Promise<void> {
  await page.goto(`${server.url}/superadmin/user`);
  await pressOn(page, page.getByRole('checkbox', { name: 'Select all rows of this page' }), 'Space');
  await expect(page.getByText('2 selected')).toBeVisible();
}

const bulkButton = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name, exact: true });

for (const scheme of ['light', 'dark'] as const)
  test(`each bulk dialog is accessible, holds the focus and gives it back, ${scheme}`, async ({ page }) => {
    await page.addInitScript(`localStorage.setItem('theme', '${scheme}')`);
    await selectAll(page);
    for (const [name, title] of [
      ['Transfer', 'Transfer credit'],
      ['Take back', 'Take back credit'],
      ['Activate', 'Activate Confirmation'],
      ['Deactivate', 'Deactivate Confirmation'],
      ['Limit', 'Set limit'],
    ] as const)
      await test.step(name, async () => {
        await pressOn(page, bulkButton(page, name));
        const dialog = page.getByRole('dialog', { name: title });
        await expect(dialog).toBeVisible();
        await expectAccessible(page);
        for (let press = 0; press < 12; press++) {
          await page.keyboard.press('Tab');
          expect(await dialog.evaluate((element) => element.contains(element.ownerDocument.activeElement))).toBe(true);
        }
        await page.keyboard.press('Escape');
        await expect(dialog).toBeHidden();
        await expect(bulkButton(page, name)).toBeFocused();
      });
  });

test('credit, limits and status of many are changed by keyboard alone', async ({ page }) => {
  await selectAll(page);
  await pressOn(page, bulkButton(page, 'Activate'));
  await expect(page.getByRole('dialog').getByLabel('Your password', { exact: true })).toHaveValue(PASSWORD);
  await expectSaid(page, 'accounts activated', () => pressOn(page, page.getByRole('button', { name: 'Activate 2' })));

  await selectAll(page);
  await pressOn(page, bulkButton(page, 'Transfer'));
  const dialog = page.getByRole('dialog', { name: 'Transfer credit' });
  await expect(dialog.getByLabel('Amount for each account')).toBeFocused();
  await page.keyboard.type('2.5');
  await tabTo(page, dialog.getByRole('textbox', { name: 'Password' }));
  await page.keyboard.type(PASSWORD);
  await expectSaid(page, '5.00 to 2 accounts.', () => page.keyboard.press('Enter'));

  await selectAll(page);
  await pressOn(page, bulkButton(page, 'Limit'));
  const limit = page.getByRole('dialog', { name: 'Set limit' });
  await expect(limit.getByLabel('Points')).toBeFocused();
  await page.keyboard.type('100');
  await tabTo(page, limit.getByLabel('Reason'));
  await page.keyboard.type('asked for it');
  await page.keyboard.press('Enter');
  await expect(limit).toBeHidden();
});

test('rows that arrive after the selection was cleared or the list changed are not selected', async ({ page }) => {
  const release: (() => void)[] = [];
  await page.route(/\/api\/users\/all\b/, async (route) => {
    const isWhole = route.request().url().includes('pageSize=500');
    if (isWhole) await new Promise<void>((done) => release.push(done));
    const answer = await route.fetch();
    const body = (await answer.json()) as { total: number };
    if (!isWhole) body.total += 1;
    await route.fulfill({ response: answer, json: body }).catch(() => undefined);
  });
  // The first page of a visit comes with the session.
  await page.goto(`${server.url}/superadmin/profile`);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  const bar = page.getByRole('region', { name: 'Selected rows' });
  const all = page.getByRole('checkbox', { name: 'Select all rows of this page' });
  const rest = bar.getByRole('button', { name: 'Select all pages' });
  const releaseOne = async (nth: number) => {
    await expect.poll(() => release.length).toBe(nth);
    return release[nth - 1]!();
  };

  await all.check();
  await rest.click();
  await releaseOne(1);
  await expect(rest).toBeHidden();
  await expect(bar).toContainText('2 selected');
  await page.getByRole('checkbox', { name: 'Select penniless' }).uncheck();
  await page.getByRole('checkbox', { name: 'Select penniless' }).check();

  await bar.getByRole('button', { name: 'Clear the selection' }).click();
  await all.check();
  await rest.click();
  await expect.poll(() => release.length).toBe(2);
  await bar.getByRole('button', { name: 'Clear the selection' }).click();
  await page.getByRole('checkbox', { name: 'Select penniless' }).check();
  await releaseOne(2);
  await expect(bar).toContainText('1 selected');

  await all.check();
  await rest.click();
  await expect.poll(() => release.length).toBe(3);
  await page.getByRole('searchbox').fill('penn');
  await expect(page.getByRole('checkbox', { name: `Select ${nameOf('user')}` })).toBeHidden();
  await page.getByRole('checkbox', { name: 'Select penniless' }).check();
  await releaseOne(3);
  await expect(bar).toContainText('1 selected');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('accounts are imported by keyboard alone', async ({ page }) => {
  await page.goto(`${server.url}/superadmin/user/import`);
  await expect(page.getByRole('heading', { name: 'Import Users' })).toBeVisible();
  await expectAccessible(page);
  await tabTo(page, page.getByRole('textbox', { name: 'Rows' }));
  await page.keyboard.insertText(`UserName,Refer ID,Role\nby-keys,${nameOf('retailer')},Admin\n`);
  await pressOn(page, page.getByRole('button', { name: 'Check rows' }));
  await expect(page.getByRole('row', { name: /by-keys/ })).toContainText('Admins can’t be imported');
  await expectAccessible(page);
  await tabTo(page, page.getByRole('region', { name: 'Rows' }));

  await tabTo(page, page.getByRole('textbox', { name: 'Rows' }));
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(`UserName,Refer ID,Role\nby-keys,${nameOf('retailer')},User\n`);
  await pressOn(page, page.getByRole('button', { name: 'Check rows' }));
  await tabTo(page, page.getByLabel('Your password', { exact: true }));
  await page.keyboard.insertText(PASSWORD);
  await pressOn(page, page.getByRole('button', { name: 'Create 1 account' }));
  await expect(page.getByRole('button', { name: 'Print slips' })).toBeFocused();
  await expectAccessible(page);
  await pressOn(page, page.getByRole('link', { name: 'Done' }));
  await expect(page.getByRole('row', { name: /by-keys/ })).toBeVisible();
});

test('accounts of another cell stay out of the selection and of choices', async ({ page }) => {
  await page.route(/\/api\/(users|admins)\/all\b/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { username: string; cell?: object }[] };
    for (const row of body.data) if (row.username !== nameOf('user')) row.cell = { name: 'far', isHere: false };
    await route.fulfill({ response: answer, json: body });
  });
  // The first page of a visit comes with the session.
  await page.goto(`${server.url}/superadmin/profile`);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  const all = page.getByRole('checkbox', { name: 'Select all rows of this page' });
  await expect(page.getByRole('checkbox', { name: 'Select penniless' })).toBeDisabled();
  await all.check();
  await expect(page.getByText('1 selected')).toBeVisible();
  await all.uncheck();
  await expect(page.getByText('1 selected')).toBeHidden();

  await page.goto(`${server.url}/superadmin/approvalrules`);
  await expect(page.getByRole('combobox').locator('option')).toHaveText([/superadmin/]);
});
