/** When bets come, and whether answers are awaited. Times are by `performance.now`. */
export interface BetClock {
  /** When the first bets are due; Infinity before. */
  readonly startMs: number;
  readonly endMs: number;
  /** Bets without an answer. */
  readonly underWay: number;
  /** Bets are due from now on, for so many seconds; without them, for ever. */
  start(seconds: number | undefined): void;
  /** A bet is sent. */
  sent(): void;
  /** It has its answer. */
  answered(): void;
  /** Says who looks for what may be done, whenever it is woken. */
  onWake(look: () => void): void;
  /** Something has changed: there may be something to do. */
  wake(): void;
}

/** A clock that has not begun, and wakes nobody yet. */
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

/** In milliseconds since the first bets were due. */
export function sinceStartMs({ startMs }: Pick<BetClock, 'startMs'>): number {
  return Math.max(0, performance.now() - startMs);
}
