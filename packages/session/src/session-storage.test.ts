import { describe, expect, it } from 'vitest';
import { parsePersisted, persistedText, readExpiry } from './session-storage.ts';

const SPAN = { expiresAt: 1_800_000, idleMs: 1_800_000, final: false };

describe('persisted state', () => {
  it('contains only auth and users', () => {
    const state = JSON.parse(persistedText('secret', 'retailer', SPAN, null)) as Record<string, unknown>;
    expect(Object.keys(state)).toEqual(['auth', 'users']);
    expect(state['auth']).toEqual({ token: 'secret', roles: 'retailer', ...SPAN });
    expect(state['users']).toEqual({ authUser: null });
  });

  it('survives a round trip', () => {
    expect(parsePersisted(persistedText('secret', 'retailer', SPAN, null))).toEqual({
      auth: { token: 'secret', roles: 'retailer', ...SPAN },
      users: { authUser: null },
    });
  });

  it('is ignored for an account with another role or none', () => {
    for (const authUser of [
      { _id: '1', username: 'ann' },
      { _id: '1', username: 'ann', role: 'admin' },
    ]) {
      const text = JSON.stringify({ auth: { token: 't', roles: 'retailer', ...SPAN }, users: { authUser } });
      expect(parsePersisted(text)).toBeNull();
    }
  });

  it.each([
    null,
    '',
    'null',
    '{}',
    '[1]',
    '{"auth":{"token":"t","expiresAt":1,"roles":"king"}}',
    '{"auth":{"roles":"user"}}',
    '{"auth":{"token":"t","roles":"user"}}',
  ])('is ignored if it contains %s', (text) => {
    expect(parsePersisted(text)).toBeNull();
  });
});

it('an expiry is a time or absent', () => {
  expect(readExpiry('1800000')).toBe(1_800_000);
  for (const kept of [null, '', '0', 'soon', 'NaN', 'Infinity', '-1'])
    expect([kept, readExpiry(kept)]).toEqual([kept, null]);
});
