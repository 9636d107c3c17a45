export interface Random {
  /** Number in [0, 1). */
  next(): number;
  int(least: number, most: number): number;
  pick<T>(choices: readonly T[]): T;
  shuffle<T>(items: readonly T[]): T[];
  fork(): Random;
}

/** Mulberry32: reproducible, not unpredictable. */
export function createSeededRandom(seed: number): Random {
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
      if (choices.length === 0) throw new Error('Nothing to pick from.');
      return choices[int(0, choices.length - 1)]!;
    },
    shuffle(items) {
      const left = [...items];
      return items.map(() => left.splice(int(0, left.length - 1), 1)[0]!);
    },
    fork: () => createSeededRandom(int(0, 2 ** 32 - 1)),
  };
}
