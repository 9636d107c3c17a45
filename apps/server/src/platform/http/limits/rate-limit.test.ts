import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRateLimit } from './http-limits.ts';

describe('a rate limit', () => {
  it('allows a burst, then gives a waiting time, per key', () => {
    let now = 0;
    const limit = createRateLimit({ perSecond: 2, burst: 3 }, () => now);
    expect([1, 2, 3].map(() => limit.take('a'))).toEqual([0, 0, 0]);
    expect(limit.take('a')).toBe(500);
    expect(limit.take('a')).toBe(500);
    expect(limit.take('b')).toBe(0);
    now += 500;
    expect(limit.take('a')).toBe(0);
    expect(limit.take('a')).toBe(500);
    now += 60_000;
    expect([1, 2, 3, 4].map(() => limit.take('a'))).toEqual([0, 0, 0, 500]);
  });

  it("charges a call's cost, all or nothing", () => {
    const limit = createRateLimit({ perSecond: 1, burst: 10 }, () => 0);
    expect(limit.take('a', 8)).toBe(0);
    expect(limit.take('a', 3)).toBe(1000);
    expect(limit.take('a', 2)).toBe(0);
  });

  it('allows a cost above the burst after a rest', () => {
    let now = 0;
    const limit = createRateLimit({ perSecond: 1, burst: 3 }, () => now);
    expect(limit.take('a', 20)).toBe(0);
    expect(limit.take('a', 20)).toBe(3000);
    now += 3_000;
    expect(limit.take('a', 20)).toBe(0);
  });

  it('adds no wait when the clock is set back', () => {
    let now = 1_000_000_000;
    const limit = createRateLimit({ perSecond: 1, burst: 2 }, () => now);
    limit.take('a');
    now = 0;
    expect([1, 2, 3].map(() => limit.take('a'))).toEqual([0, 0, 1000]);
    // Clock step smaller than a burst.
    now = -1_000;
    expect([1, 2, 3].map(() => limit.take('a'))).toEqual([0, 0, 1000]);
  });

  it('never exceeds burst and rate in any period', () => {
    const steps = fc.array(fc.record({ waitMs: fc.nat(3_000), calls: fc.integer({ min: 1, max: 30 }) }));
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }), (list, perSecond, burst) => {
        let now = 0;
        const limit = createRateLimit({ perSecond, burst }, () => now);
        const passed: number[] = [];
        for (const { waitMs, calls } of list) {
          now += waitMs;
          for (let n = 0; n < calls; n++) if (limit.take('a') === 0) passed.push(now);
        }
        for (const [first, from] of passed.entries())
          for (const [index, to] of passed.entries())
            if (index >= first)
              expect(index - first + 1).toBeLessThanOrEqual(burst + ((to - from) / 1000) * perSecond + 1e-6);
      }),
    );
  });

  it('evicts the least recently used key', () => {
    const limit = createRateLimit({ perSecond: 1, burst: 1 }, () => 0, { keysMax: 2 });
    limit.take('a');
    limit.take('b');
    limit.take('a');
    limit.take('c');
    expect(['a', 'b', 'c'].filter((key) => limit.knows(key))).toEqual(['a', 'c']);
    limit.forget('a');
    expect(limit.take('a')).toBe(0);
  });
});
