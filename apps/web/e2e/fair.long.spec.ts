import type { Game } from '@drawhouse/contract/games/games';
import type { Panel } from '@drawhouse/contract/live/live';
import { deriveSeed } from '@drawhouse/rules/fair/derive-seed';
import { expect, test, type Page } from '@playwright/test';
import { expectToFit } from './look.ts';
import {
  drawNow,
  giveGames,
  LONG_DRAW_SECONDS,
  makeNetwork,
  nameOf,
  OTHER_LONG_DRAW_SECONDS,
  setDrawInterval,
} from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  haveSession,
  startTestServer,
  tokenOf,
  type TestServer,
} from './support.ts';

const GENERATED = 'funtargetbingo';
const DECLARED = 'titlisorrat';
const VOID = 'acqOpdpL';
const RUNNING = 'fruit12';

let server: TestServer;
let adminId: string;
let adminToken: string;
let receipt: { ticketId: string; digest: string; stake: string; index: number; root: string };
const draws: Record<string, string> = {};

interface Published {
  readonly status: string;
  readonly result: { drawno: string } | null;
  readonly commitment: string;
}

const published = (drawId: string) => callApi<Published>(server.url, `fair/draw/${drawId}`);
const panelOf = (gameId: string) =>
  callApi<Panel>(server.url, `live/loadgame?gameId=${gameId}&adminId=${adminId}`, adminToken);
const operate = <T>(path: string, gameId: string, more: object = {}) =>
  callApi<T & { drawId: string }>(server.url, `live/${path}`, adminToken, { gameId, adminId, ...more });

async function openDraw(gameId: string): Promise<string> {
  await expect.poll(async () => (await panelOf(gameId)).draw?.status).toBe('open');
  return (await panelOf(gameId)).draw!._id;
}

test.beforeAll(async () => {
  server = await startTestServer('fair');
  await setDrawInterval(server, DECLARED, LONG_DRAW_SECONDS);
  await setDrawInterval(server, VOID, OTHER_LONG_DRAW_SECONDS);
  const { accounts } = await makeNetwork(server.url);
  adminId = accounts.admin._id;
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  const games = data.filter(({ gameId }) => [GENERATED, DECLARED, VOID, RUNNING].includes(gameId));
  await giveGames(server.url, token, adminId, games);
  adminToken = await tokenOf(server.url, nameOf('admin'));
  await openDraw(DECLARED);
  draws[DECLARED] = (await operate('addresult', DECLARED, { result: '3', boosterValue: 2 })).drawId;
  await drawNow(server, DECLARED);
  await openDraw(GENERATED);
  const playerToken = await tokenOf(server.url, nameOf('user'));
  const lay = (qty: number) =>
    callApi<{ ticket: { _id: string } }>(server.url, 'app/bet', playerToken, {
      gameId: GENERATED,
      requestId: `bet ${qty}`,
      lines: [{ drawno: '7', qty }],
    });
  const tickets = [await lay(1), await lay(2), await lay(3)];
  draws[GENERATED] = (await operate('generateresult', GENERATED)).drawId;
  receipt = await callApi(server.url, `fair/ticket/${tickets[1]!.ticket._id}`, playerToken);
  await openDraw(VOID);
  draws[VOID] = (await operate('voiddraw', VOID, { reason: 'The lights went out' })).drawId;
});
test.afterAll(() => server.remove());

const { allow } = failOnErrors();
const verdict = (page: Page) => page.getByRole('region').filter({ has: page.locator('#verdict') });
const step = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title }).getByRole('heading');

const WIDTHS = [390, 768, 1280];

test('anybody checks a generated draw step by step', async ({ page }) => {
  await page.goto(`${server.url}/fair/${draws[GENERATED]}`);
  await expect(verdict(page)).toContainText('Right: This draw checks out');
  for (const title of [
    'The seed matches the commitment',
    'The words produce the result',
    'The next word produces the booster',
  ])
    await expect(step(page, title)).toContainText('Right:');
  const parts = page.getByRole('listitem').filter({ hasText: 'The parts produce the draw’s seed' }).locator('dd');
  const [drawId, terms, own, seed] = await parts.allTextContents();
  const bytes = (hex: string | undefined) => Buffer.from(hex!, 'hex');
  const derived = deriveSeed({ drawId: drawId!, rulesHash: bytes(terms), operatorSeed: bytes(own) });
  expect(Buffer.from(derived).toString('hex')).toBe(seed);
  await expect(page.getByText('One unit costs 1.00 points')).toBeVisible();
  await expect(page.getByRole('row', { name: 'Number 10% 9.00' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'the JSON of this draw' })).toHaveAttribute(
    'href',
    `/api/fair/draw/${draws[GENERATED]}`,
  );
  await expect(page.getByText(`npm run check-draw -- --steps ${server.url}/fair/${draws[GENERATED]}`)).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the commitment' }).click();
  const { commitment } = await published(draws[GENERATED]!);
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(commitment);
  await expectAccessible(page);
  await expectToFit(page, WIDTHS);
});

test('a receipt proves its ticket offline', async ({ page, context }) => {
  await page.goto(`${server.url}/fair/${draws[GENERATED]}`);
  const ticket = page.getByRole('region', { name: 'Check a ticket' });
  const field = ticket.getByRole('textbox', { name: 'Receipt' });
  const found = ticket.getByRole('status');
  await expect(field).toBeVisible();
  await field.fill(JSON.stringify(receipt));
  await expect(found).toContainText('Right: This ticket was in the draw');
  await expect(found).toContainText('number 2 of 3');
  await expect(found).toContainText('2 on 7');
  await ticket.getByText('Show every step').click();
  await expect(step(page, 'The ticket produces its digest')).toContainText('Right:');
  await expect(step(page, 'The path leads to the root')).toContainText('Right:');
  await expectAccessible(page);
  await expectToFit(page, WIDTHS);
  allow(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  for (const changed of [{ stake: '1' }, { index: 2 }, { digest: '0'.repeat(64) }, { size: 4 }]) {
    await field.fill(JSON.stringify({ ...receipt, ...changed }));
    await expect(found).toContainText('Wrong: This ticket does not check out');
  }
  await expect(found).toContainText('The receipt says that the draw has 4 tickets; it closed with 3.');
  await expectAccessible(page);
  await field.fill('{"digest"');
  await expect(found).toContainText('This is not a receipt');
  await field.fill(` ${receipt.ticketId.toLowerCase().replaceAll('-', ' ')} `);
  await expect(found).toContainText('Receipt needed');
  await expect(found.getByRole('link')).toHaveAttribute('href', `/api/fair/ticket/${receipt.ticketId}`);
  await field.fill(JSON.stringify({ ...receipt, drawId: draws[DECLARED] }));
  await expect(found).toContainText('This ticket belongs to another draw');
  await expect(found.getByRole('link')).toHaveAttribute('href', `/fair/${draws[DECLARED]}`);
  const file = { name: 'receipt.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(receipt)) };
  await ticket.locator('input[type=file]').setInputFiles(file);
  await expect(found).toContainText('Right: This ticket was in the draw');
  await expect(page.getByText(receipt.root).first()).toBeVisible();
  await context.setOffline(false);
});

test('a forged answer shows as wrong', async ({ page }) => {
  const tamper = async (change: (draw: Record<string, unknown>) => object) => {
    await page.unroute('**/api/fair/draw/*');
    await page.route('**/api/fair/draw/*', async (route) => {
      const answer = (await (await route.fetch()).json()) as Record<string, unknown>;
      await route.fulfill({ json: { ...answer, ...change(answer) } });
    });
    await page.goto(`${server.url}/fair/${draws[GENERATED]}`);
    await expect(verdict(page)).toContainText('Wrong: This draw does not check out');
  };
  await tamper(({ result }) => ({
    result: { drawno: String((Number((result as Published['result'])!.drawno) + 1) % 10) },
  }));
  await expect(verdict(page)).toContainText('The published result differs from the one that the seed gives');
  await expect(step(page, 'The words produce the result')).toContainText('Wrong:');
  await expect(step(page, 'The seed matches the commitment')).toContainText('Right:');
  await expectAccessible(page);
  await tamper(() => ({ commitment: '0'.repeat(64) }));
  await expect(step(page, 'The seed matches the commitment')).toContainText('Wrong:');
  await tamper(() => ({ seed: null }));
  await expect(verdict(page)).toContainText('The seed is not published yet.');
  await tamper(() => ({ result: 'nonsense', weights: [], booster: 99 }));
});

test('a declared result is shown as chosen, without naming the person', async ({ page }) => {
  const drawId = draws[DECLARED]!;
  await expect.poll(async () => (await published(drawId)).status).toBe('settled');
  await page.goto(`${server.url}/fair/${drawId}`);
  // The seed may give the same result by chance.
  await expect(page.getByText('Sun', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Declared by an operator', { exact: true })).toBeVisible();
  await expect(verdict(page)).toContainText('An operator chose this result');
  await expect(verdict(page)).toContainText('What cannot be checked');
  await expect(step(page, 'The seed matches the commitment')).toContainText('Right:');
  await expect(step(page, 'The result the words would have produced')).not.toContainText('Right:');
  await expect(page.getByRole('main')).not.toContainText(nameOf('admin'));
  await expectToFit(page, WIDTHS);
});

test('a void draw offers only its seed to check', async ({ page }) => {
  await page.goto(`${server.url}/fair/${draws[VOID]}`);
  await expect(verdict(page)).toContainText('This draw was voided');
  await expect(step(page, 'The seed matches the commitment')).toContainText('Right:');
  await expect(page.getByRole('main')).not.toContainText('The lights went out');
  await expectToFit(page, WIDTHS);
});

test('a running draw says when it can be checked, then checks automatically', async ({ page }) => {
  await page.clock.install();
  const drawId = await openDraw(RUNNING);
  await page.goto(`${server.url}/fair/${drawId}`);
  await expect(verdict(page)).toContainText('Betting is open');
  await expect(page.getByText('It is drawn at')).toBeVisible();
  await expectAccessible(page);
  await operate('generateresult', RUNNING);
  await page.clock.fastForward(61_000);
  await expect(verdict(page)).toContainText('Right: This draw checks out');
});

test('a wrong id is reported, and a pasted address works', async ({ page }) => {
  await page.goto(`${server.url}/fair`);
  await expectToFit(page, WIDTHS);
  await expectAccessible(page);
  const field = page.getByRole('textbox', { name: 'Draw id' });
  await field.fill('123');
  await page.getByRole('button', { name: 'Check this draw' }).click();
  await expect(page.getByText('A draw id looks like')).toBeVisible();
  await field.fill(`  ${server.url}/fair/${draws[GENERATED]}?x=1 `);
  await page.getByRole('button', { name: 'Check this draw' }).click();
  await expect(page).toHaveURL(`${server.url}/fair/${draws[GENERATED]}`);
  await expect(verdict(page)).toContainText('This draw checks out');
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(`${server.url}/fair`);

  await page.goto(`${server.url}/fair/123`);
  await expect(page.getByText('A draw id looks like')).toBeVisible();
  allow(/status of 404 .*fair\/draw/);
  await page.goto(`${server.url}/fair/${adminId}`);
  await expect(page.getByText('No draw has this id.')).toBeVisible();
  await expectAccessible(page);
});

test('every result on a panel links to its draw and back', async ({ page, context }) => {
  await haveSession(page, server.url, nameOf('admin'));
  await page.goto(`${server.url}/admin/game/${GENERATED}/${adminId}/${nameOf('admin')}`);
  const { lastData } = await panelOf(GENERATED);
  const results = page.getByRole('region', { name: 'Recent results' });
  const sums = Promise.withResolvers<void>();
  await page.route('**/api/live/result?**', async (route) => {
    await sums.promise;
    await route.continue();
  });
  await results.getByRole('listitem').last().getByRole('button').click();
  const details = page.getByRole('dialog');
  const link = details.getByRole('link', { name: 'Check this draw' });
  const heightOf = async (): Promise<number> => (await details.boundingBox())!.height;
  await expect(link).toBeVisible();
  const height = await heightOf();
  sums.resolve();
  await expect(details).toContainText('Paid');
  expect(Math.abs((await heightOf()) - height)).toBeLessThan(1);
  const opened = context.waitForEvent('page');
  await link.press('Enter');
  const tab = await opened;
  await expect(tab).toHaveURL(`${server.url}/fair/${lastData.data.at(-1)!.drawId}`);
  await expect(verdict(tab)).toContainText('This draw checks out');
  await tab.getByRole('link', { name: 'Back' }).click();
  await expect(tab).toHaveURL(/\/admin\/dashboard$|\/auth\/login$/);
});
