import {
  bulkPlayerLimit,
  confirmOwnLimit,
  excludePlayer,
  ownProtection,
  ownProtectionHistory,
  playerProtection,
  playerProtectionHistory,
  setOwnLimit,
  setPlayerLimit,
  takeBreak,
  withdrawOwnLimit,
  type ShownLimit,
  type ShownProtection,
} from '@drawhouse/contract/players/protection';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { describe, expect, it } from 'vitest';
import { onFreshNetworks, type Network, type SignedIn, type TestApp } from '../../test/harness.ts';

let t: TestApp;
let net: Network;
onFreshNetworks((app, network) => ([t, net] = [app, network]));

const DAY = { limit: 'stakePerDay' } as const;
const HOUR_MS = 60 * 60_000;
const set = (value: number | null, params: { limit: 'stakePerDay' | 'minutesPerDay' } = DAY) =>
  t.call(setOwnLimit, { params, body: { value } }, net.user);
const confirm = () => t.call(confirmOwnLimit, { params: DAY }, net.user);
const bySomebodyAbove = (value: number | null, role: 'admin' | 'distributor' | 'retailer' = 'retailer') =>
  t.call(setPlayerLimit, { params: { playerId: net.user._id, ...DAY }, body: { value, reason: 'a call' } }, net[role]);
const limitOf = ({ limits }: ShownProtection): ShownLimit => limits.find(({ limit }) => limit === DAY.limit)!;
const shownLimit = async (): Promise<ShownLimit> => limitOf((await t.ok(ownProtection, {}, net.user)).data);
async function afterHours(hours: number): Promise<void> {
  t.clock.advance(hours * HOUR_MS);
  for (const role of ['user', 'retailer', 'distributor', 'admin'] as const)
    Object.assign(net[role], await t.signIn(net[role].username));
}

describe('a player’s own limit', () => {
  it('applies immediately if stricter', async () => {
    expect((await set(100)).body).toMatchObject({ message: 'Limit set. It applies from now.' });
    expect(await shownLimit()).toMatchObject({
      value: 100,
      own: 100,
      managers: null,
      setBy: 'player',
      pending: null,
      left: 100,
    });
    expect((await set(99.5)).status).toBe(200);
    expect(await shownLimit()).toMatchObject({ value: 99.5 });
  });

  it.each([
    ['looser', 200],
    ['none', null],
  ])('waits a day and a confirmation if %s', async (_name, value) => {
    await set(100);
    const { body } = await set(value);
    const from = new Date(t.clock.now().getTime() + 24 * HOUR_MS).toISOString();
    expect(limitOf(body.data)).toMatchObject({ value: 100, pending: { value, from } });
    expect((await confirm()).body).toMatchObject({ code: 'RULE_REFUSED' });
    await afterHours(24);
    t.clock.advance(-1);
    expect((await confirm()).body).toMatchObject({ code: 'RULE_REFUSED' });
    expect(await shownLimit()).toMatchObject({ value: 100 });
    t.clock.advance(1);
    expect((await confirm()).body).toMatchObject({ message: 'Confirmed. Your new limit applies from now.' });
    expect(await shownLimit()).toMatchObject({ value, pending: null });
    expect((await confirm()).body).toMatchObject({
      code: 'RULE_REFUSED',
      message: 'No looser limit is waiting for confirmation.',
    });
  });

  it('restarts its day on a different request, and is withdrawn if canceled or a stricter one is set', async () => {
    await set(100);
    await set(200);
    await afterHours(20);
    await set(300);
    await afterHours(5);
    expect((await confirm()).body).toMatchObject({ code: 'RULE_REFUSED' });
    expect((await t.call(withdrawOwnLimit, { params: DAY }, net.user)).status).toBe(200);
    expect(await shownLimit()).toMatchObject({ value: 100, pending: null });
    expect((await t.call(withdrawOwnLimit, { params: DAY }, net.user)).body).toMatchObject({ code: 'RULE_REFUSED' });
    await set(200);
    await set(50);
    expect(await shownLimit()).toMatchObject({ value: 50, pending: null });
  });

  it('is unchanged by an equal request', async () => {
    await set(100);
    expect((await set(100)).body).toMatchObject({ message: 'This is already your limit.' });
    expect((await t.ok(ownProtectionHistory, {}, net.user)).total).toBe(1);
  });

  it('counts whole minutes per day', async () => {
    const minutes = { limit: 'minutesPerDay' } as const;
    for (const value of [0.5, 1441])
      expect((await set(value, minutes)).body).toMatchObject({
        code: 'INVALID_INPUT',
        fields: { value: 'Enter whole minutes from 1 to 1440, or null for no limit' },
      });
    expect((await set(1440, minutes)).status).toBe(200);
  });
});

describe('managers', () => {
  it("change managers' limits immediately, never the player's own", async () => {
    await set(100);
    expect((await bySomebodyAbove(50)).status).toBe(200);
    expect(await shownLimit()).toMatchObject({ value: 50, own: 100, managers: 50, setBy: 'manager' });
    const { body } = await bySomebodyAbove(500);
    expect(body.message).toBe('Limit set. The player’s own limit is lower and applies: 100.00 points.');
    expect(await shownLimit()).toMatchObject({ value: 100, own: 100, managers: 500, setBy: 'player' });
  });

  it('cannot exceed limits set by managers above', async () => {
    await bySomebodyAbove(20, 'admin');
    expect((await bySomebodyAbove(30)).body).toMatchObject({
      code: 'RULE_REFUSED',
      message: 'An account above you set 20.00 points. Only that account, or one above it, can loosen this.',
    });
    expect((await bySomebodyAbove(10)).status).toBe(200);
    expect((await bySomebodyAbove(21, 'distributor')).body).toMatchObject({ code: 'RULE_REFUSED' });
    expect((await bySomebodyAbove(20, 'distributor')).status).toBe(200);
    expect((await bySomebodyAbove(null, 'admin')).status).toBe(200);
    expect((await bySomebodyAbove(7)).status).toBe(200);
    expect((await bySomebodyAbove(null)).status).toBe(200);
  });

  it('set one limit for many players, all or none', async () => {
    const second = await t.create(net.retailer);
    const all = (by: SignedIn, ids: readonly string[], value: number | null) =>
      t.call(bulkPlayerLimit, { body: { ids: [...ids], ...DAY, value, reason: 'a call' } }, by);
    const ids = [second._id, net.user._id];
    expect((await all(net.retailer, ids, 50)).body).toMatchObject({ message: 'Limit of 2 players set.', changed: 2 });
    expect(await shownLimit()).toMatchObject({ managers: 50 });
    expect((await all(net.retailer, ids, 50)).body).toMatchObject({ changed: 0 });
    expect((await all(net.retailer, [net.user._id, net.retailer._id], 40)).body).toMatchObject({
      code: 'NOT_FOUND',
      fields: { 'ids.1': 'Choose a user below you' },
    });
    await bySomebodyAbove(45, 'admin');
    expect((await all(net.retailer, ids, 48)).body).toMatchObject({
      code: 'RULE_REFUSED',
      fields: { 'ids.1': expect.stringContaining(`${net.user.username}: An account above you set`) as string },
    });
    const theirs = (await t.ok(playerProtection, { params: { playerId: second._id } }, net.retailer)).data;
    expect(limitOf(theirs)).toMatchObject({ managers: 50 });
    const log = await t.ok(activityLog.route, { query: { pageSize: '10' } }, net.admin);
    for (const { username } of [second, net.user])
      expect(log.data.map(({ subject }) => subject)).toContain(`Set limit of player ${username}: stake per day`);
  });

  it('manage only players below them', async () => {
    const stranger = await t.network();
    const playerId = net.user._id;
    for (const as of [stranger.retailer, stranger.admin]) {
      expect((await t.call(playerProtection, { params: { playerId } }, as)).status).toBe(404);
      expect((await t.call(playerProtectionHistory, { params: { playerId } }, as)).status).toBe(404);
      const body = { value: 5 };
      expect((await t.call(setPlayerLimit, { params: { playerId, ...DAY }, body }, as)).status).toBe(404);
      expect((await t.call(excludePlayer, { params: { playerId }, body: { length: '1 year' } }, as)).status).toBe(404);
    }
    const params = { playerId: net.retailer._id };
    expect((await t.call(playerProtection, { params }, net.admin)).status).toBe(404);
    expect((await t.call(playerProtection, { params: { playerId } }, net.user)).status).toBe(403);
    expect((await t.call(ownProtection, {}, net.retailer)).status).toBe(403);
    expect(await shownLimit()).toMatchObject({ value: null });
  });
});

describe('during a break', () => {
  it('the player may only extend it; managers may tighten limits', async () => {
    await set(100);
    await set(200);
    await afterHours(25);
    await t.ok(takeBreak, { body: { length: '1 week' } }, net.user);
    for (const reply of [await set(50), await set(500), await confirm()])
      expect(reply.body).toMatchObject({ code: 'ON_BREAK' });
    expect((await t.call(withdrawOwnLimit, { params: DAY }, net.user)).body).toMatchObject({ code: 'ON_BREAK' });
    expect((await t.call(takeBreak, { body: { length: '1 day' } }, net.user)).body).toMatchObject({ code: 'ON_BREAK' });
    expect((await t.call(takeBreak, { body: { length: '1 month' } }, net.user)).status).toBe(200);
    expect((await bySomebodyAbove(30)).status).toBe(200);
    expect((await bySomebodyAbove(40)).body).toMatchObject({ code: 'ON_BREAK' });
    const { data } = await t.ok(ownProtection, {}, net.user);
    expect(data.breakUntil).toBe(new Date(t.clock.now().getTime() + 31 * 24 * HOUR_MS).toISOString());
  });
});

describe('the protection history', () => {
  it('shows accounts above everything with author and reason, newest first, and logs it in words', async () => {
    await set(100);
    await set(200);
    await bySomebodyAbove(50);
    const { data } = await t.ok(playerProtectionHistory, { params: { playerId: net.user._id } }, net.admin);
    expect(data.map(({ step, side, before, after, by, reason }) => [step, side, before, after, by, reason])).toEqual([
      ['set', 'manager', null, 50, net.retailer.username, 'a call'],
      ['asked', 'player', 100, 200, net.user.username, ''],
      ['set', 'player', null, 100, net.user.username, ''],
    ]);
    const own = await t.ok(ownProtectionHistory, { query: { page: '1', pageSize: '1' } }, net.user);
    expect(own).toMatchObject({ total: 3, data: [{ by: 'Manager', reason: '' }] });
    const log = await t.ok(activityLog.route, { query: { pageSize: '5' } }, net.admin);
    expect(JSON.stringify(log)).toContain(`Set limit of player ${net.user.username}: stake per day`);
    await t.expectBooksToBalance();
  });

  it('survives clearing the log', async () => {
    await set(100);
    const judged = (subject: string) =>
      t.db.query(
        `select from judged_log($1, 'userlog', '-infinity', 'infinity', 0, 1000000) j join activity l on l.network_id = $1 and l.seq = j.seq
         where l.subject like $2`,
        [net.networkId, subject],
      );
    expect(await judged('Signed in')).not.toEqual([]);
    expect(await t.db.query(`select from activity where subject like 'Set limit of their own%'`)).not.toEqual([]);
    expect(await judged('Set limit of their own%')).toEqual([]);
  });

  it('is append-only, for the serving role too', async () => {
    await set(100);
    await expect(t.served.query('update protection_changes set after = 5')).rejects.toThrow(/permission denied/);
    await expect(t.served.query('delete from protection_changes')).rejects.toThrow(/permission denied/);
    await expect(t.served.query('delete from protections')).rejects.toThrow(/permission denied/);
  });
});
