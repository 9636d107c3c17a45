import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutoffHundredths, stakesByHead } from './panel-rows.ts';
import { rulesFor } from '../games/rules.ts';

describe('stakes per head on a number', () => {
  const lottery = rulesFor({ gameId: 'lottery3d', family: 'lottery3d', digits: 1000 });
  const stakesOn = (drawno: string, stakes: Record<string, bigint>) =>
    stakesByHead(
      lottery,
      lottery.outcomes.find((each) => each.drawno === drawno)!,
      (key) => stakes[key] ?? 0n,
    );

  it('lists the winning stakes and payouts of all seven 3D heads', () => {
    const rows = stakesOn('213', {
      'straight:213': 200n,
      'spbox:123': 350n,
      'fp:21': 100n,
      'bp:13': 400n,
      'sp:23': 500n,
      'ap:21': 600n,
      'ap:13': 700n,
    });
    expect(rows.map(({ head, stake, wins }) => [head.label, stake, wins])).toEqual([
      ['Straight', 200n, 180_000n],
      ['SP Box', 350n, 52_500n],
      ['DP Box', 0n, 0n],
      ['Any Pair', 1_300n, 78_000n],
      ['Front Pair', 100n, 9_000n],
      ['Back Pair', 400n, 36_000n],
      ['Split Pair', 500n, 45_000n],
    ]);
  });

  it('counts a repeated pair once', () => {
    const [, , doubles, pairs] = stakesOn('111', { 'ap:11': 500n, 'dpbox:112': 900n });
    expect(pairs).toMatchObject({ stake: 500n, wins: 30_000n });
    expect(doubles).toMatchObject({ stake: 0n, wins: 0n });
  });
});

describe('the cutoff of a margin', () => {
  it("is the margin's remainder of the collection", () => {
    expect(cutoffHundredths(100_000n, 30)).toBe(70_000n);
    expect(cutoffHundredths(100_000n, 0)).toBe(100_000n);
    expect(cutoffHundredths(100_000n, 100)).toBe(0n);
    expect(cutoffHundredths(0n, 30)).toBe(0n);
    expect(cutoffHundredths(5n, 30)).toBe(4n);
  });

  it('is the smallest net in hundredths that passes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 13n }), fc.integer({ min: 0, max: 100 }), (collection, margin) => {
        const passes = (net: bigint) => net * 100n >= collection * 100n - collection * BigInt(margin);
        const cutoff = cutoffHundredths(collection, margin);
        expect(passes(cutoff)).toBe(true);
        expect(passes(cutoff - 1n)).toBe(false);
      }),
    );
  });
});
