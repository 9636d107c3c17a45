import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { forcedLogout } from '@drawhouse/contract/auth/auth';
import { addResult } from '@drawhouse/contract/draws/draws';
import { changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { onlinePlayers, type OnlinePlayer } from '@drawhouse/contract/reports/online-players';
import { STAFF_ROLES } from '@drawhouse/contract/core/primitives';
import { claimWin, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { io, type Socket } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { audit } from '../../audit/audit.ts';
import { createPresence } from '../../auth/sessions/presence.ts';
import { sessionIdOf } from '../../auth/sessions/sessions.ts';
import { listen, TestApp, type Network, type SignedIn } from '../../../test/harness.ts';

const GAME = 'funtargetbingo';
const MINUTE_MS = 60_000;

let t: TestApp;
let net: Network;
const open: Socket[] = [];

beforeEach(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 1000 });
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.disconnect();
  await t.close();
});

async function playersFor(by: SignedIn, show: 'online' | 'all' = 'online'): Promise<OnlinePlayer[]> {
  const { data, total } = await t.ok(onlinePlayers.route, { query: { show } }, by);
  expect(total).toBe(data.length);
  for (const { _id, isOnline } of data) {
    const { data: account } = await t.ok(accountRoutes.user.get, { params: { id: _id } }, by);
    expect(account.isLoggedIn, `of ${account.username}`).toBe(isOnline);
  }
  const listed = await t.ok(accountLists.user.route, { query: { online: 'yes', pageSize: '500' } }, by);
  expect(data.filter(({ isOnline }) => isOnline).map(({ _id }) => _id)).toEqual(
    expect.arrayContaining(listed.data.map(({ _id }) => _id)),
  );
  return data;
}

const namesOf = (players: readonly OnlinePlayer[]): string[] => players.map(({ username }) => username);

const watcher = (role: 'admin' | 'retailer' = 'admin'): Promise<SignedIn> => t.signIn(net[role].username);

async function socketOf(url: string, account: SignedIn): Promise<Socket> {
  const socket: Socket = io(url, {
    auth: { token: account.token },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  });
  open.push(socket);
  await expect.poll(() => socket.connected).toBeTruthy();
  return socket;
}

async function untilNoted(server: TestApp, sockets: number): Promise<void> {
  await expect
    .poll(async () => {
      t.clock.advance(1_000);
      await server.app.tick();
      return (await t.db.query('select from open_sockets')).length === sockets;
    })
    .toBeTruthy();
}

describe('a player is online', () => {
  it('until 2 minutes after its last call', async () => {
    t.clock.advance(5 * MINUTE_MS);
    expect(namesOf(await playersFor(await watcher()))).toEqual([]);
    const player = await t.signIn(net.user.username);
    t.clock.advance(110_000);
    expect(namesOf(await playersFor(await watcher()))).toEqual([net.user.username]);
    await t.ok(playerTickets, { query: {} }, player);
    await t.app.tick();
    t.clock.advance(110_000);
    expect(namesOf(await playersFor(await watcher()))).toEqual([net.user.username]);
    t.clock.advance(30_000);
    expect(namesOf(await playersFor(await watcher()))).toEqual([]);
    expect(await playersFor(await watcher(), 'all')).toMatchObject([{ username: net.user.username, isOnline: false }]);
  });

  it('while it has an open socket on any server, and no longer', async () => {
    const other = await t.beside();
    const socket = await socketOf(await listen(other.app), net.user);
    await untilNoted(other, 1);
    for (let minutes = 0; minutes < 10; minutes++) {
      t.clock.advance(MINUTE_MS / 2);
      await other.app.tick();
      t.clock.advance(MINUTE_MS / 2);
      expect(namesOf(await playersFor(await watcher())), `after ${minutes} minutes`).toEqual([net.user.username]);
    }
    socket.disconnect();
    await untilNoted(other, 0);
    expect(namesOf(await playersFor(await watcher()))).toEqual([]);
    await other.close();
  });

  it('at most 2 minutes after its server was killed, and again if it was only silent', async () => {
    const other = await t.beside();
    await socketOf(await listen(other.app), net.user);
    await untilNoted(other, 1);
    t.clock.advance(2 * MINUTE_MS);
    expect(namesOf(await playersFor(await watcher()))).toEqual([]);
    await socketOf(await listen(t.app), net.retailer);
    t.clock.advance(10 * MINUTE_MS);
    await untilNoted(t, 1);
    expect(await t.db.query('select from servers')).toHaveLength(1);

    await untilNoted(other, 2);
    expect(namesOf(await playersFor(await watcher()))).toEqual([net.user.username]);
    await other.close();
    expect(await t.db.query('select from servers')).toHaveLength(1);
    expect(namesOf(await playersFor(await watcher()))).toEqual([]);
  });

  it('no longer once signed out by force, whatever its sockets', async () => {
    const url = await listen(t.app);
    const [one, two] = [await socketOf(url, net.user), await socketOf(url, net.user)];
    await untilNoted(t, 1);
    await t.ok(forcedLogout, { query: { id: net.user._id } }, net.retailer);
    expect(namesOf(await playersFor(net.admin))).toEqual([]);
    await expect.poll(() => !one.connected && !two.connected).toBeTruthy();
    await untilNoted(t, 0);
  });

  it('even if its server reports for the first time twice at once', async () => {
    const presence = createPresence(t.app.services);
    presence.opened(sessionIdOf(net.user.token));
    await Promise.all(Array.from({ length: 5 }, () => presence.write()));
    expect(await t.db.query('select from servers')).toHaveLength(1);
    expect(namesOf(await playersFor(net.admin))).toEqual([net.user.username]);
    await presence.close();
  });
});

it('each account sees the players below it', async () => {
  const stranger = await t.network({ credit: 0 });
  const sibling = await t.create(net.distributor, { role: 'retailer' });
  const cousin = await t.create(sibling);
  for (const role of STAFF_ROLES) {
    const expected = ['superadmin', 'admin', 'superdistributor', 'distributor'].includes(role)
      ? [cousin.username, net.user.username]
      : [net.user.username];
    if (role === 'superadmin') expected.push(stranger.user.username);
    expect(namesOf(await playersFor(net[role])).toSorted(), `as ${role}`).toEqual(expected.toSorted());
  }
  expect((await t.call(onlinePlayers.route, { query: {} }, net.user)).status).toBe(403);
});

describe("a player's totals today", () => {
  const today = async (): Promise<OnlinePlayer> => (await playersFor(await watcher(), 'all'))[0]!;
  const play = async (): Promise<string> => {
    const { body } = await t.bet(await t.signIn(net.user.username), { 7: 2, 3: 1 });
    await t.ok(
      addResult,
      { body: { gameId: GAME, adminId: net.admin._id, result: '7', boosterValue: 1 } },
      await watcher(),
    );
    await t.finishDraw();
    return body.ticket._id;
  };
  const setManual = async (manualClaims: 'yes' | 'no'): Promise<void> => {
    const by = await t.signIn(net.superadmin.username);
    const { data } = await t.ok(gameList.route, { query: {} }, by);
    await t.ok(
      changeGame,
      { params: { id: data.find(({ gameId }) => gameId === GAME)!._id }, body: { manualClaims } },
      by,
    );
    await t.finishDraw();
  };

  it('are exact with wins paid at once and pending wins claimed on the day or later', async () => {
    expect(await today()).toMatchObject({ points: 1000, playPoints: 0, winPoints: 0, claimPoints: 0, endPoints: 0 });
    await play();
    expect(await today()).toMatchObject({
      points: 1015,
      playPoints: 3,
      winPoints: 18,
      claimPoints: 18,
      endPoints: -15,
    });
    await setManual('yes');
    const [first, second] = [await play(), await play()];
    expect(await today()).toMatchObject({
      points: 1009,
      playPoints: 9,
      winPoints: 54,
      claimPoints: 18,
      endPoints: -45,
    });
    await t.ok(claimWin, { body: { ticketId: first } }, await t.signIn(net.user.username));
    expect(await today()).toMatchObject({ points: 1027, winPoints: 54, claimPoints: 36 });
    t.clock.advance(86_400_000);
    await t.app.tick();
    expect(await today()).toMatchObject({ points: 1027, playPoints: 0, winPoints: 0, claimPoints: 0, endPoints: 0 });
    await t.ok(claimWin, { body: { ticketId: second } }, await t.signIn(net.user.username));
    expect(await today()).toMatchObject({ points: 1045, playPoints: 0, winPoints: 0, claimPoints: 18, endPoints: 0 });
    await t.expectBooksToBalanceNow();
    await t.db.query('update claim_sums set claimed = claimed + 1 where claimed > 0 and held = 0');
    const problems = (await t.db.snapshot(audit)).flatMap((check) => check.problems);
    expect(problems).toEqual([
      expect.stringMatching(
        /player .* has 0 hundredths held and 1801 claimed on the day from .*; the tickets say 0 and 1800/,
      ),
    ]);
  });
});
