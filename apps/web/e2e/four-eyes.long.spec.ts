import { PASSWORD_HEADER } from '@drawhouse/contract/core/route';
import type { ListRow } from '@drawhouse/contract/core/list';
import type { approvals } from '@drawhouse/contract/approvals/approvals';
import type { Role } from '@drawhouse/contract/core/primitives';
import type { Game } from '@drawhouse/contract/games/games';
import { expect, test } from '@playwright/test';
import { expectSaid } from './messages-heard.ts';
import { chooseOwnPassword, FIRST_PASSWORD } from '../../server/test/processes/network-by-calls.ts';
import { accountsOf } from './creditForms.ts';
import {
  drawNow,
  giveGames,
  LONG_DRAWS,
  nameOf,
  OTHER_LONG_DRAW_SECONDS,
  passwordsSetLongAgo,
  serveNetwork,
  setDrawInterval,
  transfersDaysAgo,
  type Network,
} from './testNetwork.ts';
import { callApi, failOnErrors, haveSession, PASSWORD, tokenOf, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;
failOnErrors();
/** A void ends the only draw of its game during the run. */
const DRAWN_GAME = 'funtargetbingo';

serveNetwork('four-eyes', (...both) => ([server, network] = both), {
  prepare: async (database) => {
    await LONG_DRAWS.prepare!(database);
    await setDrawInterval(database, DRAWN_GAME, OTHER_LONG_DRAW_SECONDS);
  },
});
const { idOf } = accountsOf(() => ({ server, network }));

/** Another login of the superadmin: actions of the house need one. */
const DEPUTY = 'superadmin.deputy';

test.beforeAll(async () => {
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const permissions = ['adjustments', 'settings', 'lists'];
  const deputy = { username: DEPUTY, name: 'Deputy', role: 'custom', permissions, password: FIRST_PASSWORD };
  await callApi(server.url, 'logins', token, deputy);
  await chooseOwnPassword(server.url, DEPUTY);
  await passwordsSetLongAgo(server);
  const { data: games } = await callApi<{ data: Game[] }>(server.url, 'game', token);
  await giveGames(
    server.url,
    token,
    idOf('admin'),
    games.filter(({ gameId }) => [network.pair.gameId, DRAWN_GAME].includes(gameId)),
  );
  for (const [role, kinds] of [
    ['admin', ['credit', 'commission', 'lines', 'void', 'export', 'clear', 'restore', 'week', 'payment']],
    ['superadmin', ['issue', 'pays']],
  ] as const) {
    const rules = { rules: kinds.map((kind) => ({ kind, above: 0 })) };
    await callApi(server.url, `approvalrules/${idOf(role)}`, token, rules, 'PUT');
  }
});

interface Act {
  readonly asker: Role;
  readonly decider: 'admin' | 'superadmin' | typeof DEPUTY;
  readonly call: () => Promise<readonly [method: string, path: string, body?: object]>;
}

async function bet(gameId: string, line: { readonly drawno: string; readonly head?: string }): Promise<void> {
  const token = await tokenOf(server.url, nameOf('user'));
  await callApi(server.url, 'app/bet', token, { gameId, requestId: gameId, lines: [{ ...line, qty: 2 }] });
}

async function takeBackup(): Promise<string> {
  const token = await tokenOf(server.url, nameOf('admin'));
  return (await callApi<{ folder: string }>(server.url, 'backup/exportbackup', token)).folder;
}

const localDay = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toLocaleDateString('en-CA');

const ACTS: Readonly<Record<string, Act>> = {
  'an issue of credit': {
    asker: 'superadmin',
    decider: DEPUTY,
    call: async () => {
      const body = { toUserId: idOf('superadmin'), adjustAmount: 70, transactionType: 'credit', password: PASSWORD };
      return ['POST', 'superadmins/credit-adjust', body];
    },
  },
  'other pays of a game': {
    asker: 'superadmin',
    decider: DEPUTY,
    call: async () => {
      const token = await tokenOf(server.url, nameOf('superadmin'));
      const { data } = await callApi<{ data: Game[] }>(server.url, 'game', token);
      const { _id, pays } = data.find(({ gameId }) => gameId === network.pair.gameId)!;
      const lower = Object.fromEntries(pays.map(({ head, pay }) => [head, pay - 1]));
      return ['PUT', `game/${_id}`, { pays: lower }];
    },
  },
  'a lower table line': {
    asker: 'superadmin',
    decider: 'admin',
    call: async () => ['PUT', `admins/${idOf('admin')}`, { tableLine: 90_000_000 }],
  },
  'a ceiling of commissions': {
    asker: 'superadmin',
    decider: 'admin',
    call: async () => ['PUT', `admins/${idOf('admin')}`, { commissionCeiling: 50 }],
  },
  'a transfer of credit': {
    asker: 'distributor',
    decider: 'admin',
    call: async () => {
      const body = { toUserId: idOf('retailer'), transferAmount: 40, password: PASSWORD };
      return ['POST', 'retailers/credit-transfer', body];
    },
  },
  'taking credit back': {
    asker: 'distributor',
    decider: 'admin',
    call: async () => {
      const body = { toUserId: idOf('retailer'), adjustAmount: 30, transactionType: 'debit', password: PASSWORD };
      return ['POST', 'retailers/credit-adjust', body];
    },
  },
  'a commission rate': {
    asker: 'retailer',
    decider: 'admin',
    call: async () => ['PUT', `users/${idOf('user')}`, { commission: 1 }],
  },
  'a void draw': {
    asker: 'admin',
    decider: 'superadmin',
    call: async () => {
      const { gameId, adminId } = network.pair;
      await bet(gameId, { drawno: '123', head: 'straight' });
      return ['POST', 'live/voiddraw', { gameId, adminId, reason: 'Power cut' }];
    },
  },
  'the download of a backup': {
    asker: 'admin',
    decider: 'superadmin',
    call: async () => ['POST', `backup/downloadbackup?folder=${await takeBackup()}`],
  },
  'a restore that undoes a settled draw': {
    asker: 'admin',
    decider: 'superadmin',
    call: async () => {
      const folder = await takeBackup();
      await bet(DRAWN_GAME, { drawno: '7' });
      await drawNow(server, DRAWN_GAME);
      const token = await tokenOf(server.url, nameOf('admin'));
      const played = () => callApi<{ mostPlay: unknown[] }>(server.url, 'reports/dashboard', token);
      await expect.poll(async () => (await played()).mostPlay.length).toBe(1);
      return ['GET', `backup/importbackup?folder=${folder}`];
    },
  },
  'a clearing of history': {
    asker: 'admin',
    decider: 'superadmin',
    call: async () => {
      await transfersDaysAgo(server);
      return [
        'POST',
        'backup/deleterecords',
        { startDate: localDay(8), endDate: localDay(2), models: ['refertransaction'] },
      ];
    },
  },
  // Last: a restore keeps both, and a clearing keeps the days that they open.
  'the closing of a week': {
    asker: 'distributor',
    decider: 'admin',
    call: async () => {
      const token = await tokenOf(server.url, nameOf('distributor'));
      const day = localDay(7);
      type Sheet = { data: { id: string; balance: number }[] };
      const { data } = await callApi<Sheet>(server.url, `weeks/sheet?day=${day}`, token);
      const { id: accountId, balance } = data.find(({ id }) => id === idOf('retailer'))!;
      const payment = { direction: 'in', sum: 25, method: 'cash' };
      return [
        'POST',
        'weeks/close',
        { day, lines: [{ accountId, expectedBalance: balance, payment }], password: PASSWORD },
      ];
    },
  },
  'a payment': {
    asker: 'distributor',
    decider: 'admin',
    call: async () => {
      const body = { accountId: idOf('retailer'), direction: 'out', sum: 60, method: 'bank', reference: 'R 7' };
      return ['POST', 'weeks/payments', body];
    },
  },
};

async function ask(asker: Role, [method, path, body]: Awaited<ReturnType<Act['call']>>): Promise<void> {
  const response = await fetch(`${server.url}/api/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await tokenOf(server.url, nameOf(asker))}`,
      [PASSWORD_HEADER]: PASSWORD,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  expect(answer, JSON.stringify(answer)).toMatchObject({ code: 'APPROVAL_PENDING' });
}

for (const [name, { asker, decider, call }] of Object.entries(ACTS))
  test(`${name} waits, shows what it changes, and is done once approved`, async ({ page }) => {
    const [approver, role] = decider === DEPUTY ? [DEPUTY, 'superadmin'] : [nameOf(decider), decider];
    await ask(asker, await call());
    const token = await tokenOf(server.url, approver);
    const { data } = await callApi<{ data: ListRow<typeof approvals>[] }>(server.url, 'approvals', token);
    const [{ subject, changes } = { subject: '', changes: [] }] = data;
    await haveSession(page, server.url, approver);
    await page.goto(`${server.url}/${role}/approvals`);
    await expect(page.getByRole('row', { name: subject })).toContainText('Waiting');
    await page.getByRole('button', { name: `Approve: ${subject}` }).click();
    const dialog = page.getByRole('dialog');
    for (const { what, before, after } of changes)
      for (const part of [what, before, after])
        if (part !== null && part !== '')
          await expect(dialog.getByRole('table', { name: 'Changes' })).toContainText(part);
    // Restores and clearings answer when their work is done.
    const answered = page.waitForResponse('**/approve', { timeout: 0 });
    await expectSaid(page, `Approved: ${subject}.`, async () => {
      await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
      await answered;
    });
    await expect(page.getByRole('row', { name: subject })).toContainText('Approved');
  });
