import { randomUUID } from 'node:crypto';
import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { verifyDraw, type PublishedDraw } from '@drawhouse/rules/fair/fair';
import { expect, test, type Page } from '@playwright/test';
import { runAudit } from '../../server/test/processes/server-process.ts';
import { FIRST_PASSWORD } from '../../server/test/processes/network-by-calls.ts';
import { expectSaid } from './messages-heard.ts';
import { drawNow, LONG_DRAW_SECONDS, setDrawInterval } from './testNetwork.ts';
import {
  callApi,
  expectAccessibleInLong,
  PASSWORD,
  sendPasswords,
  signInByForm,
  signOut,
  startTestServer,
  submitSignIn,
  watchErrors,
  tokenOf,
  type TestServer,
} from './support.ts';

const GAME = { key: 'funtargetbingo', name: 'Fun Target Bingo' };
const LISTS: Record<Exclude<Role, 'superadmin'>, { heading: string; add: string }> = {
  admin: { heading: 'Admin', add: 'Add Admin' },
  superdistributor: { heading: 'Super Distributor', add: 'Add Super Distributor' },
  distributor: { heading: 'Distributor', add: 'Add Distributer' },
  retailer: { heading: 'Retailer', add: 'Add Retailer' },
  user: { heading: 'Player', add: 'Add Users' },
};

let server: TestServer;
const problems: string[] = [];

test.beforeAll(async () => {
  server = await startTestServer('story', { isEmpty: true });
  await setDrawInterval(server, GAME.key, LONG_DRAW_SECONDS);
});
test.afterAll(() => server.remove());

/** The first password is temporary and must be changed. */
async function signInFirst(page: Page, role: Role): Promise<void> {
  await sendPasswords(page);
  await page.goto(`${server.url}/auth/login`);
  await submitSignIn(page, nameOf(role), FIRST_PASSWORD);
  await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible();
  await expectAccessibleInLong(page);
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to Dashboard' })).toBeVisible();
}

const signIn = (page: Page, role: Role) => signInByForm(page, server.url, nameOf(role), role);

function nameOf(role: Role): string {
  return role === 'superadmin' ? 'superadmin' : `the-${role}`;
}

/** Returns an interval of at least ten minutes, with the soonest next boundary. */
function soonBeginningSeconds(): number {
  const from = Date.now() / 1000;
  const waitOf = (seconds: number) => (seconds - (from % seconds)) % seconds;
  const intervals = Array.from({ length: 1_000 }, (_, more) => 600 + more);
  return intervals.reduce((best, seconds) => (waitOf(seconds) < waitOf(best) ? seconds : best));
}

async function create(page: Page, creator: Role, role: Exclude<Role, 'superadmin'>): Promise<void> {
  await page.goto(`${server.url}/${creator}/${role}`);
  await page
    .getByRole('link', { name: LISTS[role].add })
    .or(page.getByRole('button', { name: LISTS[role].add }))
    .first()
    .click();
  await page.getByRole('textbox', { name: 'Username' }).fill(nameOf(role));
  await page.getByLabel('Password', { exact: true }).fill(role === 'user' ? PASSWORD : FIRST_PASSWORD);
  await page.getByRole('textbox', { name: 'Commission', exact: true }).fill(role === 'admin' ? '0' : '2.5');
  if (role === 'admin') {
    await page.getByRole('button', { name: 'Select none' }).click();
    await page.getByRole('checkbox', { name: GAME.name, exact: true }).check();
  }
  await expectSaid(page, 'User created successfully!', () => page.getByRole('button', { name: 'Submit' }).click());
  await expect(
    page
      .getByRole('link', { name: nameOf(role) })
      .or(page.getByText(nameOf(role), { exact: true }))
      .first(),
  ).toBeVisible();
}

async function transfer(page: Page, role: Role, points: string): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: nameOf(role) });
  await row.getByRole('link', { name: /Credit Transfer/ }).click();
  await page.getByRole('textbox', { name: 'Amount' }).fill(points);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await expectSaid(page, 'Credit transfer successful!', () =>
    page.getByRole('button', { name: 'Credit Transfer' }).click(),
  );
}

const api = <T>(path: string, token?: string, body?: unknown) => callApi<T>(server.url, path, token, body);

interface State {
  draw: { _id: string; closesAt: string; drawsAt: string; status: string } | null;
  walletBalance: number;
}

test('one draw, end to end', async ({ page, context }) => {
  test.setTimeout(600_000);
  watchErrors(page, problems);

  await test.step('the superadmin issues credit, creates an admin and transfers credit', async () => {
    await signIn(page, 'superadmin');
    await expect(page.getByRole('heading', { name: 'Welcome to Dashboard' })).toBeVisible();
    await page
      .getByRole('link', { name: /Issue credit/ })
      .first()
      .click();
    await page.getByRole('textbox', { name: 'Amount' }).fill('10000');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await expectSaid(page, 'Credit adjustment successful!', () =>
      page.getByRole('button', { name: 'Issue credit' }).click(),
    );
    await expect(page.getByRole('banner')).toContainText('10,000.00');
    await create(page, 'superadmin', 'admin');
    await transfer(page, 'admin', '5000');
    await expect(page.getByRole('banner')).toContainText('5,000.00');
    await signOut(page);
  });

  await test.step('each role creates the next and transfers credit', async () => {
    for (const [index, role] of ROLES.entries()) {
      const below = ROLES[index + 1];
      if (role === 'superadmin' || below === undefined || below === 'superadmin') continue;
      await signInFirst(page, role);
      await create(page, role, below);
      await transfer(page, below, String(2500 - 500 * index));
      await signOut(page);
    }
  });

  const token = await tokenOf(server.url, 'the-user');
  const state = () => api<State>(`app/state?gameId=${GAME.key}`, token);
  const bet = (drawId: string, drawno: number, qty: number) =>
    api('app/bet', token, { gameId: GAME.key, drawId, requestId: randomUUID(), lines: [{ drawno, qty }] });
  const openDraw = async () => {
    await expect.poll(async () => (await state()).draw?.status).toBe('open');
    return (await state()).draw!;
  };

  const declared = await openDraw();
  await test.step('the admin watches a bet arrive, adds balance and saves the result', async () => {
    await signIn(page, 'admin');
    await page
      .getByRole('link', { name: new RegExp(GAME.name) })
      .first()
      .click();
    await expect(page.getByRole('timer')).toBeVisible();
    const tile = page.locator('[data-drawno="7"]');
    await expect(tile).toContainText('0.00');
    const started = performance.now();
    await bet(declared._id, 7, 120);
    await expect(tile).toContainText('120.00');
    test
      .info()
      .annotations.push({ type: 'bet to panel', description: `${Math.round(performance.now() - started)} ms` });

    await page.getByRole('spinbutton', { name: 'Balance to add' }).fill('2000');
    await expectSaid(page, 'Balance added successfully!', () =>
      page.getByRole('button', { name: 'Add Balance' }).click(),
    );
    await tile.click();
    await page.getByRole('combobox', { name: 'Booster' }).selectOption('2');
    await expectSaid(page, 'Result added successfully!', () => page.getByRole('button', { name: 'SAVE' }).click());
    await expect(page.getByText(/Betting (is )?closed/i).first()).toBeVisible();
    await expectAccessibleInLong(page);
    await drawNow(server, GAME.key);
    await setDrawInterval(server, GAME.key, soonBeginningSeconds());

    await expect(page.getByRole('button', { name: /^7 2 X.*declared/ })).toBeVisible();
    expect((await state()).walletBalance).toBe(500 - 120 + 120 * 9 * 2);
  });

  await test.step('the next draw is generated and publicly checked', async () => {
    const draw = await openDraw();
    await bet(draw._id, 3, 10);
    await page.getByRole('button', { name: 'Generate', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
    const results = page.getByRole('region', { name: /^Recent results/ });
    await expect(results.getByRole('button', { name: /generated/ })).toBeVisible();
    const published = await api<PublishedDraw>(`fair/draw/${draw._id}`);
    expect(published).toMatchObject({ status: 'settled', source: 'generated' });
    expect(verifyDraw(published)).toEqual({ ok: true });
    await signOut(page);
  });

  await test.step("today's turnover matches at every level", async () => {
    await signIn(page, 'superadmin');
    await page.goto(`${server.url}/superadmin/turnoverreport`);
    const totals: string[][] = [];
    for (const role of ROLES.slice(1)) {
      const row = page.getByRole('row').filter({ hasText: nameOf(role) });
      await expect(row).toContainText('130.00');
      const cells = await row.getByRole('cell').allInnerTexts();
      totals.push(cells.slice(2));
      if (role !== 'user') await row.getByRole('link', { name: nameOf(role) }).click();
    }
    for (const level of totals) expect(level).toEqual(totals[0]);
  });

  await test.step('the activity log lists every step', async () => {
    await page.goto(`${server.url}/superadmin/logactivities`);
    await expect(page.getByText(/Saved result 7 booster 2/)).toBeVisible();
    await expect(page.getByText(/Created user the-user/)).toBeVisible();
    await page.getByRole('main').getByRole('searchbox').fill('Issued 10,000');
    await expect(page.getByText('Issued 10,000.00 points')).toBeVisible();
  });

  await context.close();
  expect(problems).toEqual([]);
  const { output } = await runAudit(server.dataDir, { DATABASE_URL: server.ownerUrl! });
  const found = output.match(/^ +- .*$/gm) ?? [];
  expect(found.filter((problem) => !problem.includes(declared._id))).toEqual([]);
  expect(found).toContainEqual(expect.stringContaining('which matches no interval'));
});
