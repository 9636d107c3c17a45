import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followRestoring, networkRestoring } from './server-reach.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  networkRestoring.set(false);
  vi.useRealTimers();
});

it('polls faster while the network is being restored', async () => {
  let restoring = true;
  const ask = vi.fn(async () => ({ restoring }));
  const stop = followRestoring(ask, 60_000);
  await vi.advanceTimersByTimeAsync(59_999);
  expect([ask.mock.calls.length, networkRestoring.get()]).toEqual([0, false]);
  await vi.advanceTimersByTimeAsync(1);
  expect([ask.mock.calls.length, networkRestoring.get()]).toEqual([1, true]);
  ask.mockRejectedValueOnce(new Error('no connection'));
  await vi.advanceTimersByTimeAsync(4_000);
  expect([ask.mock.calls.length, networkRestoring.get()]).toEqual([2, true]);
  restoring = false;
  await vi.advanceTimersByTimeAsync(4_000);
  expect([ask.mock.calls.length, networkRestoring.get()]).toEqual([3, false]);
  networkRestoring.set(true);
  await vi.advanceTimersByTimeAsync(4_000);
  expect([ask.mock.calls.length, networkRestoring.get()]).toEqual([4, false]);
  stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(ask).toHaveBeenCalledTimes(4);
});
