import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { forcedLogout, logout } from '@drawhouse/contract/auth/auth';
import { addResult } from '@drawhouse/contract/draws/draws';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import type { LiveEvents, Panel } from '@drawhouse/contract/live/live';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listen, type Network, type SignedIn, type TestApp } from '../../test/harness.ts';
import { startUnswept } from '../../test/worlds/unswept-app.ts';

type LiveSocket = Socket<Pick<LiveEvents, 'responseData' | 'error'>, Pick<LiveEvents, 'gameData'>>;
type Refusal = Parameters<LiveEvents['error']>[0];

const GAME = 'funtargetbingo';
const OTHER_GAME = 'fruit12';

let t: TestApp;
let url: string;
let net: Network;
let other: Network;

beforeAll(async () => {
  ({ t } = await startUnswept());
  url = await listen(t.app);
  net = await t.network({ credit: 1000, games: [GAME, OTHER_GAME] });
  other = await t.network({ credit: 100, games: [GAME] });
});
afterAll(() => t.close());

async function until(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo).toBe(true);
}

class Watcher {
  readonly socket: LiveSocket;
  readonly frames: Panel[] = [];
  readonly refusals: Refusal[] = [];
  closed: string | undefined;

  constructor(token: unknown) {
    this.socket = io(url, { auth: { token }, transports: ['websocket'], reconnection: false, forceNew: true });
    this.socket.on('responseData', (panel) => void this.frames.push(panel));
    this.socket.on('error', (refusal) => void this.refusals.push(refusal));
    this.socket.on('disconnect', (reason) => (this.closed = reason));
    open.push(this);
  }

  get last(): Panel | undefined {
    return this.frames.at(-1);
  }

  join(adminId: string, gameId: string = GAME): void {
    this.socket.emit('gameData', { gameId, adminId });
  }

  async joined(adminId: string, gameId: string = GAME): Promise<Panel> {
    const before = this.frames.length;
    this.join(adminId, gameId);
    await until(() => this.frames.length > before);
    return this.last!;
  }

  async staked(points: number): Promise<Panel> {
    await until(() => this.last?.totalsumdata === points);
    return this.last!;
  }
}

const open: Watcher[] = [];
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.disconnect();
});

function refusalOf(token: unknown): Promise<{ message: string; data?: { code: string } }> {
  const { socket } = new Watcher(token);
  return new Promise((resolve, reject) => {
    socket.once('connect_error', (error) => resolve(error as never));
    socket.once('connect', () => reject(new Error('It was let in.')));
  });
}

const sumOf = (panel: Panel, drawno: string): number => panel.data.find((row) => row.drawno === drawno)!.sum;

describe('joining a panel room', () => {
  it.each(['admin', 'superadmin'] as const)('gives the %s the whole panel immediately', async (role) => {
    await t.finishDraw();
    await t.bet(net.user, { 4: 3 });
    const panel = await new Watcher(net[role].token).joined(net.admin._id);
    expect(panel).toMatchObject({
      gameId: GAME,
      adminId: net.admin._id,
      username: net.admin.username,
      family: 'numbers',
      serverTime: t.clock.now().toISOString(),
      draw: { status: 'open', drawsAt: new Date(t.clock.now().getTime() + 60_000).toISOString() },
      totalsumdata: 3,
      saved: null,
    });
    expect(panel.data.map((row) => row.drawno)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect(panel.data[4]).toMatchObject({ sum: 3, pays: 27 });
  });

  it.each(['superdistributor', 'distributor', 'retailer', 'user'] as const)('is refused to a %s', async (role) => {
    const watcher = new Watcher(net[role].token);
    const admin = new Watcher(net.admin.token);
    const { totalsumdata } = await admin.joined(net.admin._id);
    watcher.join(net.admin._id);
    await expect
      .poll(() => watcher.refusals)
      .toEqual([{ code: 'NOT_ALLOWED', message: expect.any(String), requestId: expect.any(String) }]);
    await t.bet(net.user, { 1: 1 });
    await admin.staked(totalsumdata + 1);
    watcher.join(net.admin._id);
    await expect.poll(() => watcher.refusals.length).toBe(2);
    expect(watcher.frames).toEqual([]);
  });

  it("is refused to other networks' admins and for missing panels", async () => {
    const watcher = new Watcher(other.admin.token);
    const wrong: [unknown, string][] = [
      [{ gameId: GAME, adminId: net.admin._id }, 'NOT_FOUND'],
      [{ gameId: OTHER_GAME, adminId: other.admin._id }, 'NOT_FOUND'],
      [{ gameId: 'nosuchgame', adminId: other.admin._id }, 'NOT_FOUND'],
      [{ gameId: 'a\0b', adminId: other.admin._id }, 'INVALID_INPUT'],
      [{ gameId: GAME, adminId: 'x' }, 'INVALID_INPUT'],
      [{ gameId: GAME }, 'INVALID_INPUT'],
      [{ gameId: 7, adminId: other.admin._id }, 'INVALID_INPUT'],
      [null, 'INVALID_INPUT'],
      ['text', 'INVALID_INPUT'],
      [[], 'INVALID_INPUT'],
      [undefined, 'INVALID_INPUT'],
    ];
    for (const [index, [pair, code]] of wrong.entries()) {
      watcher.socket.emit('gameData', pair as never);
      await expect.poll(() => watcher.refusals.length).toBe(index + 1);
      expect(watcher.refusals[index], `for ${JSON.stringify(pair)}`).toMatchObject({ code });
    }
    expect(watcher.frames).toEqual([]);
    expect((await watcher.joined(other.admin._id)).adminId).toBe(other.admin._id);
  });

  it.each<[string, unknown]>([
    ['none', undefined],
    ['an unknown one', 'A'.repeat(43)],
    ['a number', 7],
    ['an object', { token: 'x' }],
    ['text with a NUL', 'a\0b'],
  ])('needs a token: %s is refused with a code', async (_name, token) => {
    expect((await refusalOf(token)).data).toMatchObject({ code: 'SESSION_ENDED' });
  });

  it('needs a live session', async () => {
    const again = await t.signIn(net.admin.username);
    await t.ok(logout, {}, again);
    expect((await refusalOf(again.token)).data).toMatchObject({ code: 'SESSION_ENDED' });
  });
});

describe('a panel room', () => {
  it('shows each bet to all watchers in frames with increasing numbers', async () => {
    await t.finishDraw();
    const admin = new Watcher(net.admin.token);
    const superadmin = new Watcher(net.superadmin.token);
    await admin.joined(net.admin._id);
    await superadmin.joined(net.admin._id);

    await t.bet(net.user, { 7: 30 });
    for (const watcher of [admin, superadmin]) expect(sumOf(await watcher.staked(30), '7')).toBe(30);
    await t.bet(net.user, { 7: 5, 2: 1 });
    for (const watcher of [admin, superadmin]) {
      const panel = await watcher.staked(36);
      expect([sumOf(panel, '7'), sumOf(panel, '2'), sumOf(panel, '3')]).toEqual([35, 1, 0]);
      const numbers = watcher.frames.map((frame) => frame.seq);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      expect(numbers.length).toBeGreaterThan(2);
    }
  });

  it('ends with the exact sum of many concurrent bets', async () => {
    await t.finishDraw();
    const admin = new Watcher(net.admin.token);
    await admin.joined(net.admin._id);
    await Promise.all(Array.from({ length: 100 }, (_unused, n) => t.bet(net.user, { [n % 10]: 1 })));
    const panel = await admin.staked(100);
    expect(panel.data.map((row) => row.sum)).toEqual(Array.from({ length: 10 }, () => 10));
    expect(admin.frames.length).toBeLessThan(50);
  });

  it('shows effects of operators and the clock', async () => {
    await t.finishDraw();
    const admin = new Watcher(net.admin.token);
    const { draw } = await admin.joined(net.admin._id);
    await t.give(net.superadmin, net.superadmin, 500);
    await t.give(net.superadmin, net.admin, 500);
    const pair = { gameId: GAME, adminId: net.admin._id };
    const before = admin.last!.percentageData[0]!.gameBalance;
    await t.ok(addBalance, { body: { ...pair, balance: 400 } }, net.admin);
    await expect.poll(() => admin.last!.percentageData[0]!.gameBalance).toBe(sumPoints([before, 400]));
    await t.ok(addResult, { body: { ...pair, result: '3', boosterValue: 2 } }, net.superadmin);
    await expect.poll(() => admin.last!.saved).toMatchObject({ result: '3', booster: 2, by: net.superadmin.username });
    expect(admin.last!.draw).toMatchObject({ _id: draw!._id, status: 'closed' });
    await t.finishDraw();
    await expect.poll(() => admin.last!.draw?.number).toBe(draw!.number + 1);
    await expect
      .poll(() => admin.last!.lastData.data[0])
      .toMatchObject({ drawno: '3', booster: 2, source: 'declared', drawId: draw!._id });
    expect(admin.last).toMatchObject({ saved: null, totalsumdata: 0 });
  });

  it('is left by joining another', async () => {
    await t.finishDraw();
    const moving = new Watcher(net.admin.token);
    const staying = new Watcher(net.admin.token);
    await staying.joined(net.admin._id, GAME);
    await moving.joined(net.admin._id, GAME);
    await moving.joined(net.admin._id, OTHER_GAME);
    const framesBefore = moving.frames.length;
    await t.bet(net.user, { 1: 2 });
    await staying.staked(2);
    await t.bet(net.user, { 1: 3 }, { gameId: OTHER_GAME });
    await moving.staked(3);
    expect(moving.frames.slice(framesBefore).map((frame) => frame.gameId)).toEqual(
      moving.frames.slice(framesBefore).map(() => OTHER_GAME),
    );
    expect(staying.frames.every((frame) => frame.gameId === GAME)).toBe(true);
  });

  it('is kept if joining another is refused', async () => {
    await t.finishDraw();
    const admin = new Watcher(net.admin.token);
    await admin.joined(net.admin._id);
    admin.join(other.admin._id);
    await expect.poll(() => admin.refusals.length).toBe(1);
    await t.bet(net.user, { 5: 2 });
    expect(sumOf(await admin.staked(2), '5')).toBe(2);
  });

  it('shows nothing of other networks', async () => {
    await t.finishDraw();
    const stranger = new Watcher(other.admin.token);
    await stranger.joined(other.admin._id);
    await t.bet(net.user, { 6: 9 });
    await t.bet(other.user, { 6: 4 });
    expect(sumOf(await stranger.staked(4), '6')).toBe(4);
    expect(stranger.frames.every((frame) => frame.adminId === other.admin._id && frame.totalsumdata !== 9)).toBe(true);
  });
});

describe('a socket is closed', () => {
  const cut = async (watcher: Watcher): Promise<void> => {
    await expect.poll(() => watcher.closed).toBe('io server disconnect');
  };

  it('at logout, for that session only', async () => {
    const leaving = await t.signIn(net.admin.username);
    const [left, stays] = [new Watcher(leaving.token), new Watcher(net.admin.token)];
    await left.joined(net.admin._id);
    await stays.joined(net.admin._id);
    await t.ok(logout, {}, leaving);
    await cut(left);
    expect(stays.socket.connected).toBe(true);
  });

  it('when a manager signs its player out, for that player only', async () => {
    const [left, stays] = [new Watcher(net.user.token), new Watcher(other.user.token)];
    for (const { socket } of [left, stays]) await expect.poll(() => socket.connected).toBe(true);
    await t.ok(forcedLogout, { query: { id: net.user._id } }, net.admin);
    await cut(left);
    expect(stays.socket.connected).toBe(true);
    Object.assign(net.user, await t.signIn(net.user.username));
  });

  it('when its admin is deactivated, not for other networks', async () => {
    const watchers = [
      new Watcher(net.admin.token),
      new Watcher(net.user.token),
      new Watcher(other.admin.token),
      new Watcher(net.superadmin.token),
    ];
    for (const { socket } of watchers) await expect.poll(() => socket.connected).toBe(true);
    const toggle = (admin: SignedIn, action: 'activate' | 'deactivate') =>
      t.ok(accountRoutes.admin.toggleStatus, { params: { userId: admin._id, action } }, net.superadmin);
    await toggle(net.admin, 'deactivate');
    await cut(watchers[0]!);
    await cut(watchers[1]!);
    expect(watchers[2]!.socket.connected && watchers[3]!.socket.connected).toBe(true);
    expect((await refusalOf(net.admin.token)).data).toMatchObject({ code: 'SESSION_ENDED' });
    await toggle(net.admin, 'activate');
    Object.assign(net.admin, await t.signIn(net.admin.username));
    await new Watcher(net.admin.token).joined(net.admin._id);
  });

  it('when requesting a room after its session expired', async () => {
    const again = await t.signIn(net.admin.username);
    const watcher = new Watcher(again.token);
    await watcher.joined(net.admin._id);
    t.clock.advance(31 * 60_000);
    watcher.join(net.admin._id, OTHER_GAME);
    await expect
      .poll(() => watcher.refusals)
      .toEqual([{ code: 'SESSION_ENDED', message: expect.any(String), requestId: expect.any(String) }]);
    expect(watcher.frames.every((frame) => frame.gameId === GAME)).toBe(true);
    await t.expectBooksToBalance();
  });
});
