import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { leaveSocket, liveSocket } from './socket.ts';

const { disconnect } = vi.hoisted(() => ({ disconnect: vi.fn() }));
vi.mock('socket.io-client', () => {
  const heard = new Set<string>();
  const socket = {
    disconnect,
    on: (event: string) => (heard.add(event), socket),
    off: (event: string) => (heard.delete(event), socket),
    hasListeners: (event: string) => heard.has(event),
  };
  return { io: () => socket };
});
vi.mock('../session/session.ts', () => ({ getSession: () => ({ token: 'token' }), onSession: () => undefined }));

beforeEach(() => {
  disconnect.mockClear();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

it('a left connection is reused by the next panel, or closed if none comes', () => {
  liveSocket();
  leaveSocket();
  liveSocket();
  vi.advanceTimersByTime(60_000);
  expect(disconnect).not.toHaveBeenCalled();
  leaveSocket();
  vi.advanceTimersByTime(60_000);
  expect(disconnect).toHaveBeenCalledOnce();
});

it('a connection needed for session news stays open', () => {
  const hear = (): void => {};
  const socket = liveSocket().on('disconnect', hear);
  leaveSocket();
  vi.advanceTimersByTime(60_000);
  expect(disconnect).not.toHaveBeenCalled();
  socket.off('disconnect', hear);
});
