import { exportBackup } from '@drawhouse/contract/backup/backups';
import { setOwnLimit, setPlayerLimit, takeBreak } from '@drawhouse/contract/players/protection';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { auditAfter } from '../../test/tampering/tampered.ts';

let t: TestApp;
let net: Network;
let rested: SignedIn;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 1000 });
  rested = await t.create(net.retailer);
  await t.give(net.superadmin, net.superadmin, 100);
  await t.give(net.superadmin, rested, 100);
  for (const limit of [
    'stakePerDraw',
    'stakePerDay',
    'stakePerWeek',
    'stakePerMonth',
    'lossPerDay',
    'lossPerMonth',
  ] as const)
    await t.ok(setOwnLimit, { params: { limit }, body: { value: 100 } }, net.user);
  const params = { playerId: net.user._id, limit: 'stakePerDay' } as const;
  await t.ok(setPlayerLimit, { params, body: { value: 60 } }, net.admin);
  // Beyond the tolerated clock difference.
  await t.finishDraw();
  await t.finishDraw();
  await t.bet(net.user, { 1: 20 });
  await t.bet(rested, { 1: 20 });
  await t.finishDraw();
  await t.bet(net.user, { 1: 30 });
  await t.ok(takeBreak, { body: { length: '1 week' } }, rested);
  await t.finishDraw();
  await t.ok(exportBackup, {}, net.admin);
  await t.expectBooksToBalance();
});
afterAll(() => t.close());

const OF = (account: () => string) => () => `account_id = '${account()}'`;
const PLAYER = OF(() => net.user._id);
const RESTED = OF(() => rested._id);

it.each([
  [
    'a deleted change',
    () => `delete from protection_changes where ${PLAYER()} and nth = 2`,
    /row 3 of the protection of player .* comes after 1 rows/,
  ],
  [
    'a deleted protection',
    () => `delete from protections where ${PLAYER()}`,
    /player .* has a protection history, but no protection/,
  ],
  [
    'a protection without a history',
    () => `delete from protection_changes where ${RESTED()}`,
    /player .* is protected, and no history says why/,
  ],
  [
    'a loosened limit',
    () => `update protections set stake_per_day = 9900 where ${PLAYER()}`,
    /has stakePerDay 9900; its protection history says 6000/,
  ],
  [
    'an ended break',
    () => `update protections set break_until = null where ${RESTED()}`,
    /has breakUntil null; its protection history/,
  ],
  [
    "a wallet's protection version",
    () => `update wallets set protection = 0 where owner_id = '${net.user._id}'`,
    /the credit of player .* says 0 changes of its protection; there were 7/,
  ],
  [
    'a loosened limit and its history',
    () =>
      `update protection_changes set after = 90000 where ${PLAYER()} and nth = 2; update protections set stake_per_day ` +
      `= 6000 where ${PLAYER()}`,
    /row 2 of the protection of player .* is not what row .* of the log .* tells/,
  ],
  [
    'a loosening without its waiting time',
    () => `update protection_changes set before = 5, what = 'stakePerDraw' where ${PLAYER()} and nth = 2`,
    /row 2 of the protection of player .* names a different limit as the one before/,
  ],
  [
    "a break's length",
    () =>
      `update protection_changes set until = until - interval '1 day' where ${RESTED()}; update protections set ` +
      `break_until = break_until - interval '1 day' where ${RESTED()}`,
    /is of 1 week and does not end after that/,
  ],
  [
    "a change's author",
    () => `update protection_changes set by_account = account_id where side = 'manager'`,
    /row .* of the protection of player .* is not what row .* of the log .* tells/,
  ],
  [
    'an unlogged change',
    () => `update protection_changes set id = gen_random_uuid() where ${PLAYER()} and nth = 1`,
    /row 1 of the protection of player .* is in no log/,
    /change .*, named in row .*, is gone/,
  ],
  [
    'a stake above its draw limit',
    () => `update tickets set stake = 60100 where ${PLAYER()} and stake = 3000`,
    /brings stakePerDraw to 60100 hundredths, above the limit of 10000/,
    /brings stakePerDay to 62100 hundredths, above the limit of 6000/,
    /brings lossPerDay to/,
  ],
  [
    'a bet placed during a break',
    () => `update tickets set placed_at = placed_at + interval '5 minutes' where ${RESTED()}`,
    /ticket .* was placed during a break until/,
  ],
] as [string, () => string, ...RegExp[]][])('the audit detects %s', async (_name, sql, ...expected) => {
  const found = await auditAfter(t, sql());
  for (const pattern of expected) expect(found).toContainEqual(expect.stringMatching(pattern));
});
