import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchSession } from './watchSession.ts';

const { handlers, socket, tab, endSession } = vi.hoisted(() => {
  const byEvent = new Map<string, (reason: unknown) => void>();
  return {
    handlers: byEvent,
    socket: {
      connected: true,
      active: true,
      connect: vi.fn(),
      on: (event: string, handler: (reason: unknown) => void) => byEvent.set(event, handler),
      off: (event: string) => byEvent.delete(event),
    },
    tab: { look: () => {} },
    endSession: vi.fn(),
  };
});
vi.mock('../server/socket.ts', () => ({ liveSocket: () => socket }));
vi.mock('../server/pageVisibility.ts', () => ({
  onVisible: (act: () => void) => {
    tab.look = act;
    return () => {};
  },
}));
vi.mock('./session.ts', () => ({ endSession }));
vi.mock('@drawhouse/session/server-reach', () => ({ pingServer: async () => true }));

beforeEach(() => {
  endSession.mockClear();
  socket.connect.mockClear();
  Object.assign(socket, { connected: true, active: true });
  // No locks: this tab connects immediately.
  vi.stubGlobal('navigator', {});
});

afterEach(() => vi.useRealTimers());

const refuse = (code: string): void =>
  handlers.get('connect_error')!(Object.assign(new Error('refused'), { data: { code } }));

it.each([
  ['SESSION_ENDED', 'ended'],
  ['NOT_SIGNED_IN', 'ended'],
  ['SESSION_REPLACED', 'replaced'],
])('a live connection refused with %s ends the session here as %s', (code, end) => {
  const stop = watchSession('token');
  refuse(code);
  expect(endSession.mock.calls).toEqual([[end, 'token']]);
  stop();
});

it('a live connection refused otherwise ends nothing', () => {
  const stop = watchSession('token');
  refuse('NOT_READY');
  expect(endSession).not.toHaveBeenCalled();
  stop();
  expect(handlers.size).toBe(0);
});

it('a connection closed for too many sessions reconnects only when the tab is viewed', () => {
  vi.useFakeTimers();
  const stop = watchSession('token');
  const close = (): void => {
    Object.assign(socket, { connected: false, active: false });
    handlers.get('disconnect')?.('io server disconnect');
    vi.advanceTimersByTime(60_000);
  };
  close();
  expect(socket.connect, 'closed for another reason').toHaveBeenCalledOnce();
  handlers.get('error')!({ code: 'TOO_MANY_SOCKETS' });
  close();
  expect(socket.connect).toHaveBeenCalledOnce();
  tab.look();
  expect(socket.connect).toHaveBeenCalledTimes(2);
  stop();
});
