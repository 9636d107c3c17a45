import type { Bet, GameRules, Uniform } from '@drawhouse/rules/rules';

/** Which bets a quick pick chooses among: those of a kind, and where the game has them, of a tier or sub-series. */
export interface PickFrom {
  readonly head: string;
  readonly series?: string | undefined;
  readonly subseries?: string | undefined;
}

/** Every bet of a kind that can be laid, in the order of the game. */
export function betsToPick(
  { outcomes, cardTypes = [], colors = [], outcomeBets, betOf }: GameRules,
  from: PickFrom,
): Bet[] {
  const cells = [...outcomes, ...cardTypes, ...colors].filter(
    ({ series, subseries }) =>
      (from.series === undefined || series === from.series) &&
      (from.subseries === undefined || subseries === from.subseries),
  );
  const keys = cells.flatMap((cell) => outcomeBets(cell).flatMap(({ key, head }) => (head === from.head ? [key] : [])));
  return [...new Set(keys)].map((key) => betOf(key)!);
}

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
