import { describe, expect, it } from 'vitest';
import { holds, ratioOf, reached, shown } from '../measure/contest.ts';
import { readOptions } from '../measure/bench-options.ts';
import { FULL } from './ticket-field.ts';

describe('contest', () => {
  it('reports median, minimum and maximum', () =>
    expect(reached([3, 9, 1, 5, 4])).toEqual({ median: 4, least: 1, most: 9, rounds: [3, 9, 1, 5, 4] }));

  it('computes the median ratio of rounds', () => expect(ratioOf(reached([30, 20, 9]), reached([10, 10, 10]))).toBe(2));

  it('checks a figure against its limits and fails if it was not measured', () => {
    expect(holds({ label: '', value: 4, atLeast: 4 })).toBe(true);
    expect(holds({ label: '', value: 3.99, atLeast: 4 })).toBe(false);
    expect(holds({ label: '', value: 1.3, atMost: 1.3 })).toBe(true);
    expect(holds({ label: '', value: 1.31, atMost: 1.3 })).toBe(false);
    expect(holds({ label: '', value: Number.NaN, atMost: 1 })).toBe(false);
  });

  it('formats figures with significant digits only', () =>
    expect([0.12345, 12.345, 999.9, 12_345.6].map(shown)).toEqual(['0.123', '12.3', '1,000', '12,346']));
});

describe('readOptions', () => {
  it('returns the full scale with overrides, and the part', () => {
    expect(readOptions([], FULL)).toEqual({ scale: FULL, part: undefined });
    const args = ['http', '--seconds', '2', '--socket-seconds', '7', '--stored', '10,20'];
    expect(readOptions(args, FULL)).toEqual({
      scale: { ...FULL, seconds: 2, socketSeconds: 7, stored: [10, 20] },
      part: 'http',
    });
  });

  it.each(['--seconds=0', '--seconds=1.5', '--seconds=1,2', '--crowds=5,x'])('refuses %s', (option) =>
    expect(() => readOptions([option], FULL)).toThrow(/above 0/),
  );
});
