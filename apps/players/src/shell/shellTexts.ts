import { pointsText } from '../lib/amounts.ts';

/** `{name}` marks a node that `fill` inserts. */
export const shellTexts = {
  skip: 'Skip to content',
  wallet: 'Wallet',
  openStatement: ', open statement',
  notFound: 'Page not found. Check the address.',
  menu: {
    title: 'Menu',
    label: 'Pages',
    games: 'Games',
    bets: 'My bets',
    statement: 'My statement',
    limits: 'Limits and breaks',
    security: 'Password and devices',
    signIn: 'Sign in',
    about: 'About Drawhouse',
    fair: 'How draws are fair',
  },
  broken: {
    title: 'This page could not be shown',
    help: 'Try loading it again. Bets you have placed are safe: {bets} lists every ticket that was placed.',
    bets: 'My bets',
    reload: 'Reload',
    games: 'See games',
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
  /** Each with a title, shown bold, and what follows from it. */
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
    restoring: { title: 'Betting is paused.', text: 'A backup is being restored. Try again in a few minutes.' },
    lost: { title: 'Reconnecting.', text: 'Countdowns continue; results may be late.' },
    elsewhere: { title: 'Paused.', text: 'Too many of your pages are live. Tap this one to resume.' },
    newVersion: { title: 'New version available.', text: 'It loads with the next page.', action: 'Load now' },
  },
} as const;
