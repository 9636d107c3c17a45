import { accountRoutes, type Account } from '@drawhouse/contract/accounts/accounts';
import { payCommission } from '@drawhouse/contract/credit/credit';
import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import type { RouteInput } from '@drawhouse/contract/core/route';
import { FIRST_SUPERADMIN } from '../../src/compose/first-start.ts';
import { PASSWORD } from '../test-password.ts';
import type { Network, SignedIn, TestApp } from '../harness.ts';

export interface PlayedNetwork {
  readonly net: Network;
  readonly other: SignedIn;
  readonly deleted: Account;
}

const GAME = 'funtargetbingo';

export async function changeOfGame(t: TestApp, body: RouteInput<typeof changeGame>['body']): Promise<void> {
  const superadmin = await t.signIn(FIRST_SUPERADMIN);
  const { data } = await t.ok(gameList.route, { query: {} }, superadmin);
  const params = { id: data.find((game) => game.gameId === GAME)!._id };
  await t.ok(changeGame, { params, body }, superadmin);
}

/** In points. */
export async function setTableLine(t: TestApp, net: Network, tableLine: number | null): Promise<void> {
  await t.ok(accountRoutes.admin.update, { params: { id: net.admin._id }, body: { tableLine } }, net.superadmin);
}

export async function setResultMode(t: TestApp, resultMode: 'open' | 'two-person' | 'generated'): Promise<void> {
  await changeOfGame(t, { resultMode });
  await t.finishDraw();
}

/** Account creators may then act as second persons. Signs accounts in again. */
export async function aWeekLater(t: TestApp, ...accounts: SignedIn[]): Promise<void> {
  t.clock.advance(7 * 86_400_000);
  await t.app.tick();
  for (const account of accounts) Object.assign(account, await t.signIn(account.username));
}

export function onEachDigit(units: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [digit, units]));
}

export function operator(t: TestApp, net: Network) {
  const pair = { gameId: GAME, adminId: net.admin._id };
  return {
    save: (by: SignedIn, result: string, boosterValue = 1) =>
      t.ok(addResult, { body: { ...pair, result, boosterValue } }, by),
    generate: (by: SignedIn) => t.ok(generateResult, { body: pair }, by),
    void: (by: SignedIn) => t.ok(voidDraw, { body: { ...pair, reason: 'a test' } }, by),
    addBalance: (by: SignedIn, balance: number) => t.ok(addBalance, { body: { ...pair, balance } }, by),
    resetBalance: (by: SignedIn) => t.ok(addBalance, { body: { ...pair, type: 'remove' } }, by),
  };
}

/**
 * Generated, declared, confirmed and void draws with tickets, transfers of every kind, and a running draw. The
 * confirmed draw costs a week; `confirmed: false` skips it.
 */
export async function playNetwork(t: TestApp, { confirmed = true } = {}): Promise<PlayedNetwork> {
  const net = await t.network({ credit: 200, commissions: { distributor: 2.5, retailer: 5, user: 1 } });
  const other = await t.create(net.retailer);
  const { networkId: _networkId, ...accounts } = net;
  if (confirmed) await aWeekLater(t, ...Object.values(accounts), other);
  await t.give(net.superadmin, net.superadmin, 500);
  await t.give(net.superadmin, other, 100);
  await t.give(net.superadmin, net.admin, 300);
  const operate = operator(t, net);
  await operate.addBalance(net.admin, 200);

  await t.bet(net.user, onEachDigit(2));
  await t.bet(other, { 1: 5 });
  await t.finishDraw();

  await t.bet(net.user, { 7: 10 });
  await operate.save(net.admin, '3');
  await operate.save(net.superadmin, '7', 2);
  await t.finishDraw();

  if (confirmed) {
    await setResultMode(t, 'two-person');
    await t.bet(net.user, { 4: 1 });
    await operate.save(net.superadmin, '4');
    await operate.save(net.admin, '4');
    await t.finishDraw();
    await setResultMode(t, 'open');
  }

  await t.bet(net.user, { 2: 3 });
  await operate.void(net.superadmin);
  await t.finishDraw();

  const deleted = await t.make(net.retailer);
  await t.give(net.superadmin, { ...net.user, _id: deleted._id }, 10);
  await t.ok(accountRoutes.user.remove, { params: { id: deleted._id } }, net.retailer);
  const pay = { toUserId: net.retailer._id, password: PASSWORD };
  await t.ok(payCommission, { body: pay }, net.admin);
  await t.bet(net.user, { 3: 10 });
  return { net, other, deleted };
}
