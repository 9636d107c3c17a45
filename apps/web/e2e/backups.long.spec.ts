import { readFile } from 'node:fs/promises';
import type { Backup, BackupLosses } from '@drawhouse/contract/backup/backups';
import { expect, test, type Locator, type Page, type Route } from '@playwright/test';
import { holdTable } from '../../server/test/statements/hold-table.ts';
import { namesInZip } from '../../server/test/backups/names-in-zip.ts';
import { expectToFit } from './look.ts';
import { expectSaid } from './messages-heard.ts';
import { LONG_DRAWS, nameOf, serveNetwork } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  haveSession,
  inRowMenu,
  PASSWORD,
  signIn,
  tokenOf,
  sendPasswords,
  type TestServer,
} from './support.ts';

let server: TestServer;
serveNetwork('backups', (its) => (server = its), LONG_DRAWS);
const errors = failOnErrors();

const main = (page: Page): Locator => page.getByRole('main');
const generate = (page: Page): Locator => main(page).getByRole('button', { name: 'Generate Backup' }).first();
const rows = (page: Page): Locator =>
  main(page)
    .getByRole('row')
    .filter({ hasText: /\d{4}-\d\d-\d\dT/ });
const underWay = (page: Page): Locator => main(page).getByRole('region', { name: 'In progress' });
const trouble = (page: Page): Locator => main(page).getByRole('alert');
const REFUSED = /Failed to load resource: .*api\/backup\//;

async function open(page: Page): Promise<void> {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/backup`);
  await expect(main(page).getByRole('heading', { name: 'Backup', exact: true })).toBeVisible();
}

async function openWithBackup(page: Page): Promise<{ row: Locator; folder: string }> {
  const token = await tokenOf(server.url, nameOf('admin'));
  const { folder } = await callApi<{ folder: string }>(server.url, 'backup/exportbackup', token);
  await open(page);
  return { row: rows(page).filter({ hasText: folder }), folder };
}

function answer(page: Page, path: string, how: (route: Route) => Promise<void>): Promise<unknown> {
  return page.route(new RegExp(`/api/backup/${path}(\\?|$)`), how);
}

/** Answers as if the server's settings named a destination. */
async function offerTransfer(page: Page): Promise<void> {
  await answer(page, 'list-backups', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), canTransfer: true } });
  });
  await page.reload();
}

async function folderOf(row: Locator): Promise<string> {
  return (await row.textContent())!.match(/\d{4}-\d\d-\d\dT[\d-]{8}Z-[0-9a-f]{6}/)![0];
}

test('a backup is taken in the background, checked, downloaded and deleted', async ({ page, context }) => {
  await signIn(page, server.url, nameOf('admin'), 'admin');
  await page.getByRole('link', { name: 'Backup', exact: true }).click();
  await page.waitForURL('**/admin/backup');
  await expect(main(page).getByText('No backups yet')).toBeVisible();
  await expect(main(page).getByText('are not encrypted')).toBeVisible();
  await expectAccessible(page);

  const second = await context.newPage();
  errors.watch(second);
  await test.step('it continues through a reload and shows in a second tab', async () => {
    const release = await holdTable(server.ownerUrl!, 'claim_sums');
    const what = `A backup is being made by ${nameOf('admin')}.`;
    // A reload before the server has the request would cancel it.
    const begun = page.waitForResponse(
      async (response) =>
        response.url().endsWith('/api/backup/progress') && ((await response.json()) as { work: unknown }).work !== null,
    );
    await generate(page).click();
    await expect(underWay(page)).toContainText(what);
    await expect(generate(page)).toBeDisabled();
    await begun;
    await page.reload();
    await expect(underWay(page)).toContainText(what);
    await expect(main(page).getByRole('progressbar', { name: what.slice(0, -1) })).toBeVisible();
    await expect(rows(page)).toContainText('In progress');
    await expectAccessible(page);
    await expectToFit(page, [390, 1280]);
    await second.goto(`${server.url}/admin/backup`);
    await expect(underWay(second)).toContainText(what);
    await expectSaid(page, 'Backup completed', release);
  });
  for (const each of [page, second]) {
    await expect(rows(each)).toContainText(['Complete']);
    await expect(underWay(each)).toBeHidden();
  }
  await second.close();
  const folder = await folderOf(rows(page));

  await test.step('its checksums are verified', async () => {
    const check = await inRowMenu(page, folder, 'Check');
    await expectSaid(page, `Backup "${folder}" is intact`, () => check.click());
    await rows(page)
      .getByRole('button', { name: `More about ${folder}` })
      .click();
    await expect(page.getByRole('dialog')).toContainText('Checksums last verified on');
    await page.keyboard.press('Escape');
  });

  await test.step('its archive opens in standard programs', async () => {
    // The new tab closes when the download starts.
    const downloading = page.waitForEvent('download');
    await rows(page)
      .getByRole('button', { name: `Download: ${folder}` })
      .click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`${nameOf('admin')}-${folder}.zip`);
    const file = await download.path();
    expect((await readFile(file)).subarray(0, 2).toString()).toBe('PK');
    expect(await namesInZip(file)).toEqual(
      expect.arrayContaining([`${folder}/accounts.zst`, `${folder}/tickets.zst`, `${folder}/manifest.json`]),
    );
  });

  await test.step('deletion requires the password', async () => {
    await sendPasswords(page, false);
    await page.reload();
    await (await inRowMenu(page, folder, 'Delete')).click();
    const question = page.getByRole('dialog', { name: 'Delete Confirmation' });
    await expect(question).toContainText(`Are you sure you want to delete backup "${folder}"?`);
    await question.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
    await expectSaid(page, `Deleted backup "${folder}"`, () =>
      question.getByRole('button', { name: 'Confirm' }).click(),
    );
    await expect(main(page).getByText('No backups yet')).toBeVisible();
  });
});

test("failures use the specification's words and give the reason if known", async ({ page }) => {
  errors.allow(REFUSED);
  const { row, folder } = await openWithBackup(page);
  await test.step('an unconfigured transfer', async () => {
    await expect(row.getByRole('button', { name: `Download: ${folder}` })).toBeVisible();
    await expect(row.getByRole('button', { name: `Transfer: ${folder}` })).toHaveCount(0);
    await offerTransfer(page);
    await row.getByRole('button', { name: `Transfer: ${folder}` }).click();
    const question = page.getByRole('dialog', { name: 'Transfer Confirmation' });
    await expect(question).toContainText(`transfer backup "${folder}" to shared hosting?`);
    await expect(question).toContainText('it is not encrypted');
    await question.getByRole('button', { name: 'Confirm' }).click();
    await expect(trouble(page)).toContainText('Transfer failed');
    await expect(trouble(page)).toContainText('BACKUP_TRANSFER_URL');
    await page.reload();
    await expect(trouble(page), 'after a reload').toContainText('BACKUP_TRANSFER_URL');
    await trouble(page).getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await expect(row).toBeVisible();
    await expect(trouble(page)).toBeHidden();
  });

  const refuse = (route: Route) => route.fulfill({ status: 422, json: { success: false } });
  const words = [
    ['exportbackup', 'Generate Backup', 'Backup failed', 'Backup request failed'],
    ['downloadbackup', /^Download: /, 'Download failed', 'Download failed'],
  ] as const;
  for (const [path, name, failed, unanswered] of words)
    await test.step(path, async () => {
      for (const [how, text] of [
        [refuse, failed],
        [(route: Route) => route.abort(), unanswered],
      ] as const) {
        await answer(page, path, how);
        await main(page).getByRole('button', { name }).first().click();
        await expect(trouble(page)).toHaveText(text);
        await page.unrouteAll();
      }
    });

  await test.step('a failed transfer', async () => {
    await offerTransfer(page);
    await answer(page, 'transferbackup', refuse);
    const transfer = async (): Promise<void> => {
      await row.getByRole('button', { name: `Transfer: ${folder}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    };
    await transfer();
    await expect(trouble(page)).toHaveText('Transfer failed');
    await answer(page, 'transferbackup', (route) => route.abort());
    await transfer();
    await expect(trouble(page)).toHaveText('Transfer request failed');
    await page.unrouteAll();
  });

  await test.step('a failed deletion keeps the question open', async () => {
    await answer(page, 'deletebackup', refuse);
    await (await inRowMenu(page, folder, 'Delete')).click();
    const question = page.getByRole('dialog', { name: 'Delete Confirmation' });
    const confirm = question.getByRole('button', { name: 'Confirm' });
    await confirm.click();
    await expect(question.getByRole('alert')).toHaveText('Delete failed');
    await answer(page, 'deletebackup', (route) => route.abort());
    await confirm.click();
    await expect(question.getByRole('alert')).toHaveText('Delete request failed');
    await page.unrouteAll();
    await question.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('a failed list', async () => {
    await answer(page, 'list-backups', refuse);
    await page.reload();
    await expect(trouble(page)).toContainText('Failed to load backups');
    await page.unrouteAll();
    await answer(page, 'list-backups', (route) => route.abort());
    await main(page).getByRole('button', { name: 'Try again' }).click();
    await expect(trouble(page)).toContainText('Error fetching backup list');
    await page.unrouteAll();
    await main(page).getByRole('button', { name: 'Try again' }).click();
    await expect(row).toBeVisible();
  });
});

const LOSSES: BackupLosses = {
  takenAt: '2026-03-10T10:00:00.000Z',
  lost: { tickets: 1234, transfers: 12, accounts: 1, orders: 2, changes: 0 },
  openDraws: 2,
  kept: { payments: 0, weeks: 0 },
  namesTaken: [
    { username: 'anita', role: 'retailer' },
    { username: 'dev.1', role: 'user' },
  ],
};

test('a restore states the loss, requires confirmation by name and leads to sign-in', async ({ page }) => {
  errors.allow(REFUSED);
  const { row, folder } = await openWithBackup(page);
  await test.step('explains why a backup cannot be restored', async () => {
    const message = 'This backup can’t be restored: accounts.zst is missing. Nothing was changed.';
    await answer(page, 'losses', (route) =>
      route.fulfill({ status: 422, json: { success: false, code: 'RULE_REFUSED', message } }),
    );
    await row.getByRole('button', { name: `Import: ${folder}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Import Confirmation' });
    await expect(dialog.getByRole('alert')).toHaveText(message);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(dialog).toBeHidden();
    await page.unroute(/losses/);
  });
  await answer(page, 'losses', (route) => route.fulfill({ json: { success: true, ...LOSSES } }));
  await row.getByRole('button', { name: `Import: ${folder}` }).click();
  const question = page.getByRole('dialog', { name: 'Import Confirmation' });
  await expect(question).toContainText(
    `Are you sure you want to restore from "${folder}"? It overwrites the database.`,
  );
  await expect(question.getByRole('listitem')).toHaveText([
    '1,234 tickets',
    '12 credit transfers',
    '1 account',
    '2 standing orders',
  ]);
  await expect(question).toContainText('2 draws that were open then will be voided and their stakes refunded.');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(question.getByRole('button', { name: 'Confirm' })).toBeInViewport();
  await page.setViewportSize({ width: 1280, height: 900 });

  const names = question.getByRole('textbox', { name: /^New name/ });
  const confirm = question.getByRole('button', { name: 'Confirm' });
  await confirm.click();
  await expect(names.first()).toBeFocused();
  await expect(question).toContainText('Username is required');
  await names.first().fill('anita2');
  await names.last().fill('dev.2');

  await test.step('a refusal keeps the dialog open with the reason', async () => {
    const message = 'The backup is of a newer version of Drawhouse.';
    await answer(page, 'importbackup', (route) =>
      route.fulfill({ status: 422, json: { success: false, code: 'RULE_REFUSED', message } }),
    );
    await expectSaid(page, message, () => confirm.click());
    await page.unroute(/importbackup/);
    await answer(page, 'importbackup', (route) => route.fulfill({ status: 422, json: { success: false } }));
    await expectSaid(page, 'Restore failed', () => confirm.click());
    await page.unroute(/importbackup/);
    await answer(page, 'importbackup', (route) => route.abort());
    await expectSaid(page, 'Restore request failed', () => confirm.click());
    await expect(names.first()).toHaveValue('anita2');
  });

  await page.unroute(/importbackup/);
  let asked: URL | undefined;
  await answer(page, 'importbackup', (route) => {
    asked = new URL(route.request().url());
    const message = `Restored from "${folder}"`;
    return route.fulfill({ json: { success: true, message, safetyFolder: folder, notes: [] } });
  });
  await confirm.click();
  await page.waitForURL('**/auth/login?**');
  expect(JSON.parse(asked!.searchParams.get('renames')!)).toEqual({ anita: 'anita2', 'dev.1': 'dev.2' });
  await expect(page.getByText(`Restored from "${folder}"`)).toBeVisible();
  await expect(page.getByText('passwords have not changed')).toBeVisible();
});

function manyBackups(): Backup[] {
  const states = ['making', 'whole', 'damaged', 'unfinished'] as const;
  return Array.from({ length: 300 }, (_, index): Backup => {
    const state = states[index % 4]!;
    const isKnown = state === 'whole' || state === 'damaged';
    const at = new Date(Date.UTC(2026, 0, 1) - index * 86_400_000).toISOString();
    return {
      name: `${at.slice(0, 10)}T00-00-00Z-${String(index).padStart(6, '0')}`,
      createdAt: at,
      state,
      by: isKnown ? 'the-admin-with-a-long-long-name-' : null,
      bytes: isKnown ? 123_456_789_012 : null,
      rows: isKnown ? 987_654_321 : null,
      isEncrypted: isKnown ? true : null,
      isEvidence: false,
      problems: state === 'damaged' ? ['accounts.zst was changed: its SHA-256 differs from the manifest'] : [],
      checkedAt: isKnown ? at : null,
      drilledAt: isKnown ? at : null,
      transferredAt: isKnown ? at : null,
    };
  });
}

test('a long list is paged, and the last restore can be undone until its deadline', async ({ page }) => {
  errors.allow(REFUSED);
  const backups = manyBackups();
  const list = {
    success: true,
    folders: backups.map(({ name }) => name),
    backups,
    isEncrypted: true,
    canTransfer: true,
    undoUntil: new Date(Date.now() + 3_600_000).toISOString(),
  };
  await answer(page, 'list-backups', (route) => route.fulfill({ json: list }));
  const restored = {
    kind: 'restore',
    by: nameOf('admin'),
    startedAt: backups[0]!.createdAt,
    finishedAt: backups[0]!.createdAt,
    step: '',
    done: 0,
    total: 0,
    failure: null,
    answer: { message: 'Restored from "a"', safetyFolder: 'b', notes: ['2 draws are void.'] },
  };
  await answer(page, 'progress', (route) => route.fulfill({ json: { success: true, work: restored } }));
  await open(page);
  await expect(main(page).getByText('1–25 of 300')).toBeVisible();
  await expect(main(page).getByText('are not encrypted')).toBeHidden();
  await expectToFit(page, [390, 600, 768, 1024, 1280, 1920]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await expectAccessible(page);

  const whole = rows(page).filter({ hasText: 'Complete' }).first();
  for (const name of [/^Import: /, /^Transfer: /, /^More actions: /])
    await expect(whole.getByRole('button', { name })).toBeInViewport({ ratio: 1 });

  const damaged = rows(page).filter({ hasText: 'Damaged' }).first();
  await damaged.getByRole('button', { name: /^More about/ }).click();
  await expect(page.getByRole('dialog')).toContainText('its SHA-256 differs from the manifest');
  await expect(page.getByRole('dialog').getByRole('listitem').last()).toHaveText('Delete');
  await page.keyboard.press('Escape');

  const offer = main(page).getByRole('region', { name: 'Undo restore' });
  await expect(offer).toContainText('Restored from "a". The state before it is in backup "b".');
  await expect(offer).toContainText('2 draws are void.');
  await offer.getByRole('button', { name: 'Undo restore' }).click();
  const question = page.getByRole('dialog', { name: 'Undo the restore?' });
  await answer(page, 'undo', (route) => route.fulfill({ json: { success: true, message: 'The restore was undone' } }));
  await question.getByRole('button', { name: 'Undo restore' }).click();
  await page.waitForURL('**/auth/login?**');
  await expect(page.getByText('The restore was undone')).toBeVisible();
});

test('a running restore shows a banner on every page', async ({ page }) => {
  await page.route('**/api/auth/session', async (route) => {
    const response = await route.fetch();
    const given = (await response.json()) as object;
    await route.fulfill({ response, json: { ...given, restoring: true } });
  });
  await open(page);
  const strip = page.getByText('A restore is running. Betting and changes are paused.');
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    const above = (await strip.boundingBox())!;
    expect(above.y + above.height).toBeLessThanOrEqual((await main(page).boundingBox())!.y);
  }
  await expectAccessible(page);
});

test('only the admin has the page', async ({ page }) => {
  for (const role of ['superadmin', 'superdistributor'] as const) {
    await haveSession(page, server.url, nameOf(role));
    await page.goto(`${server.url}/${role}/backup`);
    await page.waitForURL(`**/${role}/dashboard`);
    await expect(page.getByRole('link', { name: 'Log Activities' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Backup', exact: true })).toBeHidden();
  }
});
