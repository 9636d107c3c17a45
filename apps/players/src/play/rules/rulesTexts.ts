import { countText, decimalText, percentText, pointsText } from '../../lib/amounts.ts';
import { inLanguage } from '../../lib/inLanguage.ts';

export const rulesTexts = inLanguage('rulesTexts', {
  title: (game: string) => `Rules and pays of ${game}`,
  titleAlone: 'Rules and pays',
  loading: 'Loading the rules',
  toBoard: 'Back to the board',
  draw: 'The draw',
  closes: (seconds: number) => `Betting closes ${countText(seconds)} seconds before the draw.`,
  unit: (points: number) => `One unit costs ${pointsText(points)}. Every bet is a whole number of units.`,
  memory: 'Earlier results have no bearing on the next draw.',
  bets: 'What you can bet on',
  stake:
    'A pay includes your stake: a bet that pays 9 for 1 returns 9 points for each point staked, including that point.',
  chip: 'Examples with a chip of',
  pays: 'Pays',
  payOf: (pay: number) => `${decimalText(pay)} for 1`,
  chance: 'Chance',
  chanceOf: (winning: number, outcomes: number) => `${countText(winning)} in ${countText(outcomes)}`,
  back: 'Comes back on average',
  backOf: (share: number) => percentText(share),
  example: {
    won: 'You bet {stake} on {bet}. If {result} is drawn, {pay} is paid to you.',
    lost: 'If {result} is drawn, nothing is paid to you.',
  },
  average: {
    title: 'What comes back on average',
    about: (share: number) =>
      `Over very many draws, a bet with ${percentText(share)} pays back about ${percentText(share)} of the stakes. ` +
      'In a single draw it wins its pay or nothing.',
    boosted: 'These averages include the booster.',
  },
  booster: {
    title: 'The booster',
    none: 'Wins of the current draw are not multiplied.',
    about: 'Each draw also draws a booster, which multiplies every win of that draw. The chances of the current draw:',
    times: (booster: number) => `×${booster}`,
    chanceOf: (chance: number) => (chance < 0.001 ? 'less than 0.1%' : percentText(chance)),
  },
  typed: {
    title: 'Typing a bet',
    about: 'A bet can be typed, alone or in a list:',
  },
  fair: 'Each draw can be checked. {link}',
  fairLink: 'How draws are fair',
});
