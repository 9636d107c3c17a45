export interface Semaphore {
  acquire(): Promise<void>;
  release(): void;
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createSemaphore(count: number): Semaphore {
  let free = count;
  const waiting: (() => void)[] = [];

  function acquire(): Promise<void> {
    if (free === 0) return new Promise((resolve) => waiting.push(resolve));
    free--;
    return Promise.resolve();
  }

  function release(): void {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }

  return {
    acquire,
    release,
    async run(work) {
      await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
