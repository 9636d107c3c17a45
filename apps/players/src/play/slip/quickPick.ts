import type { Bet, GameRules, Uniform } from '@drawhouse/rules/rules';
import { betsToPick } from './betsToPick.ts';
import type { PickFrom } from './betsToPick.ts';

/** So many different bets, each as likely as any other; all of them where there are no more. */
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

/** Uniform choices of the device's own random source. They choose what a player lays, and nothing of what is drawn. */
export function deviceRandom(
  fill: (words: Uint32Array<ArrayBuffer>) => void = (words) => crypto.getRandomValues(words),
): Uniform {
  const words = new Uint32Array(1);
  return (n) => {
    const keptBelow = WORDS - (WORDS % n);
    do fill(words);
    while (words[0]! >= keptBelow);
    return words[0]! % n;
  };
}
