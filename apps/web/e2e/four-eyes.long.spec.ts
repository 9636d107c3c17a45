import { PASSWORD_HEADER } from '@drawhouse/contract/core/route';
import type { ListRow } from '@drawhouse/contract/core/list';
import type { approvals } from '@drawhouse/contract/approvals/approvals';
import type { Role } from '@drawhouse/contract/core/primitives';
import { expect, test } from '@playwright/test';
import { accountsOf } from './creditForms.ts';
import { LONG_DRAWS, nameOf, passwordsSetLongAgo, serveNetwork } from './testNetwork.ts';
import type { Network } from './testNetwork.ts';
import { callApi, failOnErrors, PASSWORD, tokenOf } from './support.ts';
import type { TestServer } from './support.ts';

let server: TestServer;
let network: Network;
failOnErrors();
serveNetwork('four-eyes', (...both) => ([server, network] = both), LONG_DRAWS);
const { idOf, signInAs } = accountsOf(() => ({ server, network }));

test.beforeAll(async () => {
  await passwordsSetLongAgo(server);
  const kinds = ['credit', 'commission', 'void', 'export'];
  const token = await tokenOf(server.url, nameOf('superadmin'));
  const rules = { rules: kinds.map((kind) => ({ kind, above: 0 })) };
  await callApi(server.url, `approvalrules/${idOf('admin')}`, token, rules, 'PUT');
});

interface Act {
  readonly asker: Role;
  readonly decider: 'admin' | 'superadmin';
  readonly call: () => Promise<readonly [method: string, path: string, body?: object]>;
}

/** Stakes on the running draw, so that a void returns some. */
async function bet(): Promise<void> {
  const { gameId } = network.pair;
  const token = await tokenOf(server.url, nameOf('user'));
  const state = await callApi<{ draw: { _id: string } }>(server.url, `app/state?gameId=${gameId}`, token);
  const line = { drawno: '123', head: 'straight', series: '', subseries: '', qty: 2 };
  await callApi(server.url, 'app/bet', token, { gameId, drawId: state.draw._id, requestId: 'one', lines: [line] });
}

const ACTS: Readonly<Record<string, Act>> = {
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
      await bet();
      const { gameId, adminId } = network.pair;
      return ['POST', 'live/voiddraw', { gameId, adminId, reason: 'Power cut' }];
    },
  },
  'the download of a backup': {
    asker: 'admin',
    decider: 'superadmin',
    call: async () => {
      const token = await tokenOf(server.url, nameOf('admin'));
      const { folder } = await callApi<{ folder: string }>(server.url, 'backup/exportbackup', token);
      return ['POST', `backup/downloadbackup?folder=${folder}`];
    },
  },
};

/** Throws unless the call waits. */
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
  expect(await response.json()).toMatchObject({ code: 'APPROVAL_PENDING' });
}

for (const [name, { asker, decider, call }] of Object.entries(ACTS))
  test(`${name} waits, shows what it changes, and is done once approved`, async ({ page }) => {
    await ask(asker, await call());
    const token = await tokenOf(server.url, nameOf(decider));
    const { data } = await callApi<{ data: ListRow<typeof approvals>[] }>(server.url, 'approvals', token);
    const [{ subject, changes } = { subject: '', changes: [] }] = data;
    await signInAs(page, decider);
    await page.goto(`${server.url}/${decider}/approvals`);
    await expect(page.getByRole('row', { name: subject })).toContainText('Waiting');
    await page.getByRole('button', { name: `Approve: ${subject}` }).click();
    const dialog = page.getByRole('dialog');
    for (const { what, before, after } of changes)
      for (const part of [what, before, after])
        if (part !== null && part !== '')
          await expect(dialog.getByRole('table', { name: 'Changes' })).toContainText(part);
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect(page.getByText(`Approved: ${subject}.`)).toBeVisible();
    await expect(page.getByRole('row', { name: subject })).toContainText('Approved');
  });
