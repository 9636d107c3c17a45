import type { Game } from '@drawhouse/contract/games/games';
import { expect, test, type Page } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { makeNetwork, nameOf, type Network } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  inRowMenu,
  PASSWORD,
  haveSession,
  startTestServer,
  tokenOf,
  sendPasswords,
  type TestServer,
} from './support.ts';

let server: TestServer;
let network: Network;
const { allow } = failOnErrors();

test.beforeAll(async () => {
  server = await startTestServer('games');
  network = await makeNetwork(server.url);
});
test.afterAll(() => server.remove());
test.beforeEach(({ page }) => haveSession(page, server.url, nameOf('superadmin')));

const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function picture(page: Page, color: string, size = 32, type = 'image/png') {
  const url = await page.evaluate<string>(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: ${size}, height: ${size} });
    const context = canvas.getContext('2d');
    context.fillStyle = '${color}';
    context.fillRect(0, 0, ${size}, ${size});
    return canvas.toDataURL('${type}');
  })()`);
  return { name: `${color}.png`, mimeType: type, buffer: Buffer.from(url.split(',')[1]!, 'base64') };
}

async function catalogue(): Promise<Game[]> {
  const token = await tokenOf(server.url, nameOf('superadmin'));
  return (await callApi<{ data: Game[] }>(server.url, 'game', token)).data;
}

test('a game is added with images, changed, deactivated, activated and deleted', async ({ page }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  await page.goto(`${server.url}/superadmin/profile`);
  await page.getByRole('complementary').getByRole('link', { name: 'Game Master' }).click();
  await expect(row(page, 'Fruit 12')).toContainText('fruit12');
  await expect(page.getByRole('columnheader')).toHaveText([
    'No',
    'Game ID',
    'Game Name',
    'Digits',
    'Time',
    'Return',
    'Status',
    'Publisher',
    'Release Date',
    'Actions',
  ]);
  await page.getByRole('link', { name: 'Add Game' }).click();
  await expect(heading(page)).toHaveText('Add Game');

  await test.step('sends nothing while fields are missing and focuses the first wrong one', async () => {
    await expect(field(page, 'Publisher')).toHaveValue(nameOf('superadmin'));
    await field(page, 'Publisher').fill('');
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(field(page, 'Game Name')).toBeFocused();
    for (const text of [
      'Game name is required',
      'Number of digits is required',
      'Publisher is required',
      'Release date is required',
      'Description is required',
      'Time is required',
    ])
      await expect(page.getByText(text, { exact: true })).toBeVisible();
    await field(page, 'Number of Digits').fill('0');
    await field(page, 'Game Name').fill('Three Kings');
    await expect(page.getByText('Must be at least 1')).toBeVisible();
    await expect(page.getByText('Game name is required')).toBeHidden();
  });

  await test.step('accepts a complete form', async () => {
    await field(page, 'Description').fill('Kings, three of them');
    await field(page, 'Number of Digits').fill('3');
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: '60 s', exact: true }).click();
    await page.keyboard.press('Escape');
    await field(page, 'Publisher').fill('House');
    const months = page.getByRole('button', { name: /^[A-Z][a-z]+ \d{4}$/ });
    await field(page, 'Release Date').click();
    await expect(months).toBeVisible();
    await field(page, 'Release Date').fill('1 Mar 2026');
    await expect(months).toBeHidden();
    await field(page, 'Release Date').click();
    await expect(months).toHaveText('March 2026');
    await field(page, 'Release Date').fill('01 Mar 2026');
    await expect(months).toBeHidden();
    await page.getByRole('radio', { name: 'Yes', exact: true }).check();
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByText('Choose an image', { exact: true })).toHaveCount(3);
    await expect(page.getByLabel('Image of digit 0', { exact: true })).toBeFocused();
  });

  await test.step('reports invalid or oversized images below their digit', async () => {
    const first = page.getByLabel('Image of digit 0', { exact: true });
    await first.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await expect(page.getByText('Choose a JPEG, PNG or WebP image')).toBeVisible();
    await first.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
    await expect(page.getByText('This image can’t be read')).toBeVisible();
    await first.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.alloc(2 * 1024 * 1024 + 1) });
    await expect(page.getByText('An image may have at most 2 MB')).toBeVisible();
    await first.setInputFiles(await picture(page, 'red', 4001));
    await expect(page.getByText('this one has 4,001 × 4,001')).toBeVisible();
  });

  await test.step('shows the return of own pays while typing', async () => {
    const returns = page.getByRole('table', { name: 'Theoretical returns' });
    await expect(returns.getByRole('row').nth(1)).toHaveText(/Number.*2.*1 in 3.*66\.67\s%/);
    const pay = page.getByRole('group', { name: 'Pays' }).getByRole('textbox', { name: 'Number' });
    await pay.fill('3.5');
    await expect(page.getByRole('alert').filter({ hasText: 'Number 116.67 %' })).toContainText(
      'One bet pays out more than is staked on it',
    );
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use the default, 2 of Number' }).click();
    await expect(pay).toHaveValue('');
    await expect(page.getByRole('alert').filter({ hasText: 'more than is staked' })).toBeHidden();
    await pay.fill('2.5');
  });

  await test.step('adds the game with several images at once', async () => {
    const files = [await picture(page, 'red', 900), await picture(page, 'green'), await picture(page, 'blue')];
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose several files' }).click();
    await (await chooser).setFiles(files);
    await expect(page.getByText('3 of 3 chosen')).toBeVisible();
    await page.getByRole('button', { name: 'Image of digit 1: remove' }).click();
    await expect(page.getByText('2 of 3 chosen')).toBeVisible();
    await page.getByLabel('Image of digit 1', { exact: true }).setInputFiles(await picture(page, 'yellow'));
    await page.getByLabel('Logo', { exact: true }).setInputFiles(await picture(page, 'gray'));
    await page.getByRole('checkbox', { name: 'Wins wait until the player claims them' }).check();
    await sendPasswords(page, false);
    allow(/status of 403 .*\/api\/game$/);
    await page.getByRole('button', { name: 'Submit' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm with your password' });
    await question.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
    await expectSaid(page, 'Game "Three Kings" created successfully', () =>
      question.getByRole('button', { name: 'Confirm' }).click(),
    );
    await sendPasswords(page);
    await page.waitForURL('**/superadmin/gamemaster');
    await page.getByRole('searchbox').fill('kings');
    await expect(row(page, 'Three Kings')).toContainText('House');
    await expect(row(page, 'Three Kings')).toContainText('Active');
    const added = (await catalogue()).find(({ gameName }) => gameName === 'Three Kings')!;
    expect(added).toMatchObject({
      nodigit: 3,
      label: 'yes',
      manualClaims: 'yes',
      pays: [{ head: 'number', pay: 2.5, default: 2 }],
    });
    expect(new Set(added.images).size).toBe(3);
  });

  await test.step('an edit shows current values and sends only changes', async () => {
    await row(page, 'Three Kings').getByRole('link', { name: 'Edit: Three Kings' }).click();
    await expect(heading(page)).toHaveText('Edit Game');
    await expect(field(page, 'Game ID')).toHaveAttribute('readonly', '');
    const before = (await catalogue()).find(({ gameName }) => gameName === 'Three Kings')!;
    await field(page, 'Game Name').fill('');
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByText('Game Name is required')).toBeVisible();
    await field(page, 'Game Name').fill('Four Kings');
    await page.getByLabel('Image of digit 2: choose another').setInputFiles(await picture(page, 'black'));
    const claims = page.getByRole('checkbox', { name: 'Wins wait until the player claims them' });
    await expect(claims).toBeChecked();
    await claims.uncheck();
    await expectSaid(page, 'Game "Four Kings" updated successfully', () =>
      page.getByRole('button', { name: 'Submit' }).click(),
    );
    await page.waitForURL(/\/superadmin\/gamemaster(\?|$)/);
    const after = (await catalogue()).find(({ gameName }) => gameName === 'Four Kings')!;
    expect(after).toEqual({
      ...before,
      gameName: 'Four Kings',
      manualClaims: 'no',
      images: [...before.images.slice(0, 2), after.images[2]],
    });
    expect(after.images[2]).not.toBe(before.images[2]);
  });

  for (const [action, badge] of [
    ['Deactivate', 'Inactive'],
    ['Activate', 'Active'],
  ] as const)
    await test.step(action, async () => {
      await row(page, 'Four Kings')
        .getByRole('button', { name: `${action}: Four Kings`, exact: true })
        .click();
      const dialog = page.getByRole('dialog', { name: `${action} Confirmation` });
      await expect(dialog).toContainText(`Are you sure you want to ${action.toLowerCase()} Four Kings?`);
      await dialog.getByRole('button', { name: /^Confirm/ }).click();
      await expect(row(page, 'Four Kings')).toContainText(badge);
    });

  await test.step('deletes the game', async () => {
    await (await inRowMenu(page, 'Four Kings', 'Delete')).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Confirmation' });
    await expect(dialog).toContainText('Are you sure you want to delete Four Kings?');
    await expectAccessible(page);
    await expectSaid(page, 'Game deleted successfully', () =>
      dialog.getByRole('button', { name: 'Confirm', exact: true }).click(),
    );
    await expect(row(page, 'Four Kings')).toBeHidden();
  });
});

test("a game's success message stays five seconds", async ({ page }) => {
  await page.clock.install();
  await page.goto(`${server.url}/superadmin/gamemaster?search=grandchance`);
  await expect(row(page, 'Grand Chance')).toContainText('Active');
  await page.getByRole('button', { name: 'Deactivate: Grand Chance', exact: true }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: /^Confirm/ });
  await expect(confirm).toBeEnabled();
  await page.clock.pauseAt(Date.now() + 60_000);
  await confirm.click();
  const done = page.getByText('Game "Grand Chance" deactivated successfully');
  await expect(async () => {
    await page.clock.runFor(100);
    await expect(done).toBeVisible({ timeout: 100 });
  }).toPass();
  await page.clock.runFor(4_000);
  await expect(done).toBeVisible();
  await page.clock.runFor(1_500);
  await expect(done).toBeHidden();
});

test('a game with draws keeps its digits and cannot be deleted; a missing one is reported', async ({ page }) => {
  const { gameId, gameName } = network.pair;
  const game = (await catalogue()).find((each) => each.gameId === gameId)!;
  await page.goto(`${server.url}/superadmin/gamemaster/edit/${game._id}`);
  await expect(field(page, 'Number of Digits')).toHaveAttribute('readonly', '');
  await expect(page.getByText('This game has had draws, so this can no longer be changed.').first()).toBeVisible();
  await field(page, 'Publisher').fill('Somebody');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click();

  allow(/status of 409 .*\/api\/game/);
  await page.goto(`${server.url}/superadmin/gamemaster?search=${gameId}`);
  await (await inRowMenu(page, gameName, 'Delete')).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Confirmation' });
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    `${gameName} has draws and may have tickets, so it can't be deleted. Deactivate it instead.`,
  );

  allow(/status of 404 .*\/api\/game/);
  await page.goto(`${server.url}/superadmin/gamemaster/edit/0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d`);
  await expect(page.getByText('No game found with the provided ID.')).toBeVisible();
});

test("an admin sees its games' returns", async ({ page }) => {
  await page.goto(`${server.url}/superadmin/game`);
  await page.getByRole('button', { name: 'Returns', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Game returns' });
  await expect(dialog.getByRole('heading', { level: 3 }).first()).toHaveText('3D/1000 Lottery');
  await expect(dialog.getByRole('alert').first()).toContainText('Any Pair 168');
  await expect(dialog.getByRole('table', { name: 'Theoretical returns of Fruit 12' })).toContainText('83.33 %');
  await expect(dialog.getByRole('alert').filter({ hasText: 'below 70 %' }).first()).toContainText(
    'One bet gives little back',
  );
});

test('the superadmin of another cell reads where games and times are changed', async ({ page }) => {
  await page.route('**/api/auth/session', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { user: object };
    await route.fulfill({ response, json: { ...answer, user: { ...answer.user, followsFirstCell: true } } });
  });
  const note = page.getByText('Only the superadmin of the first cell');
  for (const [path, submit] of [
    ['gamemaster/create', 'Submit'],
    ['timemaster/create', 'Create'],
    ['timemaster/schedules/create', 'Create'],
    ['house', 'Save'],
  ] as const) {
    await page.goto(`${server.url}/superadmin/${path}`);
    await expect(note).toBeVisible();
    await expect(page.getByRole('button', { name: submit, exact: true })).toBeDisabled();
  }
  for (const [path, shown, add] of [
    ['gamemaster', 'Fruit 12', 'Add Game'],
    ['timemaster', '60', 'Add Time'],
    ['timemaster/schedules', null, 'Add Schedule'],
  ] as const) {
    await page.goto(`${server.url}/superadmin/${path}`);
    await expect(note).toBeVisible();
    if (shown !== null) await expect(page.getByRole('row').filter({ hasText: shown }).first()).toBeVisible();
    await expect(page.getByRole('link', { name: add })).toBeHidden();
    await expect(page.getByRole('button', { name: /^(?:Delete|More actions)/ })).toHaveCount(0);
    await expect(page.getByRole('link', { name: /^Edit/ })).toHaveCount(0);
  }
  await expectAccessible(page);
});
