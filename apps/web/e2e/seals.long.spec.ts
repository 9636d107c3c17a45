import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { makeDataDir } from '../../server/test/data-dir.ts';
import { freePort } from '../../server/test/free-port.ts';
import { startServerHost } from '../../server/test/hosted-servers.ts';
import type { HostedServer, ServerHost } from '../../server/test/hosted-servers.ts';
import { ask, createDatabase } from '../../server/test/test-databases.ts';
import type { TestDatabase } from '../../server/test/test-databases.ts';
import { expectToFit } from './look.ts';
import { nameOf } from './testNetwork.ts';
import { NETWORK_TEMPLATE, testRun } from './testRun.ts';
import { expectAccessible, PASSWORD, settingsOf, signIn } from './support.ts';

/** Beyond the time after which a page begins to watch. */
const BEGINS_MS = 9_000;
const BACK = 'Sealed records are missing.';

let host: ServerHost;
let dataDir: string;
let database: TestDatabase;
let port: number;
let server: HostedServer;

/** A server that can be stopped and started at the same address, as what a browser keeps is of an address. */
async function start(): Promise<void> {
  server = await host.start({ ...settingsOf(database), DATA_DIR: dataDir, PORT: String(port) });
}

test.beforeAll(async () => {
  host = startServerHost();
  [dataDir, database, port] = [
    await makeDataDir('seals'),
    await createDatabase(testRun(), NETWORK_TEMPLATE),
    await freePort(),
  ];
  await start();
});
test.afterAll(async () => {
  await server.stop();
  host.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const sealsDir = (): string => join(dataDir, 'seals');

/** How many records the server says that it has sealed; 0 before the first. */
async function sealed(): Promise<number> {
  const answer = await fetch(`${server.url}/seals/checkpoint`);
  return answer.ok ? Number((await answer.text()).split('\n')[1]) : 0;
}

/** Has more sealed than so many records: each sign-in is a record. Of somebody who has no page here: the oldest sessions give way to new ones. */
async function sealMoreThan(size: number): Promise<void> {
  await expect
    .poll(async () => {
      await fetch(`${server.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: nameOf('distributor'), password: PASSWORD }),
      });
      return sealed();
    })
    .toBeGreaterThan(size);
}

/** What the page's browser keeps of the log. */
function watched(page: Page): Promise<{ note: string; isVerified: boolean } | null> {
  return page.evaluate<{ note: string; isVerified: boolean } | null>(`JSON.parse(localStorage.getItem('seals'))`);
}

/** Opens a page of somebody, and waits until it has seen the log first. */
async function openWatching(page: Page, role: 'user' | 'superadmin'): Promise<void> {
  await page.clock.install({ time: Date.now() });
  await signIn(page, server.url, role === 'user' ? nameOf('user') : 'superadmin', role);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.clock.fastForward(BEGINS_MS);
  await expect.poll(() => watched(page)).not.toBeNull();
}

/** Loads it anew, as one does some time later; answers how to ask which checkpoints it was shown from then on. The log grows meanwhile. */
async function comeBack(page: Page): Promise<() => Promise<string[]>> {
  const shown: Promise<string>[] = [];
  page.on('response', (answer) => {
    // One that the page has left for another has no text any more.
    if (answer.url().endsWith('/seals/checkpoint')) shown.push(answer.text().catch(() => ''));
  });
  await page.evaluate(
    `localStorage.setItem('seals', JSON.stringify({ ...JSON.parse(localStorage.getItem('seals')), checkedAt: 0 }))`,
  );
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.clock.fastForward(BEGINS_MS);
  return () => Promise.all(shown);
}

async function newPage(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}

/** The bar is there, tells what was seen, is kept as a file, and can be put away. */
async function seesToIt(page: Page, title: string, seen: string, shown: () => Promise<string[]>): Promise<void> {
  const bar = page.getByRole('alert').filter({ hasText: title });
  await expect(bar).toBeVisible();
  await bar.getByText('What it means, and what to do').click();
  await expect(bar.getByText('It does not help against a server that sends changed pages')).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    bar.getByRole('button', { name: 'Save the evidence' }).click(),
  ]);
  const evidence = await readFile(await download.path(), 'utf8');
  expect(evidence).toContain(seen);
  expect(await shown()).toContain(evidence.split('--- shown then ---\n')[1]);
  await expectAccessible(page);
  await bar.getByText('What it means, and what to do').click();
  await expectToFit(page, [360, 600, 1440]);
  await page.setViewportSize({ width: 1280, height: 720 });
  await bar.getByRole('button', { name: 'Hide for now' }).click();
  await expect(bar).toBeHidden();
}

test('books that go back are found by players and in the back-office, and who has seen it goes on', async ({
  browser,
  page,
}) => {
  await expect.poll(sealed).toBeGreaterThan(0);
  await cp(sealsDir(), `${dataDir}/kept-seals`, { recursive: true });
  await sealMoreThan(await sealed());
  const staff = await newPage(browser);
  await openWatching(page, 'user');
  await openWatching(staff, 'superadmin');
  const seen = (await watched(page))!;
  expect(seen.isVerified).toBe(true);

  await test.step('a page about it says what it has seen', async () => {
    await page.goto(`${server.url}/fair/seals`);
    await expect(page.getByText('Sealed by itself')).toBeVisible();
    await expect(page.getByText('This browser first saw the sealed books on')).toBeVisible();
    const note = await (await fetch(`${server.url}/seals/checkpoint`)).text();
    const [, size, root] = note.split('\n');
    const pasted = page.getByLabel('Seal of a receipt or a printed ticket');
    await pasted.fill(`${size} records, ${root!.startsWith('A') ? 'B' : 'A'}${root!.slice(1)}`);
    await page.getByRole('button', { name: 'Check this seal' }).click();
    await expect(page.getByText('This seal does not fit the books of the house')).toBeVisible();
    await pasted.fill(note);
    await page.getByRole('button', { name: 'Check this seal' }).click();
    await expect(page.getByText('This seal fits the books of the house')).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, [360, 600, 1440]);
    await page.goto(server.url);
  });

  await test.step('as long as all goes on, nothing is said', async () => {
    await sealMoreThan(Number(seen.note.split('\n')[1]));
    await comeBack(page);
    await expect.poll(async () => (await watched(page))!.note).not.toBe(seen.note);
    await expect(page.getByText(BACK)).toBeHidden();
  });

  const last = (await watched(page))!.note;
  await server.stop();
  await rm(sealsDir(), { recursive: true });
  await cp(`${dataDir}/kept-seals`, sealsDir(), { recursive: true });
  await start();
  await seesToIt(page, BACK, last, await comeBack(page));
  const shown = await comeBack(staff);
  await seesToIt(staff, BACK, (await watched(staff))!.note, shown);

  await test.step('it is said again with the next page, until somebody settles it', async () => {
    await comeBack(page);
    const bar = page.getByRole('alert').filter({ hasText: BACK });
    await bar.getByText('What it means, and what to do').click();
    await bar.getByRole('button', { name: /go on from what there is now/ }).click();
    await expect(bar).toBeHidden();
    await page.reload();
    await page.clock.fastForward(BEGINS_MS);
    await expect.poll(() => watched(page)).not.toBeNull();
    await expect(bar).toBeHidden();
  });
  await staff.context().close();
});

test('books that were rewritten and sealed anew are found, however many records there are', async ({ page }) => {
  await openWatching(page, 'user');
  const { note } = (await watched(page))!;
  await server.stop();
  await rm(sealsDir(), { recursive: true });
  await ask(database.ownerUrl, `delete from seal_progress`);
  await ask(database.ownerUrl, `update accounts set commission = commission + 1 where role = 'admin'`);
  await start();
  await sealMoreThan(Number(note.split('\n')[1]));
  const shown = await comeBack(page);
  await seesToIt(
    page,
    'The server did not prove that its sealed books are still those that this browser saw.',
    note,
    shown,
  );
});

test('what is changed past the log is said on the dashboard of the superadmin', async ({ page }) => {
  await expect.poll(sealed).toBeGreaterThan(0);
  await ask(database.ownerUrl, `update accounts set commission = commission + 1 where role = 'retailer'`);
  await signIn(page, server.url, nameOf('superadmin'), 'superadmin');
  // The page asks for notices again, and a server looks for them, after some seconds.
  await expect(page.getByRole('heading', { name: 'Something was changed past the log' })).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByText('One row was changed so since this server was started.')).toBeVisible();
});
