import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepFetching } from './usePanel.ts';

vi.mock('../../../../lib/session/session.ts', () => ({
  getSession: () => null,
  onSession: () => undefined,
  noteServerDate: () => undefined,
}));
vi.mock('@drawhouse/session/server-reach', () => ({ noteAnswer: () => undefined, reportNoAnswer: () => undefined }));
vi.mock('@drawhouse/session/newer-build', () => ({ noteBuild: () => undefined }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('fetches a stale panel immediately and every five seconds until fresh', () => {
  const refresh = vi.fn<() => void>();
  const stop = keepFetching(refresh);
  expect(refresh).not.toHaveBeenCalled();
  vi.advanceTimersByTime(0);
  expect(refresh).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10_000);
  expect(refresh).toHaveBeenCalledTimes(3);
  stop();
  vi.advanceTimersByTime(60_000);
  expect(refresh).toHaveBeenCalledTimes(3);
});

test('does not fetch if fresh again in time', () => {
  const refresh = vi.fn<() => void>();
  keepFetching(refresh)();
  vi.advanceTimersByTime(60_000);
  expect(refresh).not.toHaveBeenCalled();
});
