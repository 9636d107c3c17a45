import { plural } from '@drawhouse/session/language';
import { clockText, countText, pointsText } from '../lib/amounts.ts';
import { betsText } from '../lib/playerTexts.ts';
import { inLanguage } from '../lib/inLanguage.ts';

export const lazyTexts = inLanguage('lazyTexts', {
  wheel: {
    returns: (text: string) => `A number ${text}. Bets on several pay less and return the same.`,
    between: 'Between numbers',
    none: 'Number',
    spots: (kind: string, text: string) => `Touch a mark between the numbers. ${kind} ${text}.`,
    neighbors: 'Include wheel neighbors',
    label: (game: string) => `${game} table`,
  },
  list: {
    title: 'Enter a list of bets',
    label: 'One bet per line or separated by commas, for example:',
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
    loading: 'Loading your favorites',
    none: 'Save the bets of your slip under a name, to use them again later. They are kept on your account.',
    load: 'Choose one. Its bets replace those on your slip.',
    emptySlip: 'To save another, put bets on your slip first.',
    tooLong: 'Your slip has too many bets to save as a favorite.',
    delete: 'Delete',
    deleteNamed: (name: string) => `Delete ${name}`,
    deleted: (name: string) => `${name} is deleted.`,
    undo: 'Undo',
    name: 'Save these bets as',
    save: 'Save',
  },
  ahead: {
    title: 'Tickets for coming draws',
    help: (stake: number) =>
      `Your slip of ${pointsText(stake)} points, once for each draw you choose. All or none are bought.`,
    emptySlip: 'Put bets on your slip first.',
    loading: 'Loading the coming draws',
    none: 'No other draw can be bought now.',
    draws: 'Coming draws',
    buy: (draws: number, points: number) => (draws === 0 ? 'Buy' : `Buy ${countText(draws)} for ${pointsText(points)}`),
    bought: (tickets: number) =>
      plural(tickets, { one: '1 ticket bought.', other: `${countText(tickets)} tickets bought.` }),
  },
  confirm: {
    title: (stake: number) => `Place bet of ${pointsText(stake)} points?`,
    place: 'Place bet',
    back: 'Go back',
    about: (bets: number, drawsAt: string) => `${betsText(bets)} on the draw of ${clockText(drawsAt)}.`,
    aboutWithWallet: (bets: number, drawsAt: string, wallet: number) =>
      `${betsText(bets)} on the draw of ${clockText(drawsAt)}, from a wallet of ${pointsText(wallet)}.`,
    why: 'You are asked because you set an amount to confirm. Change it in the board settings.',
  },
  status: {
    about: (stake: number, bets: number) => `${pointsText(stake)} points on ${betsText(bets)}`,
    sending: 'Placing your ticket',
    checking: 'Checking whether your ticket was placed',
    checkingHelp: (about: string) => `${about}. It can only be placed once.`,
    placed: 'Placed',
    undone: 'Placed, then undone by a restore',
    cleared: (about: string) => `${about}. Its records have since been cleared.`,
    ok: 'OK',
    ticket: 'Ticket {ticketId}',
    notPlaced: 'Not placed',
    toSlip: 'Back to slip',
    nothingTaken: (reason: string, about: string) => `${reason} Nothing was taken from your wallet for ${about}.`,
    notReached: 'It did not reach the server before betting on its draw closed.',
    closed: 'Betting on this draw is closed.',
    toast: {
      placed: (stake: number) => `Your ticket of ${pointsText(stake)} points was placed.`,
      'not placed': (stake: number) => `Your ticket of ${pointsText(stake)} points was not placed.`,
    },
  },
  result: {
    label: 'Last result',
    check: 'Check this draw',
    lost: 'You bet {staked}. No win.',
    won: 'You won {won} on {staked}.',
    cameBack: '{won} of your {staked} came back.',
    noStake: 'You had no bets on this draw.',
    skip: 'Close the result',
    odd: 'odd',
    even: 'even',
    claim: 'Claim your win',
  },
  reminder: {
    title: (duration: string) => `You have been signed in for ${duration}`,
    today: 'Today you have staked {staked} and won {won}: {net}',
    continue: 'Continue',
  },
  place: {
    notStored:
      'This browser does not let this page store data, so we could not tell you later whether a ticket was placed. ' +
      'Nothing was placed.',
  },
  limit: {
    perNumber: (points: number) => `At most ${pointsText(points)} points per number on a draw, all players together.`,
    perTicket: (points: number) => `At most ${pointsText(points)} points per ticket.`,
    perPlayer: (points: number) => `At most ${pointsText(points)} points per player and draw.`,
    perPlayerLeft: (points: number, left: string) =>
      `At most ${pointsText(points)} points per player and draw: ${left} on this one.`,
    own: (limit: string, left: string, points: number) => `${limit}: ${left} of your limit of ${pointsText(points)}.`,
    managers: (limit: string, left: string, points: number) =>
      `${limit}: ${left} of the limit set for you of ${pointsText(points)}.`,
    short: (limit: string, left: number) => `${limit}: ${pointsText(left)} left`,
    left: (points: number) => `${pointsText(points)} ${points > 1 ? 'points are' : 'point is'} left`,
    overWallet: (points: number) => `This is ${pointsText(points)} points more than your wallet has.`,
    overNumber: (limit: number, bet: string) =>
      `At most ${pointsText(limit)} points per number; the bet on ${bet} has more.`,
    nothingLeft: 'nothing is left',
  },
  repeat: {
    none: 'You have no bets on this game yet.',
    gone: 'The bets of your last ticket are no longer on this board.',
  },
});
