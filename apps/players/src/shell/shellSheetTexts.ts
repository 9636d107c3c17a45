import { pointsText } from '../lib/amounts.ts';
import { inLanguage } from '../lib/inLanguage.ts';

export const shellSheetTexts = inLanguage('shellSheetTexts', {
  notify: {
    label: 'Notify me when my draw is over',
    help: (house: string) => `While a page of ${house} is open in another tab or window.`,
    refused: 'Your browser blocks notifications of this site. Allow them in its settings.',
    game: 'Your game',
    title: (game: string) => `${game}: your draw is over`,
    body: (staked: number, won: number) => `You staked ${pointsText(staked)} and won ${pointsText(won)}.`,
  },
  menu: {
    title: 'Menu',
    label: 'Pages',
    games: 'Games',
    bets: 'My bets',
    statement: 'My statement',
    limits: 'Limits and breaks',
    security: 'Password and devices',
    signIn: 'Sign in',
    about: (house: string) => `About ${house}`,
    help: 'Help',
    fair: 'How draws are fair',
  },
  expiry: {
    title: 'Still there?',
    help: 'You’ll be signed out in {time}, because there was no activity. Bets you have placed are safe.',
    stay: 'Stay signed in',
  },
  password: {
    title: 'Confirm your password',
    help: 'Enter your password again. This protects your account.',
    label: 'Password',
    missing: 'Password is required',
    continue: 'Continue',
  },
  factor: {
    title: 'Confirm with your second factor',
    help: 'This protects your account.',
    continue: 'Continue',
  },
  notices: {
    restoring: { title: 'Betting is paused.', text: 'A backup is being restored. Try again in a few minutes.' },
    lost: { title: 'Reconnecting.', text: 'Countdowns continue; results may be late.' },
    elsewhere: { title: 'Paused.', text: 'Too many of your pages are live. Tap this one to resume.' },
    newVersion: { title: 'New version available.', text: 'It loads with the next page.', action: 'Load now' },
  },
});
