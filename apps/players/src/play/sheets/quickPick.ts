import type { Bet, GameRules, Uniform } from '@drawhouse/rules/games/rules';
import { betsToPick, type PickFrom } from '../boards/boardCells.ts';

/** Picks distinct bets uniformly; all of them if fewer exist. */
export function quickPick(rules: GameRules, from: PickFrom, count: number, random: Uniform): Bet[] {
  const left = betsToPick(rules, from);
  const picked: Bet[] = [];
  while (picked.length < count && left.length > 0) {
    const index = random(left.length);
    picked.push(left[index]!);
    left[index] = left.at(-1)!;
    left.pop();
  }
  return picked;
}

const WORDS = 2 ** 32;

/** The device's randomness serves player choices only, never draws. */
export function deviceRandom(
  fill: (words: Uint32Array<ArrayBuffer>) => void = (words) => crypto.getRandomValues(words),
): Uniform {
  const words = new Uint32Array(1);
  return (n) => {
    const rejectionBound = WORDS - (WORDS % n);
    do fill(words);
    while (words[0]! >= rejectionBound);
    return words[0]! % n;
  };
}
