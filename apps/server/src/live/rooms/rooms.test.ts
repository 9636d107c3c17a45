import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PairRow } from '../../games/games.sql.ts';
import type { LiveSocket } from '../sockets/live-socket.ts';
import { isIn, type UpdateMode, type Room } from './room.ts';
import { createRooms, type Rooms } from './rooms.ts';

const PANEL = { networkId: 1, gameKey: 'game' };

class Client {
  readonly rooms = new Set<string>();
  readonly data = { behindSinceMs: undefined as number | undefined, fullAtMs: -Infinity };
  readonly conn = { transport: { writable: true }, close: () => this.leaveAll() };
  leaveAll(): void {
    this.rooms.clear();
  }
  join(name: string): void {
    this.rooms.add(name);
  }
  leave(name: string): void {
    this.rooms.delete(name);
  }
  get socket(): LiveSocket {
    return this as never;
  }
}

let clients: Client[];
let startedMs: number;
let reads: string[];
let reading: { adminId: string; until: Promise<void> | undefined; failsFor: number };
let rooms: Rooms;

async function read(room: Room): Promise<number> {
  room.reading = true;
  room.changed = false;
  room.newcomers.clear();
  room.readAtMs = performance.now();
  reads.push(`${room.panel.gameKey} at ${Math.floor((room.readAtMs - startedMs) / 10) * 10}`);
  await reading.until;
  room.state = { shown: { adminId: reading.adminId } } as never;
  for (const socket of room.owed) if (socket.conn.transport.writable) room.owed.delete(socket);
  room.reading = false;
  room.changed ||= reading.failsFor > 0;
  return reading.failsFor;
}

function enter(mode: UpdateMode = 'changes', gameKey = PANEL.gameKey): Client {
  const client = new Client();
  clients.push(client);
  rooms.enter(client.socket, { network_id: PANEL.networkId, game_key: gameKey } as PairRow, mode);
  return client;
}

function holdReading(): () => void {
  let end = (): void => {};
  reading.until = new Promise((resolve) => (end = resolve));
  return end;
}

async function readsWithin(ms: number): Promise<string[]> {
  reads = [];
  await vi.advanceTimersByTimeAsync(ms);
  return reads;
}

beforeEach(() => {
  vi.useFakeTimers();
  startedMs = performance.now();
  clients = [];
  reads = [];
  reading = { adminId: 'admin', until: undefined, failsFor: 0 };
  const those = (room: Room) => clients.filter(({ socket }) => isIn(socket, room));
  rooms = createRooms({
    members: {
      isEmpty: (room) => those(room).length === 0,
      hasChanges: (room) => those(room).some((client) => client.rooms.has(room.names.changes)),
    },
    read,
    clock: { now: () => new Date() },
    note: () => undefined,
  });
});
afterEach(() => {
  rooms.close();
  vi.useRealTimers();
});

it('reads a room on entry and on change, at most eight times a second, otherwise every five seconds', async () => {
  enter();
  expect(await readsWithin(0)).toEqual(['game at 0']);
  for (let bets = 0; bets < 9; bets++) rooms.changed(PANEL);
  expect(await readsWithin(1_000)).toEqual(['game at 120']);
  expect(await readsWithin(10_000)).toEqual(['game at 5120', 'game at 10120']);
});

it('reads changes during a read afterwards, not concurrently', async () => {
  const end = holdReading();
  enter();
  await readsWithin(100);
  rooms.changed(PANEL);
  expect(await readsWithin(500)).toEqual([]);
  end();
  expect(await readsWithin(50)).toEqual(['game at 600']);
});

it('retries a failed read after a delay, despite notifications', async () => {
  reading.failsFor = 1_000;
  enter();
  await readsWithin(0);
  rooms.changed(PANEL);
  expect(await readsWithin(999)).toEqual([]);
  reading.failsFor = 0;
  expect(await readsWithin(1_000)).toEqual(['game at 1000']);
});

it('removes an empty room and recreates it for the next visitor', async () => {
  const client = enter();
  await readsWithin(0);
  client.leaveAll();
  expect(await readsWithin(20_000)).toEqual([]);
  rooms.changed(PANEL);
  expect(await readsWithin(20_000)).toEqual([]);
  enter();
  expect((await readsWithin(0)).length).toBe(1);
});

it('rereads rooms of moved admins, and all after missed notifications', async () => {
  enter();
  await readsWithin(0);
  reading.adminId = 'other';
  enter('changes', 'second');
  await readsWithin(1_000);
  rooms.adminMoved('other');
  expect(await readsWithin(200)).toEqual(['second at 1000']);
  rooms.missed();
  expect((await readsWithin(200)).toSorted()).toEqual(['game at 1200', 'second at 1200']);
});

it('closes a client that reads nothing for ten seconds, not earlier', async () => {
  const client = enter();
  await readsWithin(0);
  client.conn.transport.writable = false;
  client.data.behindSinceMs = Date.now();
  rooms.enter(client.socket, { network_id: PANEL.networkId, game_key: PANEL.gameKey } as PairRow, 'changes');
  await readsWithin(9_900);
  expect(client.rooms.size).toBe(1);
  await readsWithin(300);
  expect(client.rooms.size).toBe(0);
});

it('reads no room after closing', async () => {
  const end = holdReading();
  enter();
  await readsWithin(100);
  rooms.close();
  rooms.changed(PANEL);
  end();
  expect(await readsWithin(20_000)).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
