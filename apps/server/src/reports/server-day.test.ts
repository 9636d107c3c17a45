import { accountLog, activityLog } from '@drawhouse/contract/activity/activity';
import { betList } from '@drawhouse/contract/reports/bet-list';
import { transactionReport } from '@drawhouse/contract/reports/transactions';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';

let t: TestApp;
let net: Network;
let by: SignedIn;
const LAST = '2026-03-10T18:29:59.999Z';
const FIRST = '2026-03-10T18:30:00.000Z';
const ticketIds: string[] = [];

beforeAll(async () => {
  t = await TestApp.start({ timeZone: 'Asia/Kolkata' });
  net = await t.network({ credit: 1000 });
  const chain = [net.superadmin, net.admin, net.superdistributor, net.distributor];
  for (const [index, account] of chain.entries()) await t.give(chain[Math.max(0, index - 1)]!, account, 100);
  t.clock.set(new Date('2026-03-10T18:20:00.000Z'));
  by = await t.signIn(net.distributor.username);
  const player = await t.signIn(net.user.username);
  const betAt = async (text: string): Promise<void> => {
    t.clock.set(new Date(text));
    await t.app.tick();
    ticketIds.push((await t.bet(player, { 1: 1 })).body.ticket.ticketId);
  };
  const giveAt = async (text: string, points: number): Promise<void> => {
    t.clock.set(new Date(text));
    await t.give(by, net.retailer, points);
  };
  await betAt('2026-03-10T18:29:00.000Z');
  await giveAt(LAST, 1);
  await betAt(FIRST);
  await giveAt(FIRST, 2);
});
afterAll(() => t.close());

it('covers transfers, also for 24 hours from or up to an instant', async () => {
  const given = async (query: object): Promise<number[]> => {
    const { data } = await t.ok(transactionReport.route, { query: { pageSize: '500', type: 'credit', ...query } }, by);
    return data.filter(({ credit, user }) => user.id === by._id && credit < 10).map(({ credit }) => credit);
  };
  expect(await given({ date: '2026-03-10' })).toEqual([1]);
  expect(await given({ date: '2026-03-11' })).toEqual([2]);
  expect(await given({})).toEqual([2]);
  expect(await given({ startDate: FIRST })).toEqual([2]);
  expect(await given({ startDate: '2026-03-09T18:30:00.000Z' })).toEqual([1]);
  expect(await given({ endDate: LAST })).toEqual([1]);
  expect(await given({ endDate: FIRST })).toEqual([2, 1]);
  expect(await given({ endDate: '2026-03-11T18:29:59.999Z' })).toEqual([2]);
});

it('covers tickets', async () => {
  const on = async (query: object): Promise<string[]> =>
    (await t.ok(betList.route, { query }, by)).data.map(({ ticketId }) => ticketId);
  expect(await on({ tdate: '2026-03-10' })).toEqual([ticketIds[0]]);
  expect(await on({ tdate: '2026-03-11' })).toEqual([ticketIds[1]]);
  expect(await on({})).toEqual([ticketIds[1]]);
});

it('covers the log', async () => {
  const params = { userId: by._id };
  for (const read of [
    (query: object) => t.ok(activityLog.route, { query }, by),
    (query: object) => t.ok(accountLog.route, { params, query }, by),
  ]) {
    const on = async (date: string): Promise<string[]> =>
      (await read({ date, pageSize: '500' })).data
        .map(({ subject }) => subject)
        .filter((subject) => subject.startsWith('Gave ') && subject.endsWith(net.retailer.username));
    expect(await on('2026-03-10')).toEqual([
      `Gave 1.00 points to ${net.retailer.username}`,
      `Gave 1,000.00 points to ${net.retailer.username}`,
    ]);
    expect(await on('2026-03-11')).toEqual([`Gave 2.00 points to ${net.retailer.username}`]);
  }
});
