import type { GameRules, Head, Outcome } from './game-rules.ts';
import { winHundredths } from './wins.ts';
import type { Hundredths } from './wins.ts';

/** What one kind of bet has on an outcome, in hundredths of a point. */
export type LaidByHead = {
  head: Head;
  /** The stakes that win if the outcome is drawn. */
  stake: Hundredths;
  /** What those win with booster 1. */
  wins: Hundredths;
};

/** What each kind of bet has on an outcome, in the order of the game; `stakeOf` tells the stakes of a bet by its key. */
export function laidByHead(
  { heads, outcomeBets }: GameRules,
  outcome: Outcome,
  stakeOf: (key: string) => Hundredths,
): LaidByHead[] {
  const laid = Map.groupBy(outcomeBets(outcome), ({ head }) => head);
  return heads.map((head) => {
    let stake = 0n;
    let wins = 0n;
    for (const { key, payHundredths } of laid.get(head.name) ?? []) {
      const staked = stakeOf(key);
      stake += staked;
      wins += winHundredths({ unitPrice: staked, qty: 1, payHundredths, booster: 1 });
    }
    return { head, stake, wins };
  });
}
