import type { Panel } from '@drawhouse/contract/live/live';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveSocket } from '../../../../lib/server/socket.ts';
import { enterRoom, type PanelRoom } from './panelRoom.ts';

// Workers share modules between files, so a mock of socket.ts would come too late.
const tab = Object.assign(new EventTarget(), { visibilityState: 'visible' });

const PAIR = { gameId: 'roulette', adminId: 'a1' };
const handlers = new Map<string, (payload?: unknown) => void>();
const wire = {
  connected: false,
  active: true,
  connect: vi.fn(),
  emit: vi.fn(),
  on: (event: string, handler: (payload?: unknown) => void) => handlers.set(event, handler),
  off: (event: string) => handlers.delete(event),
};
const callbacks = { onConnection: vi.fn(), onJoin: vi.fn(), onPanel: vi.fn(), onChange: vi.fn(), onRefused: vi.fn() };
const say = (event: string, payload?: unknown): void => handlers.get(event)!(payload);
let room: PanelRoom;

beforeEach(() => {
  vi.stubGlobal('window', tab);
  vi.stubGlobal('document', tab);
  vi.useFakeTimers();
  vi.clearAllMocks();
  handlers.clear();
  Object.assign(wire, { connected: false, active: true });
  room = enterRoom(wire as unknown as LiveSocket, PAIR, callbacks);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('joins a room after connecting, once per moment', () => {
  say('connect');
  room.join();
  room.join();
  expect(wire.emit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(wire.emit.mock.calls).toEqual([['gameData', { ...PAIR, changes: true }]]);
  expect(callbacks.onJoin).toHaveBeenCalledOnce();
  expect(callbacks.onConnection.mock.calls).toEqual([['live']]);
});

test('forwards only its own panel', () => {
  say('responseData', { ...PAIR, seq: 1 });
  say('responseData', { ...PAIR, gameId: 'jodi', seq: 1 });
  say('responseData', { ...PAIR, adminId: 'a2', seq: 1 });
  expect(callbacks.onPanel.mock.calls).toEqual([[{ ...PAIR, seq: 1 } as Panel]]);
});

test('reports temporary server failures and retries', () => {
  say('connect');
  vi.advanceTimersByTime(1_000);
  for (const code of ['NOT_READY', 'INTERNAL']) {
    wire.emit.mockClear();
    say('error', { code, message: 'Not now.' });
    expect(callbacks.onRefused).toHaveBeenLastCalledWith({ code, message: 'Not now.' });
    vi.advanceTimersByTime(2_000);
    expect(wire.emit).toHaveBeenCalledOnce();
  }
  wire.emit.mockClear();
  say('error', { code: 'FORBIDDEN', message: 'Not yours.' });
  vi.advanceTimersByTime(60_000);
  expect(wire.emit).not.toHaveBeenCalled();
});

test('retries connections that the client does not retry itself', () => {
  say('disconnect');
  vi.advanceTimersByTime(60_000);
  expect(wire.connect).not.toHaveBeenCalled();
  wire.active = false;
  say('disconnect');
  vi.advanceTimersByTime(60_000);
  expect(wire.connect).toHaveBeenCalledOnce();
  expect(callbacks.onConnection).toHaveBeenLastCalledWith('reconnecting');
});

test('leaves a connection taken by other tabs until viewed', () => {
  say('error', { code: 'TOO_MANY_SOCKETS', message: '' });
  wire.active = false;
  say('disconnect');
  vi.advanceTimersByTime(60_000);
  expect(callbacks.onConnection.mock.calls).toEqual([['crowdedOut']]);
  expect(wire.connect).not.toHaveBeenCalled();
  tab.dispatchEvent(new Event('focus'));
  tab.dispatchEvent(new Event('focus'));
  expect(wire.connect).toHaveBeenCalledOnce();
  expect(callbacks.onRefused).not.toHaveBeenCalled();
});

test('retries a rate-limited room later and reports other refusals', () => {
  say('error', { code: 'THROTTLED', message: '' });
  vi.advanceTimersByTime(10_000);
  expect(wire.emit).toHaveBeenCalledOnce();
  expect(callbacks.onRefused).not.toHaveBeenCalled();
  const refusal = { code: 'NOT_FOUND', message: 'No such panel' };
  say('error', refusal);
  expect(callbacks.onRefused.mock.calls).toEqual([[refusal]]);
});

test('after leaving, receives and joins nothing', () => {
  say('connect');
  room.leave();
  vi.advanceTimersByTime(60_000);
  expect(wire.emit).not.toHaveBeenCalled();
  expect(handlers.size).toBe(0);
});
