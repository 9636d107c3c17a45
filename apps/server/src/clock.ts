/** The one source of time. It is given to whatever needs it, so that tests move time by hand. */
export interface Clock {
  now(): Date;
}

/** The real time of this machine, for what runs for a moment; the server has a {@link createSteadyClock}. */
export const systemClock: Clock = { now: () => new Date() };

/** What a machine knows of time, in milliseconds: what its clock says, and how long it has run, which no setting of the clock changes. */
export interface Machine {
  clockMs(): number;
  elapsedMs(): number;
}

const THIS_MACHINE: Machine = { clockMs: () => Date.now(), elapsedMs: () => performance.now() };

/** A step back of up to this is slewed: that of a machine whose clock is kept by the network, now and then. */
const SLEWED_MOST_MS = 60_000;
/** How fast time runs then: what a countdown shows stays near, and a minute is caught up with in two. */
const SLEWED_SPEED = 0.5;

/** A clock that went back: by how much, and from when. */
export interface StepBack {
  readonly byMs: number;
  readonly from: Date;
  /** Whether time goes on at half speed; else it has gone back too, and what was done by then waits. */
  readonly isSlewed: boolean;
}

/** A jump of the machine's clock: when it was seen, by the time after it, and by how much it went forward, or back where that is below 0. */
export interface ClockStep {
  readonly at: Date;
  readonly byMs: number;
}

/** From this on a step forward is a jump: less is what the look at two clocks one after the other may come to. */
const FORWARD_LEAST_MS = 2_000;

/** A clock whose time does not go back with a small step of the machine's. */
export interface SteadyClock extends Clock {
  /** Goes on from the latest time that a server before this one is known to have had: the machine's may have gone back since. */
  goOnFrom(latest: Date): void;
  /** When time is again where it was before it went back with the machine's; undefined where it is. */
  behindUntil(): Date | undefined;
  /** The last step of the machine's clock since it was made: back by a second or more, or forward by two; that of a machine that slept, too. */
  lastStep(): ClockStep | undefined;
  /** So many of these there were. */
  stepCount(): number;
}

/**
 * The time that all decisions go by, on one server. It is that of the machine's clock, but when that steps back by up to a minute it runs
 * on at half speed until the clock has caught up: draws that have opened stay open, and bets are taken. By a larger step a clock was
 * corrected that had been wrong, so time goes back with it: no draw is drawn twice, so bets wait until the time is there again at which it
 * went back. Forward it goes at once, as after a machine has slept: what was due meanwhile is done. `steppedBack` hears of each step back
 * by a second or more.
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

  /** Time was at `fromMs`, and the clock of the machine has gone back by this. */
  function goBack(fromMs: number, byMs: number): void {
    const isSlewed = byMs <= SLEWED_MOST_MS;
    if (isSlewed) nowMs = fromMs;
    else behindUntilMs = Math.max(behindUntilMs, fromMs);
    if (byMs < 1_000) return;
    noteStep(-byMs);
    steppedBack({ byMs, from: new Date(fromMs), isSlewed });
  }

  function look(): number {
    const [toldMs, ranMs] = [machine.clockMs(), machine.elapsedMs()];
    const passedMs = ranMs - elapsedMs;
    const byMs = clockMs + passedMs - toldMs;
    const slewedMs = nowMs + passedMs * SLEWED_SPEED;
    clockMs = toldMs;
    elapsedMs = ranMs;
    nowMs = toldMs;
    if (slewedMs > toldMs) goBack(slewedMs, byMs);
    else if (byMs <= -FORWARD_LEAST_MS) noteStep(-byMs);
    return nowMs;
  }

  return {
    now: () => new Date(look()),
    goOnFrom(latest) {
      const byMs = latest.getTime() - look();
      if (byMs > 0) goBack(latest.getTime(), byMs);
    },
    behindUntil: () => (look() < behindUntilMs ? new Date(behindUntilMs) : undefined),
    lastStep: () => lastStep,
    stepCount: () => stepCount,
  };
}
