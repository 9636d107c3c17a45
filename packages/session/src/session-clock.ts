/** Both clocks of this machine at one moment: the one on the wall, which people set, and one that only runs forward. */
export interface Reading {
  /** Milliseconds since 1970. */
  readonly wall: number;
  /** Milliseconds since this tab began; on most machines it stands still while they sleep. */
  readonly steady: number;
}

/** When a session ends if nothing more is done, on both clocks. */
export type Deadline = Reading;

/** How a session stands: `doubtful` when its time is up by one clock and not by the other, which only the server can tell. */
export type SessionPhase = 'running' | 'warning' | 'ended' | 'doubtful';

/** What is known of how long a session lasts. */
export interface SessionLife {
  /** When it ends by the wall clock of this machine, if nothing more is done. */
  readonly expiresAt: number;
  /** How long a use keeps it, in milliseconds, as the server has shown; 0 until it has. */
  readonly idleMs: number;
  /** It has come to its longest time: further use does not keep it. */
  readonly final: boolean;
}

/** The end of a session is announced this long before it comes. */
export const WARN_BEFORE_MS = 2 * 60 * 1000;
/** Clocks this close to each other, and lives this close in length, are the same. */
const CLOSE_MS = 5000;
/** Looking at the clock at least this often finds out about a laptop that has slept. */
const LOOK_MS = 15_000;
const SECOND_MS = 1000;

/** How far the server's clock is ahead of this machine's, from the `Date` of an answer; 0 where they agree or nothing is known. */
export function serverAhead(date: string | null, wall: number): number {
  const server = Date.parse(date ?? '');
  // The header leaves out the part of the second, which is half a second on average.
  const ahead = server + SECOND_MS / 2 - wall;
  return Number.isNaN(ahead) || Math.abs(ahead) < CLOSE_MS ? 0 : ahead;
}

/** What the server's word on a session's end means here. `known` is what was known before, null at a sign-in. */
export function lifeOf(expiresAt: string, ahead: number, wall: number, known: SessionLife | null): SessionLife {
  const here = Date.parse(expiresAt) - ahead;
  const left = here - wall;
  const idleMs = Math.max(known?.idleMs ?? 0, left);
  return { expiresAt: here, idleMs, final: left < idleMs - CLOSE_MS };
}

/** The life after the server has accepted a use just now. */
export function lifeAfterUse(life: SessionLife, wall: number): SessionLife {
  return life.final || life.idleMs === 0 ? life : { ...life, expiresAt: wall + life.idleMs };
}

/** The moment at which a session ends, on both clocks. */
export function deadlineOf(expiresAt: number, now: Reading): Deadline {
  return { wall: expiresAt, steady: now.steady + (expiresAt - now.wall) };
}

/** How a session stands now, and how long it still has by the clock that says less. */
export function sessionPhase(deadline: Deadline, now: Reading): { phase: SessionPhase; leftMs: number } {
  const byWall = deadline.wall - now.wall;
  const bySteady = deadline.steady - now.steady;
  const leftMs = Math.max(0, Math.min(byWall, bySteady));
  if (leftMs > 0) return { phase: leftMs <= WARN_BEFORE_MS ? 'warning' : 'running', leftMs };
  return { phase: Math.max(byWall, bySteady) > CLOSE_MS ? 'doubtful' : 'ended', leftMs };
}

/** When to look at the clock again, in milliseconds: at the next thing that happens, and often enough to see a sleep. */
export function nextLookMs(phase: SessionPhase, leftMs: number): number {
  if (phase === 'warning') return leftMs % SECOND_MS || SECOND_MS;
  return phase === 'running' ? Math.min(LOOK_MS, leftMs - WARN_BEFORE_MS) : LOOK_MS;
}
