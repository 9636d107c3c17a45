import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { retryLoad } from './lazyParts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const EVERY_MS = 1_000;

test('repeats a failed load until it succeeds, then uses it once', async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('part');
  const use = vi.fn<(part: string) => void>();
  retryLoad(load, EVERY_MS, use);
  await vi.advanceTimersByTimeAsync(EVERY_MS - 1);
  expect(load).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(EVERY_MS * 3);
  expect(load).toHaveBeenCalledTimes(2);
  expect(use.mock.calls).toEqual([['part']]);
});

test.each([
  ['pending', () => Promise.resolve('part')],
  ['failed', () => Promise.reject(new Error('offline'))],
])('a canceled load that was %s neither repeats nor is used', async (_state, answer) => {
  const load = vi.fn<() => Promise<string>>(answer);
  const use = vi.fn<(part: string) => void>();
  retryLoad(load, EVERY_MS, use)();
  await vi.advanceTimersByTimeAsync(EVERY_MS * 3);
  expect(load).toHaveBeenCalledTimes(1);
  expect(use).not.toHaveBeenCalled();
});
