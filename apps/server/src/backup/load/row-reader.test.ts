import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRowReader } from './load-rows.ts';

const PIECE = Buffer.alloc(1_000_000);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function reading(isBusy: boolean): { give: (tookMs: number) => Promise<void>; out: () => number; told: number[] } {
  const told: number[] = [];
  let out = 0;
  const reader = createRowReader(
    (bytes) => void told.push(bytes),
    () => isBusy,
  );
  reader.on('data', (chunk: Buffer) => (out += chunk.length));
  return {
    told,
    out: () => out,
    async give(tookMs) {
      vi.advanceTimersByTime(tookMs);
      reader.write(PIECE);
      await new Promise(setImmediate);
    },
  };
}

it('reads at full speed while the CPU is free', async () => {
  const { give, out, told } = reading(false);
  await give(10);
  await give(10);
  expect(out()).toBe(2 * PIECE.length);
  expect(told).toEqual([PIECE.length, PIECE.length]);
});

it('pauses five times as long as it reads while others need the CPU, within a limit', async () => {
  const { give, out } = reading(true);
  await give(10);
  expect(out()).toBe(0);
  await vi.advanceTimersByTimeAsync(49);
  expect(out()).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(out()).toBe(PIECE.length);
  await give(10_000);
  await vi.advanceTimersByTimeAsync(199);
  expect(out()).toBe(PIECE.length);
  await vi.advanceTimersByTimeAsync(1);
  expect(out()).toBe(2 * PIECE.length);
});
