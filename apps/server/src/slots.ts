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

/** Runs no more than so many of the works that it is given at a time, in their order. */
export function limited(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const slots = createSlots(most);
  return async (work) => {
    await slots.take();
    try {
      return await work();
    } finally {
      slots.give();
    }
  };
}
