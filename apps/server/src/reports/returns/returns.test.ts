import { returnsReport } from '@drawhouse/contract/reports/returns';
import { expect, it } from 'vitest';
import { onEachDigit, operator } from '../../../test/worlds/audit-world.ts';
import { onFreshNetworks, type Network, type SignedIn, type TestApp } from '../../../test/harness.ts';

let t: TestApp;
let net: Network;
onFreshNetworks((app, network) => ([t, net] = [app, network]), { credit: 1000 });

const DAY_MS = 86_400_000;
const around = (days = 0) => ({
  startDate: new Date(t.clock.now().getTime() + (days - 2) * DAY_MS).toISOString(),
  endDate: new Date(t.clock.now().getTime() + (days + 2) * DAY_MS).toISOString(),
});
const report = (by: SignedIn, query: object = {}) =>
  t.ok(returnsReport.route, { query: { ...around(), ...query } }, by);
const betAll = () => t.bet(net.user, onEachDigit(1));

it('compares actual with expected return of odds and bets, excluding declared draws', async () => {
  await betAll();
  await t.finishDraw();
  await betAll();
  await operator(t, net).save(net.admin, '3', 20);
  await t.finishDraw();
  const { data, totals, outside } = await report(net.admin);
  expect(data).toEqual([
    {
      id: expect.any(String),
      adminId: net.admin._id,
      username: net.admin.username,
      gameId: 'funtargetbingo',
      gameName: data[0]!.gameName,
      theoretical: 0.9,
      winpercentage: null,
      expected: 0.9,
      actual: 0.9,
      low: 0.9,
      high: 0.9,
      standing: 'within',
      draws: 1,
      playPoints: 10,
      winPoints: 9,
    },
  ]);
  expect([totals, outside]).toEqual([{ playPoints: 10, winPoints: 9 }, 0]);
});

it("marks and filters returns outside their band, counting only the period's draws", async () => {
  await betAll();
  await t.finishDraw();
  await t.db.query('update return_sums set win = win + 1');
  expect(await report(net.admin)).toMatchObject({ data: [{ standing: 'above', actual: 0.901 }], outside: 1 });
  expect((await report(net.admin, { standing: 'outside' })).data).toHaveLength(1);
  expect((await report(net.admin, { standing: 'inside' })).data).toEqual([]);
  await t.db.query('update return_sums set win = win - 2');
  expect(await report(net.admin)).toMatchObject({ data: [{ standing: 'below' }], outside: 1 });
  const later = await report(net.admin, around(5));
  expect(later).toMatchObject({ data: [{ standing: 'none', actual: null, low: null, draws: 0 }], outside: 0 });
  expect((await report(net.admin, { ...around(5), standing: 'none' })).data).toHaveLength(1);
  const [day] = await t.db.query<{ starts_at: Date }>('select starts_at from return_sums');
  const fromTo = async (from: number, to: number): Promise<number> => {
    const instant = (ms: number): string => new Date(day!.starts_at.getTime() + ms).toISOString();
    return (await report(net.admin, { startDate: instant(from), endDate: instant(to) })).data[0]!.draws;
  };
  expect([await fromTo(0, 0), await fromTo(-DAY_MS, -1), await fromTo(1, DAY_MS)]).toEqual([1, 0, 0]);
});

it('is for superadmins and admins on their own networks, including discontinued games', async () => {
  await betAll();
  await t.finishDraw();
  const other = await t.create(net.superadmin, { games: ['fruit12'] });
  expect((await report(other)).data.map((row) => [row.gameId, row.adminId])).toEqual([['fruit12', other._id]]);
  expect((await report(net.superadmin)).data.map((row) => row.adminId)).toEqual(
    expect.arrayContaining([net.admin._id, other._id]),
  );
  expect((await t.call(returnsReport.route, { query: around() }, net.superdistributor)).status).toBe(403);
  await t.db.query('update games set deleted_at = now()');
  expect((await report(net.admin)).data.map((row) => row.gameId)).toEqual(['funtargetbingo']);
  expect((await report(other)).data).toEqual([]);
  await t.db.query('update games set deleted_at = null');
});
