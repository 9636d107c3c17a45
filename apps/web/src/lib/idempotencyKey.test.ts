import { beforeEach, expect, test, vi } from 'vitest';
import { forgetKey, keyOfRequest } from './idempotencyKey.ts';

const MINUTE_MS = 60_000;

beforeEach(() => {
  const slots = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => slots.get(name) ?? null,
    setItem: (name: string, text: string) => slots.set(name, text),
    removeItem: (name: string) => slots.delete(name),
  });
});

test('a request keeps its key until it is answered', () => {
  const key = keyOfRequest('12.50 to north', 0);
  expect(keyOfRequest('12.50 to north', 9 * MINUTE_MS)).toBe(key);
  forgetKey('12.50 to north');
  expect(keyOfRequest('12.50 to north', 9 * MINUTE_MS)).not.toBe(key);
});

test('another request, and the same one much later, has another key', () => {
  const key = keyOfRequest('12.50 to north', 0);
  expect(keyOfRequest('12.51 to north', 0)).not.toBe(key);
  expect(keyOfRequest('12.50 to north', 10 * MINUTE_MS)).not.toBe(key);
});
