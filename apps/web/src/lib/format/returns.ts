import { RETURN_BOUNDS, type ReturnMark } from '@drawhouse/rules/games/game-rules';
import { highestReturn } from '@drawhouse/contract/games/games';
import { formatPoints } from './format.ts';
import { returnTexts } from '../libTexts.ts';

const shareFormat = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const returnFormat = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const meanFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 3, maximumFractionDigits: 3 });

/** Puts a no-break space before the percent sign. */
const apart = (text: string): string => text.replace('%', '\u{a0}%');

/** 0.947 → `94.7 %`. */
export function formatShare(fraction: number): string {
  return apart(shareFormat.format(fraction));
}

/** 0.955 → `95.50 %`. */
export function formatReturn(fraction: number): string {
  return apart(returnFormat.format(fraction));
}

/** `1.061`. */
export function formatMean(mean: number): string {
  return meanFormat.format(mean);
}

const percent = (fraction: number): string => `${Math.round(fraction * 100)} %`;

export const RETURN_MARKS: Readonly<
  Record<NonNullable<ReturnMark>, { readonly name: string; readonly meaning: string }>
> = {
  above: {
    name: `above ${percent(RETURN_BOUNDS.above)}`,
    meaning: returnTexts.inLongRunBet,
  },
  below: {
    name: `below ${percent(RETURN_BOUNDS.below)}`,
    meaning: returnTexts.inLongRunThis(percent(RETURN_BOUNDS.below)),
  },
};

const count = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** `1 in 37`. */
export function formatOneIn(probability: number): string {
  return `1 in ${count.format(1 / probability)}`;
}

const STAKE = 100;
/** Returns are floats: 90 % + 10 % must count as the stake. */
const TOLERANCE = 1e-6;
const NAMED_GAMES = 5;

interface Returns {
  readonly returns: readonly { readonly return: number }[];
}

interface PaidGame {
  readonly gameId: string;
  readonly returns: readonly { readonly bet: string; readonly mark: ReturnMark }[];
  readonly pays: readonly { readonly head: string; readonly pay: number; readonly default: number }[];
}

/**
 * Finds raised pays that return more than is staked. Catalogue pays above 100 % are no fault: such bets are accepted
 * only while their table covers them.
 */
export function gamesPaidTooHigh<Game extends PaidGame>(games: readonly Game[], used: ReadonlySet<string>): Game[] {
  return games.filter(
    ({ gameId, returns, pays }) =>
      used.has(gameId) &&
      returns.some(({ bet, mark }) => {
        const pay = pays.find(({ head }) => head === bet);
        return mark === 'above' && pay !== undefined && pay.pay > pay.default;
      }),
  );
}

interface GameWithReturns extends Returns {
  readonly gameName: string;
}

export function returnSentence(game: Returns): string {
  const highest = highestReturn(game);
  if (highest >= STAKE) return returnTexts.inLongRunIts;
  return returnTexts.commissionsOrMoreAlong(formatPoints(STAKE - highest));
}

/** `theoretical` is a fraction, `commission` in percent of the stake. A commission of 0 never reaches it. */
export function reachesStake(theoretical: number, commission: number): boolean {
  return commission > 0 && theoretical * STAKE + commission >= STAKE - TOLERANCE;
}

/** Lists the highest first: `Roulette 97.30 %, Triple 90.00 %`. */
export function gamesReachingStake(games: readonly GameWithReturns[], commission: number): string | null {
  const reaching = games
    .map(({ gameName, returns }) => ({ gameName, highest: Math.max(...returns.map((bet) => bet.return)) }))
    .filter(({ highest }) => reachesStake(highest, commission))
    .toSorted((a, b) => b.highest - a.highest);
  if (reaching.length === 0) return null;
  const named = reaching.slice(0, NAMED_GAMES).map(({ gameName, highest }) => `${gameName} ${formatReturn(highest)}`);
  const others = reaching.length - named.length;
  return others === 0 ? named.join(', ') : returnTexts.andMore(named.join(', '), others);
}
