import { highestReturn } from '@drawhouse/contract/games/games';
import { formatPoints } from './format.ts';
import { formatReturn } from './percentageFormat.ts';

const STAKE = 100;
/** Returns are floats: 90 % + 10 % must count as the stake. */
const TOLERANCE = 1e-6;
const NAMED_GAMES = 5;

interface Returns {
  readonly returns: readonly { readonly return: number }[];
}

interface GameWithReturns extends Returns {
  readonly gameName: string;
}

/** Names the commission at which the game's highest return reaches the stake. */
export function returnSentence(game: Returns): string {
  const highest = highestReturn(game);
  if (highest >= STAKE) return 'In the long run, its best bet pays out as much as is staked on it, or more.';
  return `Commissions of ${formatPoints(STAKE - highest)}\u{a0}% or more along a chain take its best bet to 100\u{a0}%.`;
}

/** Return as a fraction, commission in percent of the stake. A commission of 0 never reaches it. */
export function reachesStake(theoretical: number, commission: number): boolean {
  return commission > 0 && theoretical * STAKE + commission >= STAKE - TOLERANCE;
}

/**
 * Lists games whose best return plus commission reaches 100 %, highest first: `Roulette 97.30 %, Triple 90.00 %`. Null
 * if none.
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
