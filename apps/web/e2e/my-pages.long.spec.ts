import { paperAddress, type Paper } from '@drawhouse/contract/tickets/paper-address';
import { expect, test, type Page } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { ask } from '../../server/test/test-databases.ts';
import { findUnfit } from './fit.ts';
import { expectToFit } from './look.ts';
import { playGames } from './playTable.ts';
import {
  drawNow,
  fundAdmin,
  LONG_DRAWS,
  nameOf,
  OTHER_LONG_DRAW_SECONDS,
  serveNetwork,
  setDrawInterval,
  type Network,
} from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  haveSession,
  PASSWORD,
  submitSignIn,
  tokenOf,
  type TestServer,
} from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork(
  'my-pages',
  (its, made) => {
    server = its;
    network = made;
  },
  {
    async prepare(database) {
      await LONG_DRAWS.prepare!(database);
      await setDrawInterval(database, 'funtargetbingo', OTHER_LONG_DRAW_SECONDS);
      await ask(database.ownerUrl, 'update games set manual_claims = true');
    },
  },
);
const { allow } = failOnErrors();

const SIZES = [[320, 640], [390, 844], [640, 450], 768, 1280] as const;
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

async function open(page: Page, path: string): Promise<void> {
  await haveSession(page, server.url, nameOf('user'));
  await page.goto(server.url + path);
}

async function expectSheetToFit(page: Page): Promise<void> {
  for (const [width, height] of [
    [320, 640],
    [1280, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(() => findUnfit(page, 'dialog[open]'), { message: `at ${width} px` }).toEqual([]);
  }
}

async function layBet(requestId: string): Promise<Paper> {
  const token = await tokenOf(server.url, nameOf('user'));
  const lines = [
    { head: 'straight', drawno: '123', qty: 10 },
    { head: 'fp', drawno: '12', qty: 2 },
  ];
  const body = { gameId: network.pair.gameId, requestId, lines };
  const { ticket } = await callApi<{ ticket: Paper }>(server.url, 'app/bet', token, body);
  return ticket;
}

let ticket: Awaited<ReturnType<typeof layBet>>;

test('empty pages describe their future contents', async ({ page }) => {
  await open(page, '/mine/bets');
  await expect(heading(page, 'My bets')).toBeVisible();
  await expect(page.getByText('No bets in the last 3 months.')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, SIZES, 'no bets');
  await page.goto(`${server.url}/mine/bets/0000-0000-0000`);
  allow(/status of 404|answered 404/);
  await expect(page.getByText('You have no such ticket.')).toBeVisible();
});

test('a bet appears in the list, its ticket with a receipt and pending facts', async ({ page }) => {
  await open(page, '/mine/bets');
  await expect(page.getByText('No bets in the last 3 months.')).toBeVisible();
  ticket = await layBet('mine-1');
  const row = page.getByRole('listitem').filter({ hasText: ticket.ticketId });
  await expect(row).toContainText('Open');
  await expect(row).toContainText('12.00');
  await page.getByLabel('Status').selectOption('Won');
  await expect(page).toHaveURL(/\?status=won$/);
  await expect(page.getByText('No matching bets.')).toBeVisible();
  await page.getByRole('link', { name: 'Show all bets of the last 3 months' }).click();
  await expectAccessible(page);
  await expectToFit(page, SIZES, 'the bets');

  await row.getByRole('link').click();
  await expect(heading(page, network.pair.gameName)).toBeFocused();
  await expect(page).toHaveTitle(`Ticket ${ticket.ticketId} – Drawhouse`);
  await expect(page.getByRole('row', { name: /Front Pair 12/ })).toContainText('2.00');
  const proof = page.getByRole('region', { name: 'Ticket proof' });
  await expect(proof.getByRole('listitem')).toContainText([
    /Right: .*The digest matches the ticket/,
    /Pending: .*Betting is still open/,
    /Pending: /,
  ]);
  await expectAccessible(page);
  await expectToFit(page, SIZES, 'a ticket');
});

test('a ticket prints at paper width; reprints are marked as copies', async ({ page }) => {
  const seal = await hearSeals(page, ticket);
  await open(page, `/mine/bets/${ticket.ticketId}`);
  await page.getByRole('button', { name: 'Print ticket' }).click();
  await expect.poll(async () => (await printedText(page)).includes(seal()), 'the seal of its moment').toBe(true);
  await page.unrouteAll({ behavior: 'wait' });
  const sheet = page.getByRole('dialog', { name: 'Print ticket' });
  await expect(sheet.getByRole('img', { name: /opens the check/ })).toBeVisible();
  await expectAccessible(page);
  await expectSheetToFit(page);
  const copy = sheet.getByText('COPY', { exact: true });
  await expect(copy).toBeHidden();
  await expect(sheet.getByRole('button', { name: 'Print', exact: true })).toBeVisible();
  for (const paper of [58, 80]) {
    await sheet.getByRole('radio', { name: `${paper} mm` }).check();
    await expect.poll(() => printedWidthMm(page)).toBe(paper);
    const margin = paper === 58 ? 5 : 4;
    expect(await printedMarginsMm(page), 'a printer prints on 48 mm of 58, on 72 of 80').toEqual([margin, margin]);
    await expect(copy, 'printed once, it is one').toBeVisible();
  }
  await page.reload();
  await page.getByRole('button', { name: 'Print ticket' }).click();
  await expect(copy, 'kept by the server').toBeVisible();
  await expect(sheet.getByRole('radio', { name: '80 mm' })).toBeChecked();
  await expect(sheet.getByRole('button', { name: 'Print a copy' })).toBeVisible();
  const noted = page.waitForResponse((response) => response.url().endsWith('/print'));
  await sheet.getByRole('button', { name: 'Print a copy' }).click();
  expect((await noted).status()).toBe(200);
  await expect(copy).toBeVisible();
});

test('a printed code opens an anonymous check without sign-in', async ({ page, browser }) => {
  await open(page, `/mine/bets/${ticket.ticketId}`);
  await page.getByRole('button', { name: 'Print ticket' }).click();
  const anybody = await browser.newPage();
  await anybody.goto(paperAddress(server.url, ticket));
  const paper = anybody.getByRole('region', { name: 'The ticket on your paper' });
  await expect(paper.getByRole('heading', { level: 3 })).toHaveText('This ticket is placed');
  await expect(paper).toContainText(ticket.ticketId);
  await expect(paper).toContainText(ticket.digest);
  await expect(anybody.getByText(nameOf('user'))).toBeHidden();
  await expectAccessible(anybody);
  await anybody.goto('about:blank');
  await anybody.goto(paperAddress(server.url, { ...ticket, digest: '0f'.repeat(32) }));
  await expect(paper.getByRole('alert')).toContainText('no ticket with this number and receipt digest');
  await anybody.close();
});

/** Returns the seal as on a slip: log, record count, and root in two halves. */
async function hearSeals(page: Page, { ticketId }: Paper): Promise<() => string> {
  let seal = '';
  await page.route(`**/app/ticket/${ticketId}`, async (route) => {
    const response = await route.fetch();
    ({ seal = '' } = (await response.json()) as { seal?: string });
    await route.fulfill({ response });
  });
  return () => {
    const [origin, size, root] = seal.split('\n');
    return `Sealed in ${origin}, ${Number(size).toLocaleString('en')} records ${root?.slice(0, 22)} ${root?.slice(22)}`;
  };
}

async function printedText(page: Page): Promise<string> {
  await page.emulateMedia({ media: 'print' });
  const text = await page.locator('body').innerText();
  await page.emulateMedia({ media: null });
  return text.replaceAll(/\s+/g, ' ');
}

async function printedWidthMm(page: Page): Promise<number> {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) [\d.]+\]/g)];
  expect(boxes).toHaveLength(1);
  return Math.round((Number(boxes[0]![1]) / 72) * 25.4);
}

/** Measures the left and right margins with the largest possible figures. */
async function printedMarginsMm(page: Page): Promise<number[]> {
  await page.emulateMedia({ media: 'print' });
  const marginsPx = await page.evaluate(() => {
    const printed = [...document.querySelectorAll('article')].find((slip) => slip.getClientRects().length > 0)!;
    const slip = printed.cloneNode(true) as HTMLElement;
    for (const [index, cell] of slip.querySelectorAll('tbody td').entries())
      cell.textContent = index % 2 === 0 ? '1,000,000' : '100,000,000.00';
    printed.after(slip);
    const range = document.createRange();
    range.selectNodeContents(slip);
    const boxes = [...range.getClientRects()];
    const { width } = slip.getBoundingClientRect();
    slip.remove();
    return [Math.min(...boxes.map(({ left }) => left)), width - Math.max(...boxes.map(({ right }) => right))];
  });
  await page.emulateMedia({ media: null });
  return marginsPx.map((px) => Math.round((px / 96) * 254) / 10);
}

test('a pending win is claimed once, and the ticket proves it was in the draw', async ({ page }) => {
  await open(page, `/mine/bets/${ticket.ticketId}`);
  const proof = page.getByRole('region', { name: 'Ticket proof' });
  await expect(proof.getByText('Betting is still open')).toBeVisible();
  const token = await tokenOf(server.url, nameOf('admin'));
  const pair = { gameId: network.pair.gameId, adminId: network.accounts.admin._id };
  await fundAdmin(server.url, network, 10_000);
  await callApi(server.url, 'live/addresult', token, { ...pair, drawId: ticket.drawId, result: '123' });
  await drawNow(server, network.pair.gameId);
  await expect(page.getByText('Your win is ready to claim.')).toBeVisible();
  await expect(proof.getByText('This ticket is in the draw, exactly as shown here.')).toBeVisible();
  await expect(proof.getByText('This is ticket 1 of 1 in the draw')).toBeVisible();
  await expect(page.getByRole('region', { name: 'The ticket' })).toContainText('Declared by the operator');
  await expect(proof.getByRole('link', { name: 'Check the whole draw' })).toHaveAttribute(
    'href',
    `/fair/${ticket.drawId}`,
  );
  await proof.getByText('Numbers of each step').click();
  await expectAccessible(page);
  await expectToFit(page, SIZES, 'a ticket that won');

  await page.goto(`${server.url}/mine/bets`);
  const waiting = page.getByRole('region', { name: '1 win to claim' });
  await expect(waiting).toContainText('9,180.00');
  await expectAccessible(page);
  await waiting.getByRole('button', { name: 'Claim 9,180.00' }).click();
  await expect(waiting).toBeHidden();
  await expect(page.getByRole('banner').getByRole('link', { name: /^Wallet/ })).toContainText('10,168.00');
  await expect(page.getByRole('listitem').filter({ hasText: ticket.ticketId })).toContainText('Won');
});

test('any forged answer fails the proof', async ({ page }) => {
  const changes: readonly (readonly [path: string, from: RegExp, to: string, says: string])[] = [
    ['app/ticket/*', /"drawno":"123"/, '"drawno":"321"', 'The digest does not match the ticket'],
    ['fair/ticket/*', /"path":\[\]/, `"path":["${'0'.repeat(64)}"]`, 'The ticket does not lead to the root'],
    ['fair/draw/*', /"ticketRoot":"\w+"/, `"ticketRoot":"${'0'.repeat(64)}"`, 'The ticket does not lead to the root'],
  ];
  for (const [path, from, to, says] of changes) {
    await page.route(`**/api/${path}`, async (route) => {
      const response = await route.fetch();
      const answer = await response.text();
      expect(answer).toMatch(from);
      await route.fulfill({ response, body: answer.replace(from, to) });
    });
    await open(page, `/mine/bets/${ticket.ticketId}`);
    await expect(page.getByRole('alert')).toContainText('This ticket failed the check.');
    await expect(page.getByText(says)).toBeVisible();
    await page.unroute(`**/api/${path}`);
  }
  await expectAccessible(page);
});

test('the statement shows balances and plain movements, and can be saved', async ({ page }) => {
  await open(page, '/mine/statement');
  const rows = page.getByRole('list', { name: 'Movements' }).getByRole('listitem');
  await expect(rows).toContainText([/Win claimed/, /Bet placed/, /Credit received.*from the-retailer/]);
  await expect(page.getByRole('main')).toContainText('Balance now10,168.00');
  await expectAccessible(page);
  await expectToFit(page, SIZES, 'the statement');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as Excel' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^Statement-[\d-]+\.xlsx$/);
  await page.getByLabel('Show', { exact: true }).selectOption('Unclaimed wins');
  await expect(rows).toContainText([/Claimed into your wallet/, /Win, to claim/]);
  await rows.first().getByRole('link').click();
  await expect(heading(page, network.pair.gameName)).toBeVisible();
});

test('one click claims all pending wins and reports the total, even if another page claimed one', async ({ page }) => {
  const gameId = 'funtargetbingo';
  await playGames(server, network, [network.pair.gameId, gameId]);
  const user = await tokenOf(server.url, nameOf('user'));
  const state = async () =>
    (
      await page.request.get(`${server.url}/api/app/state?gameId=${gameId}`, {
        headers: { authorization: `Bearer ${user}` },
      })
    ).json();
  await expect.poll(state).toMatchObject({ draw: { status: 'open' } });
  for (const requestId of ['mine-all-1', 'mine-all-2', 'mine-all-3'])
    await callApi(server.url, 'app/bet', user, { gameId, requestId, lines: [{ drawno: '7', qty: 10 }] });
  const result = { gameId, adminId: network.accounts.admin._id, result: '7' };
  await callApi(server.url, 'live/addresult', await tokenOf(server.url, nameOf('admin')), result);
  await drawNow(server, gameId);
  await open(page, '/mine/bets?claims=waiting');
  const waiting = page.getByRole('region', { name: '3 wins to claim' });
  await expect(waiting).toContainText('270.00');
  await expectAccessible(page);
  await expectToFit(page, SIZES, 'several wins');
  // Another device claims one ticket right after the list is read.
  allow(/status of 422|answered 422|status of 409|answered 409/);
  // The page learns nothing about the others until the end.
  const over = Promise.withResolvers<void>();
  let readings = 0;
  await page.route('**/api/app/tickets?claims=waiting&pageSize=25', async (route) => {
    const response = await route.fetch();
    readings += 1;
    await over.promise;
    await route.fulfill({ response });
  });
  let isFirst = true;
  await page.route('**/api/app/claim', async (route) => {
    if (isFirst) {
      isFirst = false;
      const { ticketId } = route.request().postDataJSON() as { ticketId: string };
      await callApi(server.url, 'app/claim', user, { ticketId });
      await expect.poll(() => readings).toBe(1);
    }
    await route.continue();
  });
  await waiting.getByRole('button', { name: 'Claim all 3' }).click();
  await expect(page.getByText('2 wins were claimed: 180.00 points are in your wallet.')).toBeVisible();
  await expect(page.getByText('No wins to claim.')).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: /^Wallet/ })).toContainText('10,408.00');
  over.resolve();
  await expect.poll(() => readings).toBe(2);
  await expect(page.getByText('No wins to claim.')).toBeVisible();
});

test('a looser limit applies a day after the request once confirmed', async ({ page }) => {
  await open(page, '/mine/limits');
  const loss = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Loss per week' }) });
  const sheet = page.getByRole('dialog', { name: 'Loss per week' });
  const change = async (points: string, act: string) => {
    await loss.getByRole('button', { name: 'Change Loss per week' }).click();
    await sheet.getByLabel('Points').fill(points);
    await sheet.getByRole('button', { name: act }).click();
    await expect(sheet).toBeHidden();
  };
  await change('500', 'Set limit');
  await change('800', 'Request limit');
  await expect(loss).toContainText('It does not apply yet');
  await expect(loss.getByRole('button', { name: 'Confirm' })).toBeHidden();
  await ask(
    server.ownerUrl!,
    "update protection_changes set at = at - interval '1 day', holds_from = holds_from - interval '1 day' where step = 'asked'",
  );
  await page.reload();
  await expect(loss).toContainText('It applies once you confirm it.');
  await expect(loss, 'until then nothing changes').toContainText('500.00 points');
  await expectAccessible(page);
  await expectToFit(page, SIZES, 'a limit to confirm');
  await loss.getByRole('button', { name: 'Confirm' }).click();
  await expect(loss.getByText('800.00 points', { exact: true })).toBeVisible();
  await expect(loss).not.toContainText('you requested');
});

test('stricter limits apply at once, looser later; a break freezes them and explains itself first', async ({
  page,
}) => {
  await open(page, '/mine/limits');
  const stake = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Stake per day' }) });
  await expect(stake).toContainText('No limit');
  await stake.getByRole('button', { name: 'Change Stake per day' }).click();
  const sheet = page.getByRole('dialog', { name: 'Stake per day' });
  await sheet.getByLabel('Points').fill('0');
  await sheet.getByRole('button', { name: 'Set limit' }).click();
  await expect(sheet.getByText('Write points above 0')).toBeVisible();
  await sheet.getByLabel('Points').fill('500');
  await expect(sheet.getByText('applies at once')).toBeVisible();
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Set limit' }).click();
  await expect(sheet).toBeHidden();
  await expect(stake).toContainText('500.00 points');
  await expect(stake).toContainText('42.00 points used, 458.00 points left.');

  await stake.getByRole('button', { name: 'Change Stake per day' }).click();
  await sheet.getByLabel('No limit of my own').check();
  await sheet.getByRole('button', { name: 'Request limit' }).click();
  await expect(stake).toContainText('you requested no limit');
  await expect(stake).toContainText('You can confirm it from');
  await stake.getByRole('button', { name: 'Withdraw' }).click();
  await expect(stake).not.toContainText('you requested');
  await page.getByText('Change history').click();
  await expect(page.getByText('Stake per day: no limit requested')).toBeVisible();

  await page.getByRole('button', { name: 'Change reminders' }).click();
  await page.getByRole('radio', { name: '10 min' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('every 10 minutes')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, SIZES, 'the limits');

  await page.getByRole('button', { name: 'Exclude me for 6 months' }).click();
  const exclusion = page.getByRole('dialog', { name: 'Exclude yourself for 6 months?' });
  await expect(exclusion).toContainText('Nobody can end it early');
  await expect(exclusion.getByRole('button', { name: 'Exclude me' })).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page);
  await expectSheetToFit(page);
  await exclusion.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Take a break of 1 day' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take a break', exact: true }).click();
  await expect(page.getByText(/^You are on a break until/).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Change (?!reminders)|Take )/ })).toHaveCount(0);
  await expect(stake).toContainText('500.00 points');
  await expectAccessible(page);
});

test("changing the password uses the specification's words and signs other devices out", async ({ page }) => {
  allow(/status of (401|403|422|400)|answered (401|403|422|400)/);
  for (const _ of [1, 2]) await tokenOf(server.url, nameOf('user'));
  await open(page, '/mine/account');
  const others = page.getByRole('button', { name: /^Sign out (?!everywhere)/ });
  await expect(page.getByText('This device')).toBeVisible();
  const count = await others.count();
  expect(count).toBeGreaterThan(1);
  await others.first().click();
  await expect(others).toHaveCount(count - 1);
  await expectAccessible(page);
  await expectToFit(page, SIZES, 'the account');
  const everywhere = page.getByRole('button', { name: 'Sign out everywhere else' });
  await everywhere.click();
  await expect(page.getByText('You are signed out everywhere else.')).toBeVisible();
  await expect(others).toHaveCount(0);
  await expect(everywhere).toBeHidden();
  const fill = async (opass: string, npass: string, cpass: string) => {
    await page.getByLabel('Old password', { exact: true }).fill(opass);
    await page.getByLabel('New password', { exact: true }).fill(npass);
    await page.getByLabel('Confirm password', { exact: true }).fill(cpass);
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await fill(PASSWORD, 'another long password', 'a third long password');
  await expect(page.getByText('❌ New and confirm password do not match.')).toBeVisible();
  await expectSaid(page, '✅ Password changed successfully!', () =>
    fill(PASSWORD, 'another long password', 'another long password'),
  );
  await expect(others).toHaveCount(0);
  await page.getByRole('main').getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL('**/sign-in*');
  await submitSignIn(page, nameOf('user'), 'another long password');
  await page.waitForURL(`${server.url}/**`);
});

test('an exclusion ends the session and shows its end there and at sign-in', async ({ page }) => {
  allow(/status of (401|403)|answered (401|403)/);
  await page.goto(`${server.url}/sign-in?back=/mine/limits`);
  await submitSignIn(page, nameOf('user'), 'another long password');
  await page.getByRole('button', { name: 'Exclude me for 6 months' }).click();
  const sheet = page.getByRole('dialog', { name: 'Exclude yourself for 6 months?' });
  await sheet.getByRole('checkbox').check();
  await sheet.getByRole('button', { name: 'Exclude me for 6 months' }).click();
  await page.waitForURL('**/sign-in*');
  await expect(page.getByText(/^You are excluded until .+ Until then nobody can sign in/)).toBeVisible();
  await submitSignIn(page, nameOf('user'), 'another long password');
  await expect(page.getByRole('alert')).toContainText('excluded');
});
