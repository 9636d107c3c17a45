import type { ProtectionLimit } from '@drawhouse/contract/players/player-limits';
import { countText, dateText, pointsText } from '../../lib/amounts.ts';
import { plural } from '@drawhouse/session/language';
import { inLanguage } from '../../lib/inLanguage.ts';

/** Returns `500.00 points` or `90 minutes`. Null: unlimited. */
export function limitText(limit: ProtectionLimit, value: number | null): string {
  if (value === null) return limitTexts.noLimit;
  return limit === 'minutesPerDay' ? limitTexts.minutes(value) : limitTexts.points(value);
}

export const limitTexts = inLanguage('limitTexts', {
  title: 'Limits and breaks',
  noLimit: 'No limit',
  points: (points: number) => `${pointsText(points)} points`,
  minutes: (minutes: number) => plural(minutes, { one: '1 minute', other: `${countText(minutes)} minutes` }),
  loading: 'Loading your limits',
  onBreak: (until: string) => `You are on a break until ${dateText(until)}.`,
  onBreakHelp: 'Until then you can’t bet or change limits. You can still see everything and claim your wins.',
  today: 'Today: {net}, with {staked} staked and {won} won.',
  todayWithOpen: 'Today: {net}, with {staked} staked and {won} won, and {open} open.',
  limits: 'Limits',
  limitsHelp: (timeZone: string) =>
    'A stricter limit applies at once. A looser one waits 24 hours and must then be confirmed. ' +
    `Days are in ${timeZone}, and weeks begin on Sunday.`,
  device: {
    title: 'On this device',
    neverAsks: 'You get a time reminder every {interval}, and no ticket needs a second confirmation.',
    asksAbove: 'You get a time reminder every {interval}, and a ticket above {amount} needs a second confirmation.',
    minutes: (minutes: number) => `${minutes} minutes`,
    change: 'Change reminders',
  },
  row: {
    change: 'Change',
    changeNamed: (name: string) => `Change ${name}`,
    byManager: 'Set by your account manager.',
    own: (limit: string) => `Your own is ${limit}.`,
    managers: (limit: string) => `Your account manager set ${limit}.`,
    requested: (at: string) => `On ${dateText(at)} you requested {limit}.`,
    due: 'It applies once you confirm it.',
    notDue: (from: string) => `It does not apply yet. You can confirm it from ${dateText(from)}.`,
    confirm: 'Confirm',
    withdraw: 'Withdraw',
  },
  used: {
    ahead: (amount: string) => `You are ${amount} ahead.`,
    lost: (amount: string) => `${amount} lost`,
    used: (amount: string) => `${amount} used`,
    soFar: (used: string) => `${used} so far.`,
    left: (used: string, left: string) => `${used}, ${left} left.`,
    nothingLeft: (used: string) => `${used}, nothing left.`,
  },
  sheet: {
    now: (limit: string) => `Now: ${limit}`,
    minutes: 'Minutes',
    points: 'Points',
    none: 'No limit of my own',
    changes: {
      same: 'This is your current limit.',
      stricter: 'Stricter: applies at once.',
      looser: 'Looser: waits 24 hours, and applies only after you confirm it. Until then nothing changes.',
    },
    lowerApplies: (limit: string) => `Your account manager set ${limit}. The lower limit applies.`,
    request: 'Request limit',
    set: 'Set limit',
    wrongMinutes: (most: number) => `Write whole minutes from 1 to ${countText(most)}`,
    wrongPoints: 'Write points above 0 with at most 2 decimals, such as 500',
  },
  history: {
    title: 'Change history',
    loading: 'Loading the history',
    none: 'No changes yet.',
    byManager: 'by your account manager',
    break: (length: string) => `Break of ${length}`,
    exclusion: (length: string) => `Exclusion of ${length}`,
    exclusionEnded: (length: string) => `Exclusion of ${length} ended`,
    set: (name: string, after: string, before: string) => `${name}: ${after}, before ${before}`,
    asked: (name: string, after: string) => `${name}: ${after} requested`,
    confirmed: (name: string, after: string, before: string) => `${name}: ${after} confirmed, was ${before}`,
    withdrawn: (name: string, after: string) => `${name}: ${after} withdrawn`,
  },
  break: {
    title: 'Take a break',
    help: 'You can’t bet until it ends. You can still sign in, see everything and claim your wins.',
    ask: (length: string) => `Take a break of ${length}`,
    confirm: (length: string) => `Take a break of ${length}?`,
    take: 'Take a break',
    terms: (length: string) =>
      `It begins now and lasts ${length}. Until then you can’t bet or change your limits, and nobody can end it ` +
      'early. Bets you have placed are safe, and their wins are kept for you.',
  },
  exclusion: {
    title: 'Exclude yourself',
    help: 'Your account is closed for a long time: nobody can sign in to it. Nobody can undo this.',
    ask: (length: string) => `Exclude me for ${length}`,
    confirm: (length: string) => `Exclude yourself for ${length}?`,
    terms: (length: string) => [
      'You are signed out at once, everywhere.',
      `For ${length} nobody can sign in to this account or place bets.`,
      'Bets you have placed stay valid. Their wins and your credit stay yours: unclaimed wins are claimed for you.',
      'Nobody can end it early: not you, not your account manager, not the operator.',
    ],
    understood: (length: string) => `I understand that nobody can end this for ${length}`,
    done: (until: string) =>
      `You are excluded until ${dateText(until)}. Until then nobody can sign in to your account.`,
  },
  length: 'How long',
  cancel: 'Cancel',
});
