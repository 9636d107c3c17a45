import { randomUUID } from 'node:crypto';
import type { BetAnswer, LiveEvents } from '@drawhouse/contract/live/live';
import { setOwnLimit, setPlayerLimit, takeBreak } from '@drawhouse/contract/players/protection';
import type { ProtectionLimit } from '@drawhouse/contract/players/player-limits';
import { voidDraw } from '@drawhouse/contract/draws/draws';
import { playerTickets } from '@drawhouse/contract/tickets/tickets';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { untilWaiting } from '../../test/statements/until-waiting.ts';
import { statementOf } from '../../test/statements/statement-of.ts';
import { listen, TestApp, type Network, type Reply } from '../../test/harness.ts';

const GAME = 'funtargetbingo';
const OTHER_GAME = 'lucky10fruit';
const CREDIT = 5_000;

let t: TestApp;
let other: TestApp;
let url: string;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  other = await t.beside();
  url = await listen(t.app);
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: CREDIT, games: [GAME, OTHER_GAME] });
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await other.close();
  await t.close();
});

const limit = (name: ProtectionLimit, value: number | null) =>
  t.ok(setOwnLimit, { params: { limit: name }, body: { value } }, net.user);
const outcomeOf = ({ status, body }: Reply<unknown>): unknown =>
  status === 201 ? 'taken' : [status, (body as { code?: string }).code, (body as { message?: string }).message];
const refused = (message: string) => [422, 'OWN_LIMIT', message];

describe('a limit on stakes', () => {
  it('per draw applies to each draw and shows the remainder', async () => {
    await limit('stakePerDraw', 10);
    expect(outcomeOf(await t.bet(net.user, { 1: 7 }))).toBe('taken');
    const beyond = await t.bet(net.user, { 2: 4 });
    expect(outcomeOf(beyond)).toEqual(
      refused('Your limit is 10.00 points staked per draw: 3.00 points are left for this draw.'),
    );
    expect(beyond.body.fields).toEqual({ lines: '3.00 points are left for this draw' });
    expect(outcomeOf(await other.bet(net.user, { 2: 3 }))).toBe('taken');
    expect(outcomeOf(await t.bet(net.user, { 2: 10 }, { gameId: OTHER_GAME }))).toBe('taken');
    await t.finishDraw();
    expect(outcomeOf(await t.bet(net.user, { 2: 10 }))).toBe('taken');
  });

  it('per day counts all games, open and settled, without refunds', async () => {
    await limit('stakePerDay', 100);
    expect(outcomeOf(await t.bet(net.user, { 1: 30 }))).toBe('taken');
    expect(outcomeOf(await t.bet(net.user, { 1: 30 }, { gameId: OTHER_GAME }))).toBe('taken');
    await t.finishDraw();
    expect(outcomeOf(await t.bet(net.user, { 1: 41 }))).toEqual(
      refused('Your limit is 100.00 points staked per day: 40.00 points are left today.'),
    );
    expect(outcomeOf(await t.bet(net.user, { 1: 40 }))).toBe('taken');
    expect((await t.bet(net.user, { 1: 1 })).body.code).toBe('OWN_LIMIT');
    const pair = { gameId: GAME, adminId: net.admin._id };
    await t.ok(voidDraw, { body: { ...pair, reason: 'wrong ball' } }, net.superadmin);
    await t.finishDraw();
    expect(outcomeOf(await t.bet(net.user, { 1: 40 }))).toBe('taken');
    expect(outcomeOf(await t.bet(net.user, { 1: 1 }))).toEqual(
      refused('Your limit is 100.00 points staked per day: nothing is left today.'),
    );
  });

  it("is the lower of the player's own and its managers'", async () => {
    await limit('stakePerDay', 50);
    const params = { playerId: net.user._id, limit: 'stakePerDay' } as const;
    await t.ok(setPlayerLimit, { params, body: { value: 20, reason: 'asked by phone' } }, net.retailer);
    expect(outcomeOf(await t.bet(net.user, { 1: 21 }))).toEqual(
      refused('Your limit is 20.00 points staked per day: 20.00 points are left today.'),
    );
    await t.ok(setPlayerLimit, { params, body: { value: null } }, net.retailer);
    expect(outcomeOf(await t.bet(net.user, { 1: 50 }))).toBe('taken');
    expect((await t.bet(net.user, { 1: 1 })).body.code).toBe('OWN_LIMIT');
  });

  it('set below the staked amount blocks everything more', async () => {
    expect(outcomeOf(await t.bet(net.user, { 1: 30 }))).toBe('taken');
    await limit('stakePerMonth', 10);
    expect(outcomeOf(await other.bet(net.user, { 1: 1 }))).toEqual(
      refused('Your limit is 10.00 points staked per month: nothing is left this month.'),
    );
  });

  it('does not affect another player', async () => {
    await limit('stakePerDay', 1);
    const second = await t.create(net.retailer);
    await t.give(net.superadmin, net.superadmin, 100);
    await t.give(net.superadmin, second, 100);
    expect(outcomeOf(await t.bet(second, { 1: 100 }))).toBe('taken');
  });
});

describe('a limit on losses', () => {
  it('counts open stakes as lost and wins once settled', async () => {
    await limit('lossPerDay', 100);
    const all = Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [String(digit), 10]));
    expect(outcomeOf(await t.bet(net.user, all))).toBe('taken');
    expect(outcomeOf(await t.bet(net.user, { 1: 1 }))).toEqual(
      refused(
        'Your limit is 100.00 points lost per day: nothing is left today. Stakes on unsettled draws count as lost until they settle.',
      ),
    );
    await t.finishDraw();
    const [lost] = await t.db.query<{ loss: bigint }>(
      `select (stake - win) as loss from rollups where account_id = $1 and grain = 'day'`,
      [net.user._id],
    );
    const left = 100 - Number(lost!.loss) / 100;
    expect(left).toBeGreaterThan(0);
    expect(outcomeOf(await t.bet(net.user, { 1: Math.floor(left) }))).toBe('taken');
    expect((await t.bet(net.user, { 1: 100 })).body.code).toBe('OWN_LIMIT');
  });
});

describe("a player's break", () => {
  it('blocks bets until it ends', async () => {
    const { data } = await t.ok(takeBreak, { body: { length: '1 day' } }, net.user);
    const refusal = await t.bet(net.user, { 1: 1 });
    expect(outcomeOf(refusal)).toEqual([
      422,
      'ON_BREAK',
      expect.stringMatching(/^You are on a break until \d+ March 2026 at \d\d:\d\d \(Asia\/Kolkata\)\. /) as string,
    ]);
    t.clock.set(new Date(Date.parse(data.breakUntil!) - 1));
    await t.app.tick();
    const again = await t.signIn(net.user.username);
    expect((await t.bet(again, { 1: 1 })).body.code).toBe('ON_BREAK');
    t.clock.advance(1);
    await t.app.tick();
    expect(outcomeOf(await t.bet(again, { 1: 1 }))).toBe('taken');
  });
});

describe('concurrent bets of one player', () => {
  type BetSocket = Socket<LiveEvents, { bet: (body: unknown, answer: (reply: BetAnswer) => void) => void }>;

  it.each(['stakePerDraw', 'stakePerDay', 'stakePerWeek', 'stakePerMonth', 'lossPerDay', 'lossPerMonth'] as const)(
    'by call and socket, on two servers and two games, total exactly what %s allows',
    async (name) => {
      await limit(name, 25);
      const socket: BetSocket = io(url, { auth: { token: net.user.token }, transports: ['websocket'], forceNew: true });
      await expect.poll(() => socket.connected).toBeTruthy();
      const bySocket = (gameId: string): Promise<boolean> =>
        new Promise((resolve) =>
          socket.emit('bet', { gameId, requestId: randomUUID(), lines: [{ drawno: '7', qty: 2 }] }, (reply) =>
            resolve(reply.success),
          ),
        );
      const games = name === 'stakePerDraw' ? [GAME] : [GAME, OTHER_GAME];
      const byCall = async (server: TestApp, gameId: string): Promise<boolean> =>
        (await server.bet(net.user, { 3: 2 }, { gameId })).status === 201;
      const taken = await Promise.all(
        Array.from({ length: 10 }).flatMap(() =>
          games.flatMap((gameId) => [byCall(t, gameId), byCall(other, gameId), bySocket(gameId)]),
        ),
      );
      socket.disconnect();
      expect(taken.filter(Boolean).length).toBe(12);
      const { total } = await t.ok(playerTickets, { query: { pageSize: '500' } }, net.user);
      expect(total).toBe(12);
    },
  );

  it('wait for a limit being set, and apply it', async () => {
    const { limited, laid } = await t.db.transaction(async (tx) => {
      await tx.query('lock table protection_changes');
      const setting = limit('stakePerDay', 5);
      await untilWaiting(t);
      const betting = other.bet(net.user, { 1: 6 });
      await untilWaiting(t, 2);
      return { limited: setting, laid: betting };
    });
    await limited;
    expect((await laid).body.code).toBe('OWN_LIMIT');
  });

  it('are taken before a break or refused, never later', async () => {
    const bets = Array.from({ length: 20 }, (_, nth) => (nth % 2 ? t : other).bet(net.user, { 1: 1 }));
    const paused = other.call(takeBreak, { body: { length: '1 week' } }, net.user);
    const more = Array.from({ length: 20 }, () => t.bet(net.user, { 1: 1 }));
    const codes = (await Promise.all([...bets, ...more])).map(({ status, body }) =>
      status === 201 ? 'taken' : body.code,
    );
    expect((await paused).status).toBe(200);
    expect(codes.filter((code) => code !== 'taken' && code !== 'ON_BREAK')).toEqual([]);
    expect((await t.bet(net.user, { 1: 1 })).body.code).toBe('ON_BREAK');
  });
});

it('protection queries nothing for players without limits, otherwise only changes since the last bet', async () => {
  const asked: string[] = [];
  const spied = await t.beside({
    through: (served) => ({
      ...served,
      pipelined: (act) =>
        served.pipelined((tx) =>
          act({
            ...tx,
            query: (text, values, name) => {
              const statement = statementOf(text, values, name).name;
              if (statement?.startsWith('protection')) asked.push(statement);
              return tx.query(text, values, name);
            },
          }),
        ),
    }),
  });
  const askedBy = async (points: number, server = spied): Promise<string[]> => {
    asked.length = 0;
    expect(outcomeOf(await server.bet(net.user, { 1: points }))).toBe('taken');
    return [...asked];
  };
  const [standings, usage] = ['protection-standings', 'protection-usage'];
  expect(await askedBy(1)).toEqual([]);
  await limit('stakePerDay', 100);
  expect(await askedBy(1)).toEqual([standings, usage]);
  expect(await askedBy(50)).toEqual([]);
  // Income does not count against limits.
  await t.give(net.superadmin, net.superadmin, 1);
  await t.give(net.superadmin, net.user, 1);
  expect(await askedBy(1)).toEqual([]);
  await askedBy(1, other);
  expect(await askedBy(1)).toEqual([usage]);
  await limit('stakePerDay', 90);
  expect(await askedBy(1)).toEqual([standings, usage]);
  expect(await askedBy(1)).toEqual([]);
  expect((await spied.bet(net.user, { 1: 35 })).body.code).toBe('OWN_LIMIT');
  await spied.close();
});
