import { placeBets } from '@drawhouse/contract/tickets/bulk-bets';
import { expect, test, type Page } from '@playwright/test';
import { expectToFit } from './look.ts';
import { expectSaid } from './messages-heard.ts';
import { LONG_DRAWS, nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { expectAccessible, failOnErrors, haveSession, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork(
  'api-keys',
  (its, made) => {
    server = its;
    network = made;
  },
  LONG_DRAWS,
);
const { allow } = failOnErrors();

const table = (page: Page) => page.getByRole('region', { name: 'API Keys' });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

async function layBy(key: string, uniqueId: string): Promise<{ status: number; taken: number }> {
  const bets = Array.from({ length: 2 }, () => ({
    player: uniqueId,
    gameId: network.pair.gameId,
    requestId: crypto.randomUUID(),
    lines: [{ drawno: '456', head: 'straight', qty: 1 }],
  }));
  const response = await fetch(`${server.url}/api/${placeBets.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ bets }),
  });
  const { answers = [] } = (await response.json()) as { answers?: { success: boolean }[] };
  return { status: response.status, taken: answers.filter(({ success }) => success).length };
}

test('an admin creates an API key, sees it once, limits it, sees its use and revokes it', async ({ page }) => {
  // The server rejects the invalid address.
  allow(/400 \(Bad Request\), .*apikeys/);
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/apikeys`);
  await expect(page.getByText('No API keys yet')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  const make = dialog(page, 'Create API key');
  await make.getByRole('button', { name: 'Create key' }).click();
  await expect(make.getByText('Name is required')).toBeVisible();
  await make.getByRole('textbox', { name: 'Name' }).fill('Front of house');
  await make.getByRole('textbox', { name: 'Allowed IP addresses' }).fill('127.0.0.1\nanywhere');
  await make.getByRole('button', { name: 'Create key' }).click();
  await expect(
    make.getByText('Enter an IP address such as 203.0.113.7, or a network such as 203.0.113.0/24'),
  ).toBeVisible();
  await make.getByRole('textbox', { name: 'Allowed IP addresses' }).fill('127.0.0.1, ::1');
  await make.getByRole('button', { name: 'Create key' }).click();
  const made = dialog(page, 'API key Front of house');
  const key = (await made.getByLabel('The API key').textContent())!;
  expect(key).toMatch(/^dhk_[\w-]{64}$/);
  await expectAccessible(page);
  await made.getByRole('button', { name: 'I have copied it' }).click();
  await expect(made).toBeHidden();
  await expect(table(page)).toContainText('Front of house');
  await expect(page.getByText(key)).toHaveCount(0);

  expect(await layBy(key, network.accounts.user.uniqueId)).toEqual({ status: 200, taken: 2 });
  await page.reload();
  await expect(table(page).getByRole('row').nth(1)).toContainText('2.00');
  await expectToFit(page, [390, 768, 1280, 1920], 'the API keys');
  await page.setViewportSize({ width: 1440, height: 900 });

  const row = table(page).getByRole('row').nth(1);
  await row.getByRole('button', { name: 'Use by day' }).click();
  await expect(dialog(page, 'Use of Front of house').getByRole('row', { name: 'Since creation' })).toContainText('2');
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Change limits' }).click();
  const change = dialog(page, 'API key Front of house');
  await expect(change.getByRole('textbox', { name: 'Allowed IP addresses' })).toHaveValue('127.0.0.1\n::1');
  await change.getByRole('textbox', { name: 'Stakes a day' }).fill('3');
  await expectSaid(page, 'API key Front of house changed.', () =>
    change.getByRole('button', { name: 'Save limits' }).click(),
  );
  expect(await layBy(key, network.accounts.user.uniqueId)).toEqual({ status: 200, taken: 1 });

  // A dialog from a row's sheet covers the sheet.
  await page.setViewportSize({ width: 390, height: 844 });
  await row.getByText('Front of house').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Change limits' }).click();
  await change.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.setViewportSize({ width: 1440, height: 900 });

  await row.getByRole('button', { name: 'End key' }).click();
  await dialog(page, 'End API key').getByRole('button', { name: 'End key' }).click();
  await expect(row).toContainText('Ended');
  expect(await layBy(key, network.accounts.user.uniqueId)).toEqual({ status: 401, taken: 0 });
  await page.goto(`${server.url}/admin/gamehistory`);
  const ticket = page.getByRole('region', { name: 'Game History' }).getByRole('row').nth(1);
  await ticket.getByRole('button', { name: 'View: ' }).click();
  await expect(page.getByRole('dialog', { name: 'Ticket Details' })).toContainText('Front of house');
});
