import { highestReturn } from '@drawhouse/contract/games/games';
import { formatPoints } from './format.ts';
import { formatReturn } from './percentageFormat.ts';

/** The stake, in percent of itself. */
const STAKE = 100;
/** Returns are floats: 90 % + 10 % must count as the stake. */
const TOLERANCE = 1e-6;
/** A longer list of games is cut, with the number of the others. */
const NAMED_GAMES = 5;

interface Returns {
  readonly returns: readonly { readonly return: number }[];
}

interface GameWithReturns extends Returns {
  readonly gameName: string;
}

/** Says from which commissions on the highest return of a game reaches the stake. */
export function returnSentence(game: Returns): string {
  const highest = highestReturn(game);
  if (highest >= STAKE) return 'In the long run, its best bet pays out as much as is staked on it, or more.';
  return `Commissions of ${formatPoints(STAKE - highest)}\u{a0}% or more along a chain take its best bet to 100\u{a0}%.`;
}

/** True if a return (a fraction) and commissions (in percent of the stake) together reach the stake. No commission reaches nothing. */
export function reachesStake(theoretical: number, commission: number): boolean {
  return commission > 0 && theoretical * STAKE + commission >= STAKE - TOLERANCE;
}

/**
 * Names the games with a bet whose return and commissions reach 100 %, each with its highest return, highest first:
 * `Roulette 97.30 %, Triple 90.00 %`. Null for none.
 */
export function gamesReachingStake(games: readonly GameWithReturns[], commission: number): string | null {
  const reaching = games
    .map(({ gameName, returns }) => ({ gameName, highest: Math.max(...returns.map((bet) => bet.return)) }))
    .filter(({ highest }) => reachesStake(highest, commission))
    .toSorted((a, b) => b.highest - a.highest);
  if (reaching.length === 0) return null;
  const named = reaching.slice(0, NAMED_GAMES).map(({ gameName, highest }) => `${gameName} ${formatReturn(highest)}`);
  const others = reaching.length - named.length;
  return others === 0 ? named.join(', ') : `${named.join(', ')} and ${others} more`;
}
