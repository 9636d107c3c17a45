import { pointsText } from '../lib/amounts.ts';
import { inLanguage } from '../lib/inLanguage.ts';

export const shellTexts = inLanguage('shellTexts', {
  skip: 'Skip to content',
  wallet: 'Wallet',
  openStatement: ', open statement',
  menu: 'Menu',
  notFound: 'Page not found. Check the address.',
  broken: {
    title: 'This page could not be shown',
    help: 'Try loading it again. Bets you have placed are safe: {bets} lists every ticket that was placed.',
    bets: 'My bets',
    reload: 'Reload',
    games: 'See games',
  },
  notices: {
    openBet: {
      title: 'Checking whether your ticket was placed:',
      text: (stake: number) => `${pointsText(stake)} points.`,
      action: 'Open board',
    },
    offline: {
      title: 'No connection.',
      text: 'Figures may be out of date. We’ll reconnect automatically. You can’t place bets until then.',
    },
  },
});
