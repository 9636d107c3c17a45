/** So many at a time; whoever comes next waits for its turn, in order. */
export interface Semaphore {
  acquire(): Promise<void>;
  release(): void;
}

/** Makes one that lets so many at a time. */
export function createSemaphore(count: number): Semaphore {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    acquire() {
      if (free === 0) return new Promise((resolve) => waiting.push(resolve));
      free--;
      return Promise.resolve();
    },
    release() {
      const next = waiting.shift();
      if (next) next();
      else free++;
    },
  };
}

/** Runs no more than so many of the works that it is given at a time, in their order. */
export function withSemaphore(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const semaphore = createSemaphore(most);
  return async (work) => {
    await semaphore.acquire();
    try {
      return await work();
    } finally {
      semaphore.release();
    }
  };
}
