import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type * as socket from './socket.ts';

const { disconnect } = vi.hoisted(() => ({ disconnect: vi.fn() }));
vi.mock('socket.io-client', () => {
  const events = new Set<string>();
  const connection = {
    disconnect,
    on: (event: string) => (events.add(event), connection),
    off: (event: string) => (events.delete(event), connection),
    hasListeners: (event: string) => events.has(event),
  };
  return { io: () => connection };
});
vi.mock('../session/session.ts', () => ({ getSession: () => ({ token: 'token' }), onSession: () => undefined }));

let leaveSocket: typeof socket.leaveSocket;
let liveSocket: typeof socket.liveSocket;

beforeEach(async () => {
  // Other files of this worker also use the connection.
  vi.resetModules();
  ({ leaveSocket, liveSocket } = await import('./socket.ts'));
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
  const listener = (): void => {};
  const live = liveSocket().on('disconnect', listener);
  leaveSocket();
  vi.advanceTimersByTime(60_000);
  expect(disconnect).not.toHaveBeenCalled();
  live.off('disconnect', listener);
});
