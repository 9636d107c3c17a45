import type { GameRules, Head, Outcome } from '../games/game-rules.ts';
import { winHundredths, type Hundredths } from '../games/wins.ts';

export type HeadStake = {
  head: Head;
  /** Whole stakes of all winning bets, even of those that count on a number by share. */
  stake: Hundredths;
  wins: Hundredths;
};

export function stakesByHead(
  { heads, outcomeBets }: GameRules,
  outcome: Outcome,
  stakeOf: (key: string) => Hundredths,
): HeadStake[] {
  const betsByHead = Map.groupBy(outcomeBets(outcome), ({ head }) => head);
  return heads.map((head) => {
    let stake = 0n;
    let wins = 0n;
    for (const { key, payHundredths } of betsByHead.get(head.name) ?? []) {
      const staked = stakeOf(key);
      stake += staked;
      wins += winHundredths({ unitPrice: staked, qty: 1, payHundredths, booster: 1 });
    }
    return { head, stake, wins };
  });
}

/**
 * Minimum net of a tier's collection for a margin in percent (docs/spec/game-operations.md §9): collection − collection
 * × margin / 100, in hundredths, rounded up.
 */
export function cutoffHundredths(collection: Hundredths, margin: number): Hundredths {
  return collection - (collection * BigInt(margin)) / 100n;
}
