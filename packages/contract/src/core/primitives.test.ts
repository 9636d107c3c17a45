import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amount,
  hundredthsIn,
  hundredthsOf,
  id,
  parseExactly,
  percent,
  percentHundredthsOf,
  percentOf,
  percentOfShare,
  pointsOf,
  pointsText,
  requiredText,
  roleAbove,
  roleBelow,
  ROLES,
  sumPoints,
  wholeNumber,
} from './primitives.ts';

/** Above 2^46 points, neighboring hundredths share one double. */
const EXACT_HUNDREDTHS = 2n ** 46n * 100n;

describe('points and hundredths', () => {
  it.each([
    [0n, '0.00'],
    [5n, '0.05'],
    [24_892_350n, '248,923.50'],
    [-99_999_999_999n, '−999,999,999.99'],
    [9_007_199_254_740_991n, '90,071,992,547,409.91'],
  ])('parse input such as %s', (value, text) => {
    expect(pointsText(value)).toBe(text);
  });

  it('survive a round trip', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: EXACT_HUNDREDTHS }), (value) => {
        expect(hundredthsOf(pointsOf(value))).toBe(value);
      }),
      { numRuns: 2_000 },
    );
  });

  it('stay exact beyond doubles, in text, JSON and sums', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }), (value) => {
        const points = pointsOf(value);
        expect(hundredthsIn(points)).toBe(value);
        const text = JSON.stringify({ points });
        expect(text).toBe(`{"points":${String(points)}}`);
        expect(hundredthsIn((parseExactly(text) as { points: number }).points)).toBe(value);
        expect((JSON.parse(text) as { points: number }).points - points).toBe(0);
        expect(hundredthsIn(sumPoints([points, 0.01]))).toBe(value + 1n);
      }),
      { numRuns: 500, examples: [[9_007_199_254_740_993n], [-9_007_199_254_740_993n], [EXACT_HUNDREDTHS]] },
    );
    expect(String(pointsOf(9_007_199_254_740_993n))).toBe('90071992547409.93');
  });

  it('accept exactly multiples of a hundredth', () => {
    const nearHundredths = fc
      .tuple(fc.nat(2 ** 31 - 1), fc.integer({ min: -2, max: 2 }))
      .map(([count, off]) => count / 100 + off / 100_000);
    fc.assert(
      fc.property(fc.oneof(fc.double({ min: -1e6, max: 1e12 }), fc.double(), nearHundredths), (points) => {
        // Above 2^45 points, rounding may land on the neighboring count.
        const about = Math.round(points * 100);
        const count = [about - 1, about, about + 1].find((near) => near / 100 === points) ?? -1;
        if (count >= 0 && count <= Number(EXACT_HUNDREDTHS)) expect(hundredthsOf(points)).toBe(BigInt(count));
        else if (!(points > 2 ** 46)) expect(hundredthsOf(points)).toBeNull();
      }),
      { numRuns: 2_000, examples: [[35_626_390_317_575.09]] },
    );
  });

  it.each([
    [0.29, 29n],
    [1.1, 110n],
    [12, 1200n],
    [0, 0n],
    [4.35, 435n],
    [1_000_000.01, 100_000_001n],
  ])('read %d exactly', (points, value) => {
    expect(hundredthsOf(points)).toBe(value);
  });

  it.each([1.005, -1, -0.01, Number.NaN, Infinity, -Infinity, 1e21, 1e-7, 0.001, 2 ** 53, 90_071_992_547_410])(
    'refuse %d',
    (points) => {
      expect(hundredthsOf(points)).toBeNull();
      expect(amount.safeParse(points).success).toBe(false);
    },
  );

  it('show negative amounts', () => {
    expect(pointsOf(-4_950n)).toBe(-49.5);
  });

  it('end at 2^53 − 1 hundredths', () => {
    expect(hundredthsOf(90_071_992_547_409.9)).toBe(9_007_199_254_740_990n);
    expect(hundredthsOf(90_071_992_547_409.98)).toBeNull();
  });
});

describe('percentages', () => {
  it('survive a round trip from 0 to 100 by hundredths', () => {
    for (let value = 0; value <= 10_000; value++) {
      expect(percentHundredthsOf(percentOf(value))).toBe(value);
      expect(percent.safeParse(percentOf(value)).success).toBe(true);
    }
  });

  it.each([100.01, -0.01, 2.005, Number.NaN, '5', null])('refuse %s', (value) => {
    expect(percent.safeParse(value).success).toBe(false);
  });
});

describe('shares', () => {
  it('are percentages in hundredths, also above 100', () => {
    expect([0, 0.95473, 0.95475, 1, 1.23456, 18].map(percentOfShare)).toEqual([0, 95.47, 95.48, 100, 123.46, 1800]);
  });
});

describe('amounts', () => {
  it.each([0, -0, '5', null, undefined, true, [5], {}])('refuse %s', (value) => {
    expect(amount.safeParse(value).success).toBe(false);
  });

  it('start at one hundredth', () => {
    expect(amount.parse(0.01)).toBe(0.01);
  });
});

describe('texts', () => {
  const text = requiredText('Reason is required', 5);

  it('are trimmed before measuring', () => {
    expect(text.parse('  abcde ')).toBe('abcde');
    expect(text.safeParse('abcdef').success).toBe(false);
  });

  it.each(['', '   ', undefined, null, 5])('report a required value for %s', (value) => {
    expect(text.safeParse(value).error?.issues[0]?.message).toBe('Reason is required');
  });
});

describe('integers of a query', () => {
  const page = wholeNumber(1, 500);

  it('are parsed from text', () => {
    expect(page.parse('1')).toBe(1);
    expect(page.parse('500')).toBe(500);
  });

  it.each(['0', '501', '1.5', '1e2', '-1', '', ' 1', '0x10', '1234567890', 7])('refuse %s', (value) => {
    expect(page.safeParse(value).success).toBe(false);
  });
});

describe('ids', () => {
  it.each(['x', '', '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7', "0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d'", 7, null])(
    'refuse %s',
    (value) => {
      expect(id.safeParse(value).success).toBe(false);
    },
  );
});

describe('roles', () => {
  it('are ordered from first to last', () => {
    const downwards = [ROLES[0]];
    for (let below = roleBelow(ROLES[0]); below; below = roleBelow(below)) downwards.push(below as never);
    expect(downwards).toEqual(['superadmin', 'admin', 'superdistributor', 'distributor', 'retailer', 'user']);
    for (const role of ROLES.slice(1)) expect(roleBelow(roleAbove(role)!)).toBe(role);
    expect(roleAbove('superadmin')).toBeNull();
  });
});
