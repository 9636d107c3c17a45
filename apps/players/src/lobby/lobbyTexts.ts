import { plural } from '@drawhouse/session/language';
import { momentText } from '../lib/amounts.ts';
import { inLanguage } from '../lib/inLanguage.ts';

export const lobbyTexts = inLanguage('lobbyTexts', {
  title: 'Games',
  loading: 'Loading your games',
  none: 'No games are available to you yet.',
  noneHelp: 'Your account manager opens games for your network.',
  legend:
    '{generated} generated from a seed fixed before betting began. Anyone can check it. {declared} declared by the operator.',
  generated: 'Generated',
  declared: 'Declared',
  today: 'Today',
  sums: 'staked {staked}, won {won}',
  open: 'Open',
  signedIn: 'Signed in for',
  toClaim: '{points} to claim.',
  claim: 'Claim in My bets',
  phases: {
    open: 'Closes in',
    closed: 'Drawn in',
    over: 'Next draw in',
    none: 'Next draw in',
  },
  notOpen: 'Not open now',
  opensAt: (opening: string) => `Opens ${momentText(opening)}, in`,
  openBets: 'Your open bets: {points}',
  lastResult: 'Last result',
  results: 'Last results',
  resultsOf: (game: string) => `Last results of ${game}`,
  pin: (game: string) => `Pin ${game}`,
  search: 'Find a game',
  found: (games: number) => plural(games, { one: '1 game found.', other: `${games} games found.` }),
  notFound: 'No game has this name.',
  kinds: {
    pinned: 'Pinned',
    played: 'Last played',
    wheels: 'Wheels',
    cards: 'Cards',
    pictures: 'Pictures',
    balls: 'Balls and dice',
    numbers: 'Numbers',
    lotteries: 'Lotteries',
  },
  noDraws: 'No draws yet.',
});
