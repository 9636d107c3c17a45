import { describe, expect, it } from 'vitest';
import { runAFew } from './runAFew.ts';

describe('running a few at a time', () => {
  it('runs each item once, in order, and never more at once than asked', async () => {
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

  it('finishes what has begun and begins nothing more once it is stopped', async () => {
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

  it('has nothing to do for nothing', async () => {
    await expect(runAFew([], 4, () => Promise.reject(new Error('never')))).resolves.toBeUndefined();
  });
});
