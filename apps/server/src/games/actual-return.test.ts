import { percentages } from '@drawhouse/contract/games/percentages';
import { expect, it } from 'vitest';
import { aWeekLater, onEachDigit, operator, setResultMode } from '../../test/worlds/audit-world.ts';
import { onFreshNetworks, type Network, type TestApp } from '../../test/harness.ts';

let t: TestApp;
let net: Network;
onFreshNetworks((app, network) => ([t, net] = [app, network]), { credit: 1000 });
const actual = async () => (await t.ok(percentages, { params: { id: net.admin._id } }, net.admin)).data[0]!.actual;
/** Always wins 9 × the booster. */
const betAll = () => t.bet(net.user, onEachDigit(1));

it('actual return covers generated draws with bets, with the band of their odds', async () => {
  await betAll();
  await t.finishDraw();
  const even = { return: 0.9, low: 0.9, high: 0.9, draws: 1 };
  expect(await actual()).toEqual([
    { days: 7, ...even },
    { days: 30, ...even },
  ]);
  await t.bet(net.user, { 7: 10 });
  await t.finishDraw();
  const [{ low, high, draws } = { low: 0, high: 0, draws: 0 }] = await actual();
  // 9 points certain plus 90 at one in ten: mean 18, standard deviation 27.
  expect([low, high, draws]).toEqual([0, expect.closeTo((18 + 2.576 * 27) / 20, 10), 2]);
  await t.expectBooksToBalance();
});

it('actual return excludes declared, confirmed and void draws, and those without bets', async () => {
  const operate = operator(t, net);
  await aWeekLater(t, net.superadmin, net.admin, net.user);
  await t.finishDraw();
  await betAll();
  await operate.save(net.admin, '3', 20);
  await t.finishDraw();
  await betAll();
  await operate.void(net.admin);
  await t.finishDraw();
  await setResultMode(t, 'two-person');
  await betAll();
  await operate.save(net.admin, '4');
  await operate.save(net.superadmin, '4');
  await t.finishDraw();
  expect((await actual()).map(({ draws }) => draws)).toEqual([0, 0]);
  await betAll();
  await operate.save(net.admin, '4');
  await t.finishDraw();
  await setResultMode(t, 'open');
  await betAll();
  await operate.generate(net.admin);
  expect((await actual()).map(({ draws }) => draws)).toEqual([2, 2]);
  await t.expectBooksToBalance();
});

it('actual return uses days of the time zone, including today', async () => {
  // Days in Kolkata begin at 18:30 UTC.
  const on = async (date: string) => {
    t.clock.set(new Date(date));
    await t.app.tick();
    net = { ...net, admin: await t.signIn(net.admin.username), user: await t.signIn(net.user.username) };
  };
  const draws = async () => (await actual()).map((one) => one.draws);
  const start = t.clock.now();
  const at = (days: number, time: string): string => {
    const day = new Date(start.getTime() + days * 86_400_000).toISOString().slice(0, 10);
    return `${day}T${time}Z`;
  };
  await on(at(1, '18:28:00.000'));
  await betAll();
  await t.finishDraw();
  await on(at(7, '18:29:00.000'));
  expect(await draws()).toEqual([1, 1]);
  await betAll();
  await t.finishDraw();
  expect(await draws()).toEqual([1, 2]);
  await on(at(14, '18:29:00.000'));
  expect(await draws()).toEqual([1, 2]);
  await on(at(14, '18:30:00.000'));
  expect(await draws()).toEqual([0, 2]);
  await on(at(30, '18:29:00.000'));
  expect(await draws()).toEqual([0, 2]);
  await on(at(30, '18:30:00.000'));
  expect(await draws()).toEqual([0, 1]);
  await t.expectBooksToBalance();
});
