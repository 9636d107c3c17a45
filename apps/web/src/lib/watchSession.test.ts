import { beforeEach, expect, it, vi } from 'vitest';
import { watchSession } from './watchSession.ts';

const { handlers, endSession } = vi.hoisted(() => ({
  handlers: new Map<string, (reason: Error) => void>(),
  endSession: vi.fn(),
}));
vi.mock('./socket.ts', () => ({
  liveSocket: () => ({
    connected: true,
    active: true,
    on: (event: string, handler: (reason: Error) => void) => handlers.set(event, handler),
    off: (event: string) => handlers.delete(event),
  }),
}));
vi.mock('./session.ts', () => ({ endSession }));
vi.mock('./connection.ts', () => ({ probe: () => undefined }));

beforeEach(() => {
  endSession.mockClear();
  // No locks: this tab has the connection at once.
  vi.stubGlobal('navigator', {});
});

const refuse = (code: string): void =>
  handlers.get('connect_error')!(Object.assign(new Error('refused'), { data: { code } }));

it.each([
  ['SESSION_ENDED', 'ended'],
  ['NOT_SIGNED_IN', 'ended'],
  ['SESSION_REPLACED', 'replaced'],
])('a live connection that is refused by %s ends the session here as %s', (code, end) => {
  const stop = watchSession('token');
  refuse(code);
  expect(endSession.mock.calls).toEqual([[end, 'token']]);
  stop();
});

it('a live connection that is refused for another reason ends nothing', () => {
  const stop = watchSession('token');
  refuse('NOT_READY');
  expect(endSession).not.toHaveBeenCalled();
  stop();
  expect(handlers.size).toBe(0);
});
