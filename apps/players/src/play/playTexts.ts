import type { GameRules } from '@drawhouse/rules/games/rules';
import { betsText, countText, pointsText, durationText } from '../lib/amounts.ts';

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });
const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** `returns 90%`. */
export function shortReturnText({ returns }: Pick<GameRules, 'returns'>, head: string): string {
  const found = returns.find(({ bet }) => bet === head);
  return found ? `returns ${percent.format(found.return)}` : '';
}

/** Before the booster: `pays 900 for 1, returns 90%`. */
export function returnText({ returns }: Pick<GameRules, 'returns'>, head: string): string {
  const found = returns.find(({ bet }) => bet === head);
  return found ? `pays ${plain.format(found.pay)} for 1, returns ${percent.format(found.return)}` : '';
}

/** Texts of the boards. `{name}` marks a node that `fill` inserts. */
export const playTexts = {
  loading: 'Loading the game',
  seeGames: 'See games',
  limits: 'Limits and breaks',
  unavailable: {
    title: 'This game is not available to you',
    gone: 'It may have been closed or removed from your network. Bets you have placed on it are in My bets.',
    tooOld: 'This page is too old to show it. Reload to get the new version.',
  },
  earlierResults: 'Earlier results',
  sum: (bets: number, points: number) => `${betsText(bets)}, ${pointsText(points)} points`,
  board: {
    tabs: { series: 'Series', tiers: 'Tier' } as Readonly<Record<string, string>>,
    tab: 'Part',
    kind: 'Kind of bet',
    numbers: 'Numbers',
    eachReturn: (text: string) => `Each ${text}`,
    eachNumberReturn: (text: string) =>
      `Each number ${text}. Red, dozens and similar bets put a chip on each of their numbers; the return is the same.`,
    neighbors: 'Include wheel neighbors',
    group: (title: string, count: number) => `${title}: each of its ${count} numbers`,
    wheel: (game: string) => `${game} table`,
    onSlip: (cell: string, points: number) => `${cell}, ${pointsText(points)} points on your slip`,
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
    perm: 'perm',
    dash: 'a dash',
    comma: 'a comma',
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
    empty: 'Tap a number to bet the selected chip.',
    total: 'Total {points}',
    remove: (bet: string) => `Remove ${bet}`,
    more: (bets: number) => `and ${countText(bets)} more`,
    notLoaded: 'Part of this page could not be loaded. No bets were added. Try again.',
  },
  list: {
    title: 'Enter a list of bets',
    label:
      'One bet per line or separated by commas. Add *5 to bet 5 units, e.g. 12*5, or =5 after several, e.g. 12,34=5.',
    add: (bets: number) => (bets === 0 ? 'Add' : `Add ${betsText(bets)}`),
    moreProblems: 'And more like these.',
  },
  quickPick: {
    title: 'Quick pick',
    help: 'Your device picks at random; every bet is equally likely.',
    add: (points: number) => `Add for ${pointsText(points)}`,
    picked: 'Picked',
  },
  favorites: {
    title: 'Favorites',
    none: 'Save a ticket under a name to use it again later.',
    delete: 'Delete',
    deleteNamed: (name: string) => `Delete ${name}`,
    name: 'Save this ticket as',
    save: 'Save',
  },
  confirm: {
    title: (stake: number) => `Place bet of ${pointsText(stake)} points?`,
    place: 'Place bet',
    back: 'Go back',
    about: (bets: number, draw: number) => `${betsText(bets)} on draw ${countText(draw)}.`,
    aboutWithWallet: (bets: number, draw: number, wallet: number) =>
      `${betsText(bets)} on draw ${countText(draw)}, from a wallet of ${pointsText(wallet)}.`,
    why: 'You are asked because you set an amount to confirm. Change it in the board settings.',
  },
  place: {
    action: 'Place',
    actionOf: (stake: number) => `Place ${pointsText(stake)}`,
    noBets: 'No bets yet',
    isBusy: 'Checking what happened to your last ticket.',
    offline: 'No connection. You can’t place bets until it is back.',
    paused: (pause: string) => `${pause} You can’t place bets until then.`,
    closed: 'Betting on this draw is closed. Your slip waits for the next one.',
    notOpen: 'This game is not open now.',
    opensSoon: 'The next draw opens soon. Your slip waits here.',
    overWallet: (points: number) => `This is ${pointsText(points)} points more than your wallet has.`,
    overNumber: (limit: number, bet: string) =>
      `At most ${pointsText(limit)} points per bet; the bet on ${bet} has more.`,
    otherDraw: 'Betting on the draw you were confirming has closed. Nothing was placed. Your slip is unchanged.',
    notStored:
      'This browser does not let this page store data, so we could not tell you later whether a ticket was placed. ' +
      'Nothing was placed.',
    notLoaded: 'Part of this page could not be loaded. Nothing was placed. Try again.',
    nothingToRepeat: 'You have no bets on this game yet.',
    repeatGone: 'The bets of your last ticket are no longer on this board.',
  },
  limit: {
    perNumber: (points: number) => `At most ${pointsText(points)} points per bet on a draw, all players together.`,
    perTicket: (points: number) => `At most ${pointsText(points)} points per ticket.`,
    perPlayer: (points: number) => `At most ${pointsText(points)} points per player and draw.`,
    perPlayerLeft: (points: number, left: string) =>
      `At most ${pointsText(points)} points per player and draw: ${left} on this one.`,
    own: (limit: string, left: string, points: number) => `${limit}: ${left} of your limit of ${pointsText(points)}.`,
    managers: (limit: string, left: string, points: number) =>
      `${limit}: ${left} of the limit set for you of ${pointsText(points)}.`,
    short: (limit: string, left: number) => `${limit}: ${pointsText(left)} left`,
    left: (points: number) => `${pointsText(points)} ${points > 1 ? 'points are' : 'point is'} left`,
    nothingLeft: 'nothing is left',
  },
  status: {
    about: (stake: number, bets: number) => `${pointsText(stake)} points on ${betsText(bets)}`,
    sending: 'Placing your ticket',
    checking: 'Checking whether your ticket was placed',
    checkingHelp: (about: string) =>
      `${about}. No answer yet. We keep asking. It can only be placed once, on its own draw.`,
    placed: 'Placed',
    undone: 'Placed, then undone by a restore',
    cleared: (about: string) => `${about}. Its records have since been cleared.`,
    ok: 'OK',
    ticket: (ticketId: string) => `Ticket ${ticketId}`,
    notPlaced: 'Not placed',
    toSlip: 'Back to slip',
    nothingTaken: (reason: string, about: string) => `${reason} Nothing was taken from your wallet for ${about}.`,
    notReached: 'It did not reach the server before betting on its draw closed.',
    closed: 'Betting on this draw is closed.',
    toast: (stake: number, outcome: 'placed' | 'not placed') =>
      `Your ticket of ${pointsText(stake)} points was ${outcome}.`,
  },
  draw: {
    label: 'The draw',
    number: (number: number) => `Draw ${number}`,
    notOpen: 'This game is not open now',
    phases: {
      open: 'Betting closes in',
      closed: 'Betting is closed. Drawn in',
      over: 'Drawn. Next draw in',
      none: 'Next draw in',
    },
  },
  result: {
    label: 'Last result',
    check: 'Check this draw',
    lost: 'You bet {staked}. No win this time.',
    won: 'You won {won}',
    onStake: 'on {staked} staked',
    claim: 'Claim your win',
  },
  day: {
    label: 'Your time and your day',
    today: 'Signed in for {time}. Today {net}',
    settings: 'Settings',
  },
  reminder: {
    title: (milliseconds: number) => `You have been signed in for ${durationText(milliseconds)}`,
    today: 'Today you have staked {staked} and won {won}: {net}',
    continue: 'Continue',
  },
} as const;
