/** Random numbers that a seed repeats. */
export interface Random {
  /** A number from 0 up to 1. */
  next(): number;
  /** A whole number from `least` to `most`. */
  int(least: number, most: number): number;
  /** One of these; throws where there is none. */
  pick<T>(choices: readonly T[]): T;
  /** These in another order. */
  shuffle<T>(items: readonly T[]): T[];
  /** Random numbers of their own, which no other one's use moves. */
  fork(): Random;
}

/** Random numbers from a seed: Mulberry32, which is enough to choose what happens when, and for nothing that must not be foreseen. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    int,
    pick(choices) {
      if (choices.length === 0) throw new Error('There is nothing to pick from.');
      return choices[int(0, choices.length - 1)]!;
    },
    shuffle(items) {
      const left = [...items];
      return items.map(() => left.splice(int(0, left.length - 1), 1)[0]!);
    },
    fork: () => seeded(int(0, 2 ** 32 - 1)),
  };
}
