import { rm } from 'node:fs/promises';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { makeStandingOrder, standingOrders } from '@drawhouse/contract/standing-orders/standing-orders';
import { weekSheet } from '@drawhouse/contract/weeks/week-sheet';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeDataDir } from '../processes/data-dir.ts';
import { ask, FIRST_PASSWORD, makeNetworkOf, signInTo } from '../processes/network-by-calls.ts';
import {
  postgresPid,
  QUICK_PASSWORDS,
  runAudit,
  startServer,
  type ServerProcess,
} from '../processes/server-process.ts';
import { PASSWORD } from '../test-password.ts';

const RETAILERS = 6;
/** The limit per account. */
const ORDERS = 10;

let dataDir: string;
let server: ServerProcess;

const ENV = { SUPERADMIN_PASSWORD: PASSWORD, SESSION_CALLS_PER_SECOND: '100000' };
const LATE_CLOCK = new URL('../processes/late-clock.ts', import.meta.url).href;
const BEHIND_MS = 20 * 60_000;

const start = (): Promise<ServerProcess> => startServer(dataDir, ENV, QUICK_PASSWORDS);

beforeEach(async () => {
  dataDir = await makeDataDir('standing-order-kill');
  const behind = { ...ENV, CLOCK_BEHIND_MS: String(BEHIND_MS) };
  server = await startServer(dataDir, behind, [...QUICK_PASSWORDS, '--import', LATE_CLOCK]);
});
afterEach(async () => {
  await server.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

it('takes temporary credit back once each, with servers killed in the middle', async () => {
  await makeNetworkOf(server.url, { name: 'the', games: ['funtargetbingo'], points: 10_000 });
  const distributor = await signInTo(server.url, 'the-distributor');
  const superadmin = await signInTo(server.url, 'superadmin');
  const issue = { toUserId: superadmin.user._id, adjustAmount: 10_000, password: PASSWORD };
  await ask(server.url, accountRoutes.superadmin.creditAdjust, { body: issue }, superadmin);
  const order = { toUserId: distributor.user._id, transferAmount: 10_000, password: PASSWORD };
  await ask(server.url, accountRoutes.distributor.creditTransfer, { body: order }, superadmin);
  const takeBackAt = new Date().toISOString();
  for (let nth = 0; nth < RETAILERS; nth++) {
    const account = { username: `shop-${nth}`, password: FIRST_PASSWORD, commission: 0, note: 'add notes' };
    const made = await ask(server.url, accountRoutes.retailer.create, { body: account }, distributor);
    expect(made).toMatchObject({ status: 201 });
    const { data } = made.body;
    for (let nthOrder = 0; nthOrder < ORDERS; nthOrder++) {
      const body = {
        accountId: data._id,
        kind: 'temporary',
        sum: nthOrder + 1,
        takeBackAt,
        password: PASSWORD,
      } as const;
      expect((await ask(server.url, makeStandingOrder, { body }, distributor)).status).toBe(201);
    }
  }
  const read = async () => (await ask(server.url, standingOrders.route, {}, distributor)).body.data;
  const countEnded = async () => (await read()).filter(({ ended }) => ended).length;
  const all = RETAILERS * ORDERS;
  process.kill(server.pid, 'SIGUSR2');
  await expect.poll(countEnded, { interval: 5 }).toBeGreaterThan(0);
  await server.end('SIGKILL');
  process.kill(await postgresPid(dataDir), 'SIGKILL');
  server = await start();
  await expect.poll(countEnded, { interval: 200 }).toBe(all);
  for (const { amount, last, ended } of await read()) {
    expect(last?.amount).toBe(amount);
    expect(ended?.by).toBeNull();
  }
  const sheet = (await ask(server.url, weekSheet.route, {}, distributor)).body.data;
  const credits = sheet.filter(({ username }) => username.startsWith('shop-')).map(({ credit }) => credit);
  expect(credits).toEqual(Array.from({ length: RETAILERS }, () => 0));
  await server.end('SIGTERM');
  expect(await runAudit(dataDir)).toMatchObject({ code: 0 });
  server = await start();
});
