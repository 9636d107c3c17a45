/** Times are by `performance.now`. */
export interface BetClock {
  /** When the first bets are due; Infinity before the start. */
  readonly startMs: number;
  readonly endMs: number;
  readonly underWay: number;
  /** Without `seconds`, runs until stopped. */
  start(seconds: number | undefined): void;
  sent(): void;
  answered(): void;
  onWake(look: () => void): void;
  wake(): void;
}

export function createBetClock(): BetClock {
  let [startMs, endMs, underWay] = [Infinity, Infinity, 0];
  let look = (): void => {};
  return {
    get startMs() {
      return startMs;
    },
    get endMs() {
      return endMs;
    },
    get underWay() {
      return underWay;
    },
    start(seconds) {
      startMs = performance.now();
      if (seconds !== undefined) endMs = startMs + seconds * 1000;
    },
    sent() {
      underWay++;
    },
    answered() {
      underWay--;
    },
    onWake(looks) {
      look = looks;
    },
    wake: () => look(),
  };
}

export function sinceStartMs({ startMs }: Pick<BetClock, 'startMs'>): number {
  return Math.max(0, performance.now() - startMs);
}
