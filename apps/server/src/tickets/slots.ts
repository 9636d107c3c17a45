/** So many at a time; whoever comes next waits for its turn, in order. */
export interface Slots {
  take(): Promise<void>;
  give(): void;
}

/** Makes as many slots. */
export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    take() {
      if (free === 0) return new Promise((resolve) => waiting.push(resolve));
      free--;
      return Promise.resolve();
    },
    give() {
      const next = waiting.shift();
      if (next) next();
      else free++;
    },
  };
}
