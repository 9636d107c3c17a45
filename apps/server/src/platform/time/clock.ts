/** The only source of time, injected so tests can control it. */
export interface Clock {
  now(): Date;
}

/** Short-lived processes use this; the server uses {@link createSteadyClock}. */
export const systemClock: Clock = { now: () => new Date() };

export interface Machine {
  clockMs(): number;
  elapsedMs(): number;
}

const THIS_MACHINE: Machine = { clockMs: () => Date.now(), elapsedMs: () => performance.now() };

/** Larger steps are not slewed. Covers network time corrections. */
const SLEWED_MOST_MS = 60_000;
/** Countdowns stay close, and one minute is caught up in two. */
const SLEWED_SPEED = 0.5;

export interface StepBack {
  readonly byMs: number;
  readonly from: Date;
  /** Slewed at half speed; otherwise time went back, and bets wait. */
  readonly isSlewed: boolean;
}

/** `at`: time after the jump. `byMs` is negative for a step back. */
export interface ClockStep {
  readonly at: Date;
  readonly byMs: number;
}

const FORWARD_LEAST_MS = 2_000;

export interface SteadyClock extends Clock {
  /** The machine's clock may have gone back since the previous server's latest time. */
  goOnFrom(latest: Date): void;
  /** Undefined unless time is behind an earlier value. */
  behindUntil(): Date | undefined;
  /** Last jump: back by a second or more, forward by two; includes sleep. */
  lastStep(): ClockStep | undefined;
  stepCount(): number;
}

/**
 * Backward steps up to a minute are slewed at half speed, so open draws stay open and bets continue. Larger steps mean
 * a wrong clock was corrected: time goes back, and bets wait until it catches up, because no draw is drawn twice.
 * Forward steps apply immediately, as after sleep; due work then runs. `steppedBack` gets steps of a second or more.
 */
export function createSteadyClock(
  steppedBack: (step: StepBack) => void = () => {},
  machine: Machine = THIS_MACHINE,
): SteadyClock {
  let clockMs = machine.clockMs();
  let elapsedMs = machine.elapsedMs();
  let nowMs = clockMs;
  let behindUntilMs = -Infinity;
  let lastStep: ClockStep | undefined;
  let stepCount = 0;

  function noteStep(byMs: number): void {
    lastStep = { at: new Date(nowMs), byMs };
    stepCount++;
  }

  function goBack(fromMs: number, byMs: number): void {
    const isSlewed = byMs <= SLEWED_MOST_MS;
    if (isSlewed) nowMs = fromMs;
    else behindUntilMs = Math.max(behindUntilMs, fromMs);
    if (byMs < 1_000) return;
    noteStep(-byMs);
    steppedBack({ byMs, from: new Date(fromMs), isSlewed });
  }

  function read(): number {
    const [readMs, ranMs] = [machine.clockMs(), machine.elapsedMs()];
    const passedMs = ranMs - elapsedMs;
    const byMs = clockMs + passedMs - readMs;
    const slewedMs = nowMs + passedMs * SLEWED_SPEED;
    clockMs = readMs;
    elapsedMs = ranMs;
    nowMs = readMs;
    if (slewedMs > readMs) goBack(slewedMs, byMs);
    else if (byMs <= -FORWARD_LEAST_MS) noteStep(-byMs);
    return nowMs;
  }

  return {
    now: () => new Date(read()),
    goOnFrom(latest) {
      const byMs = latest.getTime() - read();
      if (byMs > 0) goBack(latest.getTime(), byMs);
    },
    behindUntil: () => (read() < behindUntilMs ? new Date(behindUntilMs) : undefined),
    lastStep: () => lastStep,
    stepCount: () => stepCount,
  };
}

/** Half-open: `until` is exclusive. */
export interface Period {
  readonly from: Date;
  readonly until: Date;
}

/** `endDate` is inclusive, to the millisecond. */
export function periodBetween({ startDate, endDate }: { startDate: string; endDate: string }): Period {
  return { from: new Date(startDate), until: new Date(Date.parse(endDate) + 1) };
}

export function periodsBetween(ends: readonly Date[]): Period[] {
  return ends.slice(1).map((until, index) => ({ from: ends[index]!, until }));
}
