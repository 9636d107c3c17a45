import type { Player } from './player.ts';
import type { KnownGame } from './ready-bets.ts';

/** The players of a crowd, and what all of them know. */
export interface CrowdPlayers {
  /** Those who are in and have nothing to do. */
  readonly idle: Player[];
  /** By game. */
  readonly knownGames: Map<string, KnownGame>;
  /** The kinds of trouble that were told of. */
  readonly told: Set<string>;
}

/** Players of whom none is in yet. */
export function newCrowdPlayers(): CrowdPlayers {
  return { idle: [], knownGames: new Map(), told: new Set() };
}
