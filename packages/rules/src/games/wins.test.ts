import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rulesFor } from './rules.ts';
import { COMMISSION_PARTS, earnCommission, paidBy, winHundredths } from './wins.ts';

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

  it('are rounded down otherwise', () => {
    expect(winHundredths({ unitPrice: 33n, qty: 1, payHundredths: 380, booster: 1 })).toBe(125n);
    expect(winHundredths({ unitPrice: 33n, qty: 1, payHundredths: 190, booster: 1 })).toBe(62n);
  });
});

describe('commissions', () => {
  it('carry fractions of a hundredth to the next stake', () => {
    expect(earnCommission(0n, 10_000n, 250)).toEqual({ paid: 250n, remainder: 0n });
    expect(earnCommission(0n, 99n, 250)).toEqual({ paid: 2n, remainder: 4_750n });
    expect(earnCommission(9_999n, 1n, 1)).toEqual({ paid: 1n, remainder: 0n });
  });

  it('sum to the floor of the exact total', () => {
    const stakes = fc.array(fc.record({ stake: fc.bigInt(0n, 10n ** 15n), rate: fc.nat(10_000) }));
    fc.assert(
      fc.property(stakes, (earning) => {
        let [paid, remainder, exact] = [0n, 0n, 0n];
        for (const { stake, rate } of earning) {
          const earned = earnCommission(remainder, stake, rate);
          [paid, remainder, exact] = [paid + earned.paid, earned.remainder, exact + stake * BigInt(rate)];
        }
        expect([paid, remainder]).toEqual([exact / COMMISSION_PARTS, exact % COMMISSION_PARTS]);
      }),
    );
  });
});

describe('the payout of a result', () => {
  it('sums stake × pay × booster over heads, as specified for 3D', () => {
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
