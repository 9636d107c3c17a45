import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import { createFairQueue } from './fair-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((end) => ends.set(name, () => end(name)));
  };
  return { begun, work, end: (name: string) => ends.get(name)!() };
}

const LIMITS = { atOnce: 2, waitMs: 5_000, perKey: 10, total: 100 };

describe('a fair queue', () => {
  it('alternates between keys and runs one task per key', async () => {
    const queue = createFairQueue(LIMITS);
    const { begun, work, end } = works();
    const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => queue.run(name[0]!, work(name)));
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a1', 'b1']);
    end('a1');
    await all[0];
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a1', 'b1', 'a2']);
    end('b1');
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a1', 'b1', 'a2', 'c1']);
    for (const name of ['a2', 'c1', 'b2', 'a3']) {
      end(name);
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'b2']);
  });

  it('limits waiting time and says when to retry', async () => {
    const queue = createFairQueue({ ...LIMITS, atOnce: 1 });
    const { begun, work, end } = works();
    const first = queue.run('a', work('a'));
    const second = queue.run('b', work('b'));
    const refused = second.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(4_999);
    const third = queue.run('c', work('c'));
    await vi.advanceTimersByTimeAsync(1);
    expect(await refused).toMatchObject({ code: 'NOT_READY', retryAfterSeconds: 5 });
    end('a');
    await first;
    await vi.advanceTimersByTimeAsync(0);
    end('c');
    expect(await third).toBe('c');
    expect(begun).toEqual(['a', 'c']);
  });

  it('refuses immediately above the limit per key or in total', async () => {
    const queue = createFairQueue({ ...LIMITS, atOnce: 1, perKey: 2, total: 4 });
    const { work } = works();
    for (const key of ['a', 'a', 'a', 'b', 'c']) void queue.run(key, work(key)).catch(() => {});
    await expect(queue.run('b', work('b'))).rejects.toMatchObject({ code: 'NOT_READY' });
    const roomy = createFairQueue({ ...LIMITS, atOnce: 1, perKey: 2 });
    for (const key of ['a', 'a', 'a']) void roomy.run(key, work(key)).catch(() => {});
    await expect(roomy.run('a', work('a'))).rejects.toMatchObject({ code: 'NOT_READY' });
  });

  it('rejects everyone waiting when the database is down', async () => {
    const queue = createFairQueue({ ...LIMITS, atOnce: 1 });
    let fail: (error: Error) => void = () => {};
    const first = queue.run('a', () => new Promise<string>((_, reject) => (fail = reject)));
    const { begun, work } = works();
    const waiting = ['a', 'b', 'a'].map((name) => queue.run(name, work(name)).catch((error: unknown) => error));
    await vi.advanceTimersByTimeAsync(0);
    fail(new DatabaseUnavailable(new Error('Query read timeout')));
    await expect(first).rejects.toThrow(DatabaseUnavailable);
    for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject({ code: 'NOT_READY' });
    expect(begun).toEqual([]);
    expect(await queue.run('a', () => Promise.resolve('fine'))).toBe('fine');
  });

  it('continues after failed work', async () => {
    const queue = createFairQueue({ ...LIMITS, atOnce: 1 });
    const failed = queue.run('a', () => Promise.reject(new Error('broken')));
    const next = queue.run('a', () => Promise.resolve('fine'));
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('fine');
  });
});
