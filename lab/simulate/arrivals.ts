/** When bets are due. They are made one after the other as they are asked for, so that however many lie behind take no memory. */
export interface Arrivals {
  /** When the next one is due, in the milliseconds of the start. */
  readonly nextMs: number;
  /** Takes it, and gives when it was due. */
  take(): number;
}

/**
 * Bets at random times, so many a second in the long run, whatever becomes of them: people do not wait for each other, nor bet in
 * step, so the gaps are exponential. `random` gives numbers from 0 to below 1.
 */
export function arrivals(rate: number, startMs: number, random: () => number = Math.random): Arrivals {
  const gap = (): number => (-Math.log(1 - random()) * 1000) / rate;
  let nextMs = startMs + gap();
  return {
    get nextMs() {
      return nextMs;
    },
    take() {
      const due = nextMs;
      nextMs += gap();
      return due;
    },
  };
}
