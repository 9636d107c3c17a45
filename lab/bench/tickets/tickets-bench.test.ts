import { describe, expect, it } from 'vitest';
import { holds, ratioOf, reached, shown } from '../contest.ts';
import { readProfile } from './profile.ts';
import { dashed, FULL, scaleOf } from './ticket-scale.ts';

describe('contest', () => {
  it('tells the middle, the least and the most', () =>
    expect(reached([3, 9, 1, 5, 4])).toEqual({ median: 4, least: 1, most: 9, rounds: [3, 9, 1, 5, 4] }));

  it('tells the ratio of two by their rounds', () =>
    expect(ratioOf(reached([30, 20, 9]), reached([10, 10, 10]))).toBe(2));

  it('holds a figure to its limit, and never one that could not be measured', () => {
    expect(holds({ says: '', value: 4, atLeast: 4 })).toBe(true);
    expect(holds({ says: '', value: 3.99, atLeast: 4 })).toBe(false);
    expect(holds({ says: '', value: 1.3, atMost: 1.3 })).toBe(true);
    expect(holds({ says: '', value: 1.31, atMost: 1.3 })).toBe(false);
    expect(holds({ says: '', value: Number.NaN, atMost: 1 })).toBe(false);
  });

  it('writes figures with as many digits as they have a meaning', () =>
    expect([0.12345, 12.345, 999.9, 12_345.6].map(shown)).toEqual(['0.123', '12.3', '1,000', '12,346']));
});

describe('scaleOf', () => {
  it('is the whole scale, but for what is said otherwise', () => {
    expect(scaleOf({})).toEqual(FULL);
    expect(scaleOf({ seconds: '2', 'socket-seconds': '7', stored: '10,20' })).toEqual({
      ...FULL,
      seconds: 2,
      socketSeconds: 7,
      stored: [10, 20],
    });
    expect(dashed('socketSeconds')).toBe('socket-seconds');
  });

  it.each([{ seconds: '0' }, { seconds: '1.5' }, { seconds: '1,2' }, { crowds: '5,x' }])('refuses %o', (values) =>
    expect(() => scaleOf(values)).toThrow(/above 0/),
  );
});

describe('readProfile', () => {
  const frame = (id: number, functionName: string, url = '') => ({
    id,
    callFrame: { functionName, url, lineNumber: 9 },
  });

  it('leaves out what was before and after', () => {
    const profile = {
      nodes: [frame(1, 'writev'), frame(2, 'stringify'), frame(3, 'slice')],
      samples: [1, 2, 3],
      timeDeltas: [5_000, 4_000, 3_000],
    };
    expect(readProfile(profile, { fromMs: 6, toMs: 10 }).functions).toEqual([{ name: 'stringify', share: 1 }]);
  });

  it('sums the own time of functions and of places, idle time left out', () => {
    const { idle, functions, places } = readProfile({
      nodes: [
        frame(1, '(idle)'),
        frame(2, '(garbage collector)'),
        frame(3, 'takeBatch', 'file:///any/apps/server/src/tickets/take-batch.ts'),
        frame(4, 'judge', 'file:///any/apps/server/src/tickets/judge.ts'),
        frame(5, 'parse', 'file:///any/node_modules/pg-protocol/dist/parser.js'),
        frame(6, 'writev'),
        frame(7, 'stringify'),
      ],
      samples: [1, 2, 3, 4, 5, 6, 7, 3],
      timeDeltas: [800, 10, 30, 40, 50, 20, 10, 40],
    });
    expect(idle).toBe(0.8);
    expect(functions[0]).toEqual({ name: 'takeBatch, apps/server/src/tickets/take-batch.ts:10', share: 0.35 });
    expect(places).toEqual([
      { name: 'own code: tickets', share: 0.55 },
      { name: 'the PostgreSQL driver', share: 0.25 },
      { name: 'writing to and reading from connections', share: 0.1 },
      { name: 'garbage collection', share: 0.05 },
      { name: 'functions of V8: JSON, texts, numbers', share: 0.05 },
    ]);
  });
});
