import { createSemaphore } from '../../apps/server/src/platform/time/semaphore.ts';
import type { Call } from '../../tools/demo/client.ts';
import type { GameChoice, Entrant, Player } from './player.ts';
import type { Tally } from './tally.ts';
import type { Wire } from './http-wire.ts';
import type { CrowdGame } from './ready-bets.ts';

export interface Simulation extends GameChoice {
  readonly wire: Wire;
  readonly call: Call;
  readonly players: readonly Entrant[];
  /** Bets per second, independent of answers. Infinity: closed loop. */
  readonly rate: number;
  readonly seconds?: number;
  readonly signal: AbortSignal;
  readonly lines?: number | undefined;
  /** All sign in before the first bet. */
  readonly together?: boolean;
  /** With `together`, bets start after this promise. */
  readonly begins?: Promise<unknown>;
  readonly onStart?: () => void;
  /** Helps a player short of credit. Without it, the player waits for a win. */
  readonly topUp?: (username: string) => Promise<void>;
}

/** The server hashes one password per address at a time. */
const SIGN_INS = 8;
/** Timeout for `together`; a thousand sign-ins take less than a minute. */
const LET_IN_MS = 10 * 60_000;

/** Times are by `performance.now`. */
export interface Crowd {
  readonly simulation: Simulation;
  readonly tally: Tally;
  readonly players: CrowdPlayers;
  readonly clock: BetClock;
  readonly enterInTurn: (work: () => Promise<void>) => Promise<void>;
  readonly letInUntilMs: number;
}

export function newCrowd(simulation: Simulation, tally: Tally): Crowd {
  return {
    simulation,
    tally,
    players: newCrowdPlayers(),
    clock: createBetClock(),
    enterInTurn: createSemaphore(SIGN_INS).run,
    letInUntilMs: performance.now() + LET_IN_MS,
  };
}

/** Reports each kind of error once. */
export function reportOnce(
  { players: { reported }, simulation }: Crowd,
  username: string,
  code: string,
  text: string,
): void {
  if (!reported.has(code) && !simulation.signal.aborted) console.error(`The player ${username} could not bet. ${text}`);
  reported.add(code);
}

interface CrowdPlayers {
  readonly idle: Player[];
  readonly games: Map<string, CrowdGame>;
  readonly reported: Set<string>;
}

function newCrowdPlayers(): CrowdPlayers {
  return { idle: [], games: new Map(), reported: new Set() };
}

interface BetClock {
  /** Infinity before the start. */
  readonly startMs: number;
  readonly endMs: number;
  readonly inProgress: number;
  start(seconds: number | undefined): void;
  sent(): void;
  answered(): void;
  onWake(look: () => void): void;
  wake(): void;
}

function createBetClock(): BetClock {
  let [startMs, endMs, inProgress] = [Infinity, Infinity, 0];
  let look = (): void => {};
  return {
    get startMs() {
      return startMs;
    },
    get endMs() {
      return endMs;
    },
    get inProgress() {
      return inProgress;
    },
    start(seconds) {
      startMs = performance.now();
      if (seconds !== undefined) endMs = startMs + seconds * 1000;
    },
    sent() {
      inProgress++;
    },
    answered() {
      inProgress--;
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
