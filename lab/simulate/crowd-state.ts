import { createSemaphore } from '../../apps/server/src/semaphore.ts';
import type { Call } from '../../tools/demo/client.ts';
import { createBetClock } from './bet-clock.ts';
import type { BetClock } from './bet-clock.ts';
import type { GameChoice, Entrant, Player } from './player.ts';
import type { Tally } from './tally.ts';
import type { Wire } from './wire.ts';
import type { KnownGame } from './ready-bets.ts';

/** How the players play. */
export interface Simulation extends GameChoice {
  readonly wire: Wire;
  /** For everything but bets. */
  readonly call: Call;
  readonly players: readonly Entrant[];
  /** Bets per second of all together, whether or not the server keeps up; Infinity: the next one as soon as a player is free. */
  readonly rate: number;
  /** How long the bets come, in seconds. Without it, until the signal. */
  readonly seconds?: number;
  /** Stops them. */
  readonly signal: AbortSignal;
  /** Lines of every ticket. Without it 1 to 4. */
  readonly lines?: number | undefined;
  /** Whether the bets begin when everybody is in. Else whoever is in begins. */
  readonly together?: boolean;
  /** Until when whoever is in waits, where all begin together. */
  readonly begins?: Promise<unknown>;
  /** Hears when the first bets are due. */
  readonly onStart?: () => void;
  /** Gives credit to a player who has too little. Without it, such a player waits for a win. */
  readonly topUp?: (username: string) => Promise<void>;
}

/** Sign-ins under way: the server checks the passwords of one address one after the other. */
const SIGN_INS = 8;
/** Whoever is not in by then is not waited for, where all begin together; a thousand sign-ins take less than a minute. */
const LET_IN_MS = 10 * 60_000;

/** What a crowd of players is at. Times are by `performance.now`. */
export interface Crowd {
  readonly simulation: Simulation;
  readonly tally: Tally;
  readonly players: CrowdPlayers;
  readonly clock: BetClock;
  readonly enterInTurn: (work: () => Promise<void>) => Promise<void>;
  readonly letInUntilMs: number;
}

/** A crowd in which nobody is in yet. */
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

/** Tells of each kind of trouble once. */
export function tell({ players: { told }, simulation }: Crowd, username: string, code: string, text: string): void {
  if (!told.has(code) && !simulation.signal.aborted) console.error(`The player ${username} could not bet. ${text}`);
  told.add(code);
}

/** The players of a crowd, and what all of them know. */
interface CrowdPlayers {
  /** Those who are in and have nothing to do. */
  readonly idle: Player[];
  /** By game. */
  readonly knownGames: Map<string, KnownGame>;
  /** The kinds of trouble that were told of. */
  readonly told: Set<string>;
}

/** Players of whom none is in yet. */
function newCrowdPlayers(): CrowdPlayers {
  return { idle: [], knownGames: new Map(), told: new Set() };
}
