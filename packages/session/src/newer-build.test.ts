import { expect, test } from 'vitest';
import { claimAutoReload } from './newer-build.ts';

test('reloads a failing page at most once a minute', () => {
  const kept = new Map<string, string>();
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  };
  const now = Date.parse('2026-03-01T12:00:00.000Z');
  expect(claimAutoReload(store, now)).toBe(true);
  expect(claimAutoReload(store, now + 59_999)).toBe(false);
  expect(claimAutoReload(store, now + 60_000)).toBe(true);
  expect(claimAutoReload(store, now + 60_001)).toBe(false);
});
