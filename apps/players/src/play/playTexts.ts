import type { GameRules } from '@drawhouse/rules/games/rules';
import { clockText, countText, decimalText, momentText, percentText, pointsText } from '../lib/amounts.ts';
import { betsText } from '../lib/playerTexts.ts';
import { inLanguage } from '../lib/inLanguage.ts';

/** `returns 90%`. */
export function shortReturnText({ returns }: Pick<GameRules, 'returns'>, head: string): string {
  const found = returns.find(({ bet }) => bet === head);
  return found ? playTexts.returns(found.return) : '';
}

/** Before the booster: `pays 900 for 1, returns 90%`. */
export function returnText({ returns }: Pick<GameRules, 'returns'>, head: string): string {
  const found = returns.find(({ bet }) => bet === head);
  return found ? playTexts.paysAndReturns(found.pay, found.return) : '';
}

export const playTexts = inLanguage('playTexts', {
  loading: 'Loading the game',
  seeGames: 'See games',
  unavailable: {
    title: 'This game is not available to you',
    gone: 'It may have been closed or removed from your network. Bets you have placed on it are in My bets.',
    tooOld: 'This page is too old to show it. Reload to get the new version.',
  },
  allResults: 'Last 50 results',
  earlierResults: 'Earlier results',
  returns: (share: number) => `returns ${percentText(share)}`,
  paysAndReturns: (pay: number, share: number) => `pays ${decimalText(pay)} for 1, returns ${percentText(share)}`,
  sum: (bets: number, points: number) => `${betsText(bets)}, ${pointsText(points)} points`,
  board: {
    tabs: { series: 'Series', tiers: 'Tier' },
    tab: 'Part',
    kind: 'Kind of bet',
    hinted: (hint: string, pays: string) => `${hint}: ${pays}`,
    numbers: 'Numbers',
    eachReturn: (text: string) => `Each ${text}`,
    onSlip: (points: number) => `${pointsText(points)} points on your slip`,
    onDraw: (points: number) => `${pointsText(points)} points placed`,
    drawn: 'drawn last',
    previous: (name: string) => `Previous ${name}`,
    next: (name: string) => `Next ${name}`,
  },
  chips: { legend: 'Chip', points: (points: number) => `${pointsText(points)} points`, eraser: 'Remove' },
  keypad: {
    label: 'Bet by number',
    numbers: 'Numbers',
    units: 'Units',
    wrongUnits: 'Write a whole number from 1',
    write: (name: string) => `Write ${name}`,
    dash: 'a dash',
    comma: 'a comma',
    times: 'times',
    equals: 'equals, for units on each',
    list: 'List',
    add: 'Add',
  },
  slip: {
    title: 'Your slip',
    undo: 'Undo',
    double: 'Double',
    halve: 'Half',
    clear: 'Clear',
    quickPick: 'Quick pick',
    repeat: 'Repeat',
    favorites: 'Favorites',
    ahead: 'Coming draws',
    list: 'Type bets',
    empty: 'Tap a number to bet the selected chip.',
    total: 'Total {points}',
    remove: (bet: string) => `Remove ${bet}`,
    more: (bets: number) => `and ${countText(bets)} more`,
    notLoaded: 'Part of this page could not be loaded. No bets were added. Try again.',
  },
  place: {
    otherDraw: 'Betting on the draw you were confirming has closed. Nothing was placed. Your slip is unchanged.',
    action: 'Place',
    actionOf: (stake: number) => `Place ${pointsText(stake)}`,
    noBets: 'No bets yet',
    isBusy: 'Waiting for your last ticket.',
    offline: 'No connection. Your slip waits here.',
    paused: (pause: string) => `${pause} You can’t place bets until then.`,
    closed: 'Betting on this draw is closed. Your slip waits for the next one.',
    slipOver: 'The draw of your slip is over. It was not placed.',
    putBack: 'Put bets back',
    ok: 'OK',
    notOpen: 'This game is not open now.',
    opensAt: (opening: string) => `Betting opens ${clockText(opening)}. Your slip waits here.`,
    notLoaded: 'Part of this page could not be loaded. Nothing was placed. Try again.',
  },
  draw: {
    label: 'The draw',
    drawnAt: (drawsAt: string) => `Draw of ${clockText(drawsAt)}`,
    staked: (points: number, bets: number) => `This draw: ${pointsText(points)} on ${betsText(bets)}`,
    noStake: 'This draw: no bets',
    lastLost: (staked: number) => `Last draw: no win on ${pointsText(staked)}`,
    lastWon: (won: number, staked: number) => `Last draw: you won ${pointsText(won)} on ${pointsText(staked)}`,
    lastBack: (won: number, staked: number) => `Last draw: ${pointsText(won)} of your ${pointsText(staked)} came back`,
    offline: 'No connection',
    notOpen: 'This game is not open now',
    opensAt: (opening: string) => `Betting opens ${momentText(opening)}, in`,
    phases: {
      open: 'Betting closes in',
      closed: 'Closed. Drawn in',
      over: 'Drawn. Next draw in',
      none: 'Next draw in',
    },
  },
  day: {
    label: 'Your time and your day',
    today: 'Signed in for {time}. Today {net}',
    rules: 'Rules',
    settings: 'Settings',
  },
});
