import { expect, test, vi } from 'vitest';
import { toggleConsequence } from './accountActions.ts';

vi.mock('../../lib/session/session.ts', () => ({ getSession: () => null, noteServerDate: () => undefined }));

const shop = { role: 'retailer', inactiveAbove: null } as const;
const player = { role: 'user', inactiveAbove: null } as const;
const kept = { role: 'user', inactiveAbove: { _id: 'x', username: 'north', role: 'admin' } } as const;

test('a deactivation counts affected accounts by role', () => {
  expect(toggleConsequence('deactivate', [shop], { accounts: 12, players: 3400 })).toBe(
    'It is signed out immediately, with 12 accounts and 3,400 players below it, and can’t sign in or bet until it is active again.',
  );
  expect(toggleConsequence('deactivate', [shop], { accounts: 1, players: 0 })).toContain(', with 1 account below it,');
  expect(toggleConsequence('deactivate', [shop], { accounts: 0, players: 1 })).toContain(', with 1 player below it,');
  expect(toggleConsequence('deactivate', [shop, shop], { accounts: 0, players: 2 })).toBe(
    'They are signed out immediately, with 2 players below them, and can’t sign in or bet until they are active again.',
  );
});

test('names no accounts if none are below, and no count before it loads', () => {
  expect(toggleConsequence('deactivate', [shop], { accounts: 0, players: 0 })).toBe(
    'It is signed out immediately, and can’t sign in or bet until it is active again.',
  );
  expect(toggleConsequence('deactivate', [shop], null)).toContain(', with everyone below it,');
  expect(toggleConsequence('deactivate', [player], null)).not.toContain('below');
});

test('an activation names what still blocks the account', () => {
  expect(toggleConsequence('activate', [player], null)).toBeNull();
  expect(toggleConsequence('activate', [kept], null)).toBe('It still can’t sign in: north is not active.');
  expect(toggleConsequence('activate', [player, kept], null)).toBe('Some still can’t sign in: north is not active.');
});
