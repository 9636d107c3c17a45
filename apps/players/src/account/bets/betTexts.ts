import { countText, pointsText } from '../../lib/amounts.ts';
import { plural } from '@drawhouse/session/language';
import { inLanguage } from '../../lib/inLanguage.ts';

export const betTexts = inLanguage('betTexts', {
  title: 'My bets',
  all: 'All my bets',
  list: 'Bets',
  loading: 'Loading your bets',
  older: 'Older bets',
  none: 'No bets in the last 3 months.',
  noneHelp: 'Each bet appears here with its draw, result and win.',
  seeGames: 'See games',
  noMatch: 'No matching bets.',
  showAll: 'Show all bets of the last 3 months',
  filters: { game: 'Game', allGames: 'All games', status: 'Status', all: 'All', period: 'Period' },
  status: { open: 'Open', won: 'Won', lost: 'No win', void: 'Stake refunded', undone: 'Undone by a restore' },
  periods: { today: 'Today', week: 'Last 7 days', month: 'Last 30 days', quarter: 'Last 3 months' },
  outcomes: {
    open: 'Open',
    lost: 'No win',
    won: 'Won',
    waiting: 'Won, to claim',
    void: 'Stake refunded',
    undone: 'Undone by a restore',
  },
  noResult: { undone: 'None: undone', void: 'None: the draw is void', at: (moment: string) => `At ${moment}` },
  noWin: { open: 'Pending', decided: '–' },
  about: ({ drawn, placed, bets }: { drawn: string; placed: string; bets: string }) =>
    `Draw of ${drawn} · placed ${placed} · ${bets}`,
  stake: 'Stake',
  result: 'Result',
  won: 'Won',
  wins: {
    none: 'No wins to claim.',
    loading: 'Loading your wins',
    title: (total: number) => `${plural(total, { one: '1 win', other: `${countText(total)} wins` })} to claim`,
    claim: 'Claim {points}',
    claimAll: (total: number) => `Claim all ${countText(total)}`,
    more: 'More wins',
    claimed: (points: number) => `${pointsText(points)} points are in your wallet.`,
    claimedAll: (wins: number, points: number) =>
      `${countText(wins)} ${plural(wins, { one: 'win was', other: 'wins were' })} claimed: ` +
      `${pointsText(points)} points are in your wallet.`,
    claimedElsewhere: 'All these wins were already claimed on another page.',
    othersFailed: (claimed: string, failure: string) => `${claimed} The others failed: ${failure}`,
    claimAgain: (failure: string) => `${failure} Claim again: each win is paid only once.`,
  },
  dayZone: (zone: string) => `Days in ${zone}`,
});
