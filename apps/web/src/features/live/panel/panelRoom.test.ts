import type { Panel } from '@drawhouse/contract/live/live';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveSocket } from '../../../lib/socket.ts';
import { enterRoom } from './panelRoom.ts';
import type { PanelRoom } from './panelRoom.ts';

const tab = vi.hoisted(() => ({ look: () => {} }));
vi.mock('../../../lib/lookedAt.ts', () => ({
  whenLookedAt: (act: () => void) => {
    tab.look = act;
    return () => (tab.look = () => {});
  },
}));

const PAIR = { gameId: 'roulette', adminId: 'a1' };
const handlers = new Map<string, (said?: unknown) => void>();
const wire = {
  connected: false,
  active: true,
  connect: vi.fn(),
  emit: vi.fn(),
  on: (event: string, handler: (said?: unknown) => void) => handlers.set(event, handler),
  off: (event: string) => handlers.delete(event),
};
const heard = { onConnection: vi.fn(), onJoin: vi.fn(), onPanel: vi.fn(), onChange: vi.fn(), onRefused: vi.fn() };
const say = (event: string, said?: unknown): void => handlers.get(event)!(said);
let room: PanelRoom;

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  handlers.clear();
  Object.assign(wire, { connected: false, active: true });
  room = enterRoom(wire as unknown as LiveSocket, PAIR, heard);
});
afterEach(() => vi.useRealTimers());

test('a room is joined once the connection is there, and once however often it is asked for in a moment', () => {
  say('connect');
  room.join();
  room.join();
  expect(wire.emit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(wire.emit.mock.calls).toEqual([['gameData', { ...PAIR, changes: true }]]);
  expect(heard.onJoin).toHaveBeenCalledOnce();
  expect(heard.onConnection.mock.calls).toEqual([['live']]);
});

test('only the panel of the pair is told', () => {
  say('responseData', { ...PAIR, seq: 1 });
  say('responseData', { ...PAIR, gameId: 'jodi', seq: 1 });
  say('responseData', { ...PAIR, adminId: 'a2', seq: 1 });
  expect(heard.onPanel.mock.calls).toEqual([[{ ...PAIR, seq: 1 } as Panel]]);
});

test('what the server could not answer at the moment is told, and asked for again until it is', () => {
  say('connect');
  vi.advanceTimersByTime(1_000);
  for (const code of ['NOT_READY', 'INTERNAL']) {
    wire.emit.mockClear();
    say('error', { code, message: 'Not now.' });
    expect(heard.onRefused).toHaveBeenLastCalledWith({ code, message: 'Not now.' });
    vi.advanceTimersByTime(2_000);
    expect(wire.emit).toHaveBeenCalledOnce();
  }
  wire.emit.mockClear();
  say('error', { code: 'FORBIDDEN', message: 'Not yours.' });
  vi.advanceTimersByTime(60_000);
  expect(wire.emit).not.toHaveBeenCalled();
});

test('a connection that the client does not try again by itself is tried again', () => {
  say('disconnect');
  vi.advanceTimersByTime(60_000);
  expect(wire.connect).not.toHaveBeenCalled();
  wire.active = false;
  say('disconnect');
  vi.advanceTimersByTime(60_000);
  expect(wire.connect).toHaveBeenCalledOnce();
  expect(heard.onConnection).toHaveBeenLastCalledWith('reconnecting');
});

test('a connection that other tabs have taken stays theirs until this one is looked at', () => {
  say('error', { code: 'TOO_MANY_SOCKETS', message: '' });
  wire.active = false;
  say('disconnect');
  vi.advanceTimersByTime(60_000);
  expect(heard.onConnection.mock.calls).toEqual([['crowdedOut']]);
  expect(wire.connect).not.toHaveBeenCalled();
  tab.look();
  tab.look();
  expect(wire.connect).toHaveBeenCalledOnce();
  expect(heard.onRefused).not.toHaveBeenCalled();
});

test('a room that was asked for too often is asked for again in a while; any other refusal is told', () => {
  say('error', { code: 'THROTTLED', message: '' });
  vi.advanceTimersByTime(10_000);
  expect(wire.emit).toHaveBeenCalledOnce();
  expect(heard.onRefused).not.toHaveBeenCalled();
  const refusal = { code: 'NOT_FOUND', message: 'No such panel' };
  say('error', refusal);
  expect(heard.onRefused.mock.calls).toEqual([[refusal]]);
});

test('whoever leaves hears nothing more, and joins nothing', () => {
  say('connect');
  room.leave();
  vi.advanceTimersByTime(60_000);
  expect(wire.emit).not.toHaveBeenCalled();
  expect(handlers.size).toBe(0);
});
