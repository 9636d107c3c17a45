import { describe, expect, it } from 'vitest';
import { runAFew } from './runAFew.ts';

describe('limited concurrency', () => {
  it('runs each item once, in order, within the limit', async () => {
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    await runAFew([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      begun.push(item);
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
    });
    expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(3);
  });

  it('finishes started items and starts none after a stop', async () => {
    const stop = new AbortController();
    const done: number[] = [];
    await runAFew(
      [1, 2, 3, 4, 5],
      2,
      async (item) => {
        await Promise.resolve();
        if (item === 2) stop.abort();
        done.push(item);
      },
      stop.signal,
    );
    expect(done).toContain(2);
    expect(done).not.toContain(5);
  });

  it('accepts an empty list', async () => {
    await expect(runAFew([], 4, () => Promise.reject(new Error('never')))).resolves.toBeUndefined();
  });
});
