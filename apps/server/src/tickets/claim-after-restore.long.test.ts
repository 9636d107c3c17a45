import { login } from '@drawhouse/contract/auth/auth';
import { exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import { generateResult } from '@drawhouse/contract/draws/draws';
import { excludePlayer } from '@drawhouse/contract/players/protection';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { creditAndWinnings, setManualClaims } from '../../test/tampering/claimed-wins.ts';
import { TestApp, type SignedIn } from '../../test/harness.ts';

const GAME = 'funtargetbingo';

let t: TestApp;

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());

const balances = (player: SignedIn) => creditAndWinnings(t, player);

it('wins restored for a since excluded player are claimed within a minute', async () => {
  const net = await t.network({ credit: 100 });
  await setManualClaims(t, net.superadmin, { gameId: GAME, manualClaims: 'yes' });
  await t.finishDraw();
  await t.bet(net.user, Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [String(digit), 1])));
  await t.ok(generateResult, { body: { gameId: GAME, adminId: net.admin._id } }, net.admin);
  await t.finishDraw();
  const [credit, won] = await balances(net.user);
  expect(won).toBeGreaterThan(0n);
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  await t.ok(excludePlayer, { params: { playerId: net.user._id }, body: { length: '1 year' } }, net.retailer);
  await t.ok(importBackup, { query: { folder } }, net.admin);
  expect(await balances(net.user)).toEqual([credit, won]);
  await t.expectBooksToBalance();
  t.clock.advance(60_000);
  await t.app.tick();
  expect(await balances(net.user)).toEqual([credit + won, 0n]);
  const { status } = await t.call(login, { body: { username: net.user.username, password: 'wrong' } });
  expect(status).toBe(401);
});
