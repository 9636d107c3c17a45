import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { lobby, type Lobby } from '@drawhouse/contract/players/lobby';
import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeWorld, OPEN, play, playCatalogue, type World } from '../worlds/foreign-world.ts';
import { listen, TestApp, type SignedIn } from '../harness.ts';
import { eachNth } from '../test-tier.ts';
import { LiveClient, textOf } from '../clients/live-client.ts';
import { RESTORES_NOTHING } from '../backups/restores-nothing.ts';
import { differencesOf, readAll, readingsOf, type Answer, type Reading } from '../models/readings.ts';

/**
 * Everything readable stays byte-identical while others play: every read route, role and file, plus socket events, at
 * one instant. Recent winners are cached for seconds.
 */

/** By path. */
const SHARED = {
  // All superadmins share one catalogue.
  superadmin: [
    'game',
    'game/usergames/:id',
    'live/tables',
    'percentage/usergames/:id',
    'time/timelist',
    'time/timelist/csv',
    'time/timelist/xlsx',
  ],
  // Intervals are public. Other roles see only their network's games.
  user: ['time/timelist', 'time/timelist/csv', 'time/timelist/xlsx'],
};

const READERS = eachNth(6, ROLES);

let t: TestApp;
let world: World;
let url: string;
const before = {} as Record<Role, { readings: readonly Reading[]; answers: Map<string, Answer> }>;
const sockets = {} as Record<Role, { client: LiveClient; received: string[] }>;

const A_SECOND_MS = 1_000;
const MOST_MS = 120_000;
const PATIENCE = { timeout: 30_000 };

beforeAll(async () => {
  t = await TestApp.start({ backupParts: RESTORES_NOTHING });
  url = await listen(t.app);
  world = await makeWorld(t);
  t.clock.advance(A_SECOND_MS);
  const { own, names } = world;
  for (const role of ROLES) {
    sockets[role] = { client: new LiveClient(url, own[role].token), received: [] };
    before[role] = { readings: readingsOf(role, own, names[role]), answers: new Map() };
    // Refreshes the session's last use, which some answers show.
    await readAll(t, own[role], before[role].readings.slice(0, 1));
  }
  for (const role of ['superadmin', 'admin'] as const) await opened(sockets[role].client, own.admin);
  for (const { client, received } of Object.values(sockets)) {
    await vi.waitUntil(() => client.socket.connected, PATIENCE);
    if (client === sockets.user.client) await watched(client);
    client.socket.onAny((event: string) => void received.push(event));
  }
  await t.app.tick();
  for (const role of READERS) before[role].answers = await readAll(t, own[role], before[role].readings);
}, MOST_MS);
afterAll(async () => {
  for (const { client } of Object.values(sockets)) client.socket.disconnect();
  await t.close();
});

async function opened(client: LiveClient, { _id }: SignedIn): Promise<string> {
  client.open(_id, OPEN);
  await vi.waitUntil(() => client.panel, PATIENCE);
  return textOf(client.panel);
}

function lobbyWithout(answers: ReadonlyMap<string, Answer>, gameKeys: readonly string[]): object {
  const { games, ...shown } = JSON.parse(answers.get(`/api/${lobby.path}`)!.body.toString()) as Lobby;
  return { ...shown, games: games.filter(({ gameId }) => !gameKeys.includes(gameId)) };
}

function watched({ socket }: LiveClient): Promise<unknown> {
  const player = socket as unknown as Socket<
    { gameNews: (news: object) => void },
    { watchGames: (games: string[]) => void }
  >;
  const news = new Promise((resolve) => player.once('gameNews', resolve));
  player.emit('watchGames', [OPEN]);
  return news;
}

it.each(READERS)(
  'a %s learns nothing of foreign play, by any route or socket',
  async (role) => {
    const { own, parts } = world;
    const part = parts[role];
    const { client, received } = sockets[role];
    const shown = textOf(client.panel);
    const isNetwork = part.admin !== own.admin;
    const teller = isNetwork ? new LiveClient(url, part.admin.token) : sockets.admin.client;
    if (isNetwork) await opened(teller, part.admin);
    const sums = teller.panel!.totalsumdata;

    t.clock.advance(-A_SECOND_MS);
    await play(t, part);
    t.clock.advance(A_SECOND_MS);
    const { readings, answers } = before[role];
    const after = await readAll(t, own[role], readings);
    const changes = differencesOf(readings, answers, after);
    if (role === 'user') {
      const settled = Object.values(parts).map(({ settles }) => settles);
      expect(lobbyWithout(after, settled)).toEqual(lobbyWithout(answers, settled));
    }
    expect(changes.filter(({ path }) => role !== 'user' || path !== lobby.path)).toEqual([]);

    await vi.waitUntil(() => teller.panel!.totalsumdata > sums, PATIENCE);
    if (client.panel) expect(await opened(client, own.admin)).toBe(shown);
    expect(received).toEqual(client.panel ? ['responseData'] : []);
    if (isNetwork) teller.socket.disconnect();
  },
  MOST_MS,
);

it.each((['superadmin', 'user'] as const).filter((role) => READERS.includes(role)))(
  'a %s sees catalogue changes by others only where shared',
  async (role) => {
    const { own, parts } = world;
    const readings = before[role].readings.filter(({ isLeast }) => isLeast);
    const answers = await readAll(t, own[role], readings);
    await playCatalogue(t, parts.superadmin.superadmin);
    const changes = differencesOf(readings, answers, await readAll(t, own[role], readings));
    expect(changes.map(({ path }) => path).sort()).toEqual(SHARED[role]);
  },
);
