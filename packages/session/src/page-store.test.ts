import { afterEach, expect, it, vi } from 'vitest';
import { createPageStore, createTicker } from './page-store.ts';

afterEach(() => vi.useRealTimers());

it('notifies listeners only of changes, until they leave', () => {
  const store = createPageStore<string | null>(null);
  const values: (string | null)[] = [];
  const leave = store.listen(() => void values.push(store.get()));
  store.set('a');
  store.set('a');
  store.set(null);
  leave();
  store.set('b');
  expect(values).toEqual(['a', null]);
  expect(store.get()).toBe('b');
});

it('ticks by one timer while anybody listens, and when the page shows again', () => {
  vi.useFakeTimers();
  const page = new EventTarget();
  const subscribe = createTicker(() => page, 200);
  const calls: string[] = [];
  const leave = [subscribe(() => void calls.push('a')), subscribe(() => void calls.push('b'))];
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(200);
  expect(calls).toEqual(['a', 'b']);
  leave[0]!();
  page.dispatchEvent(new Event('visibilitychange'));
  expect(calls).toEqual(['a', 'b', 'b']);
  leave[1]!();
  expect(vi.getTimerCount()).toBe(0);
  page.dispatchEvent(new Event('visibilitychange'));
  expect(calls).toEqual(['a', 'b', 'b']);
});
