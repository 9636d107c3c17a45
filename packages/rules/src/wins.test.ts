import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rulesFor } from './rules.ts';
import { commissionHundredths, paidBy, winHundredths } from './wins.ts';

describe('wins', () => {
  it('are exact for prices in whole points', () => {
    const qty = fc.integer({ min: 1, max: 1_000_000 });
    const payHundredths = fc.constantFrom(190, 380, 900, 90_000);
    const booster = fc.integer({ min: 1, max: 20 });
    fc.assert(
      fc.property(fc.bigInt(1n, 1000n), qty, payHundredths, booster, (points, units, pay, times) => {
        const win = winHundredths({ unitPrice: points * 100n, qty: units, payHundredths: pay, booster: times });
        expect(win).toBe(points * BigInt(units) * BigInt(pay) * BigInt(times));
      }),
    );
  });

  it('are floored where the price is not', () => {
    expect(winHundredths({ unitPrice: 33n, qty: 1, payHundredths: 380, booster: 1 })).toBe(125n);
    expect(winHundredths({ unitPrice: 33n, qty: 1, payHundredths: 190, booster: 1 })).toBe(62n);
  });
});

describe('commissions', () => {
  it('are floored, so that those of a chain of 100 % never exceed the stake', () => {
    expect(commissionHundredths(10_000n, 250)).toBe(250n);
    expect(commissionHundredths(99n, 250)).toBe(2n);
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), fc.nat(10_000), (stake, percent) => {
        const parts = commissionHundredths(stake, percent) + commissionHundredths(stake, 10_000 - percent);
        expect(parts <= stake && parts >= stake - 1n).toBe(true);
      }),
    );
  });
});

describe('what a result pays', () => {
  it('is the sum over heads of stake × pay × booster, as the specification words it for 3D', () => {
    const rules = rulesFor({ gameId: 'lottery3d', family: 'lottery3d', digits: 1000 });
    const stakes = new Map([
      ['straight:123', 100n],
      ['spbox:123', 200n],
      ['ap:13', 300n],
      ['sp:13', 400n],
      ['bp:13', 500n],
    ]);
    const pays = (100n * 900n + 200n * 150n + 300n * 60n + 400n * 90n) * 2n;
    const stakeOf = (key: string): bigint => stakes.get(key) ?? 0n;
    expect(paidBy(rules, stakeOf, { drawno: '123' }, 2)).toBe(pays);
    expect(paidBy(rules, stakeOf, { drawno: '999' }, 2)).toBe(0n);
  });
});
