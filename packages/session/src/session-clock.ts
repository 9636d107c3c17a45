/** Wall clock (adjustable) and monotonic clock, read together. */
export interface Reading {
  /** Unix milliseconds. */
  readonly wall: number;
  /** Milliseconds since the tab opened. Usually stops during sleep. */
  readonly steady: number;
}

export type Deadline = Reading;

/** `doubtful`: the clocks disagree about the end. Only the server knows. */
export type SessionPhase = 'running' | 'warning' | 'ended' | 'doubtful';

export interface SessionLife {
  /** End by this machine's wall clock, without further use. */
  readonly expiresAt: number;
  /** Milliseconds per use. 0 until the server has shown it. */
  readonly idleMs: number;
  /** Use no longer extends it. */
  readonly final: boolean;
}

export const WARN_BEFORE_MS = 2 * 60 * 1000;
/** Tolerance for clock differences and lifetimes. */
const CLOSE_MS = 5000;
/** Maximum delay in noticing sleep. */
const CHECK_MS = 15_000;
const SECOND_MS = 1000;

/** Subtracts the local clock from the server's `Date` header. 0 if close or unknown. */
export function serverAhead(date: string | null, wall: number): number {
  const server = Date.parse(date ?? '');
  // `Date` drops fractions: half a second on average.
  const ahead = server + SECOND_MS / 2 - wall;
  return Number.isNaN(ahead) || Math.abs(ahead) < CLOSE_MS ? 0 : ahead;
}

/** `known` is null at sign-in. */
export function lifeOf(expiresAt: string, ahead: number, wall: number, previous: SessionLife | null): SessionLife {
  const localMs = Date.parse(expiresAt) - ahead;
  const left = localMs - wall;
  const idleMs = Math.max(previous?.idleMs ?? 0, left);
  return { expiresAt: localMs, idleMs, final: left < idleMs - CLOSE_MS };
}

export function lifeAfterUse(life: SessionLife, wall: number): SessionLife {
  return life.final || life.idleMs === 0 ? life : { ...life, expiresAt: wall + life.idleMs };
}

export function deadlineOf(expiresAt: number, now: Reading): Deadline {
  return { wall: expiresAt, steady: now.steady + (expiresAt - now.wall) };
}

/** Uses the clock that shows less. */
export function sessionPhase(deadline: Deadline, now: Reading): { phase: SessionPhase; leftMs: number } {
  const byWall = deadline.wall - now.wall;
  const bySteady = deadline.steady - now.steady;
  const leftMs = Math.max(0, Math.min(byWall, bySteady));
  if (leftMs > 0) return { phase: leftMs <= WARN_BEFORE_MS ? 'warning' : 'running', leftMs };
  return { phase: Math.max(byWall, bySteady) > CLOSE_MS ? 'doubtful' : 'ended', leftMs };
}

/** Waits until the next event, but briefly enough to detect sleep. */
export function nextCheckMs(phase: SessionPhase, leftMs: number): number {
  if (phase === 'warning') return leftMs % SECOND_MS || SECOND_MS;
  return phase === 'running' ? Math.min(CHECK_MS, leftMs - WARN_BEFORE_MS) : CHECK_MS;
}
