import { beforeEach, expect, test, vi } from 'vitest';
import { forgetAllKeys, forgetKey, keyOfRequest } from './idempotencyKey.ts';

const MINUTE_MS = 60_000;

/** Like browser storage, lists its entries as own keys. */
class Slots {
  [name: string]: unknown;

  getItem(name: string): unknown {
    return this[name] ?? null;
  }

  setItem(name: string, text: string): void {
    this[name] = text;
  }

  removeItem(name: string): void {
    delete this[name];
  }
}

beforeEach(() => {
  vi.stubGlobal('sessionStorage', new Slots());
});

test('signing out removes its keys and nothing else', () => {
  const key = keyOfRequest('12.50 to north', false, 0);
  sessionStorage.setItem('token', 'kept');
  forgetAllKeys();
  expect(keyOfRequest('12.50 to north', false, 0)).not.toBe(key);
  expect(sessionStorage.getItem('token')).toBe('kept');
});

test('a request keeps its key until answered', () => {
  const key = keyOfRequest('12.50 to north', false, 0);
  expect(keyOfRequest('12.50 to north', false, 9 * MINUTE_MS)).toBe(key);
  forgetKey('12.50 to north');
  expect(keyOfRequest('12.50 to north', false, 9 * MINUTE_MS)).not.toBe(key);
});

test('another request, or the same much later, gets another key', () => {
  const key = keyOfRequest('12.50 to north', false, 0);
  expect(keyOfRequest('12.51 to north', false, 0)).not.toBe(key);
  expect(keyOfRequest('12.50 to north', false, 10 * MINUTE_MS)).not.toBe(key);
});

test('a request still reported as pending keeps its key indefinitely', () => {
  const key = keyOfRequest('12.50 to north', false, 0);
  expect(keyOfRequest('12.50 to north', true, 60 * MINUTE_MS)).toBe(key);
  expect(keyOfRequest('12.50 to north', false, 60 * MINUTE_MS)).not.toBe(key);
});
