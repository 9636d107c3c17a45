import { DAY_MINUTES, type ProtectionLimit } from '@drawhouse/contract/players/player-limits';
import { pointsText } from '@drawhouse/contract/core/primitives';
import type { LimitValue, Pause } from '@drawhouse/rules/records/limits-in-force';

const MINUTE_MS = 60_000;

const WORDS: Readonly<Record<ProtectionLimit, readonly [of: string, left: string]>> = {
  stakePerDraw: ['staked per draw', 'for this draw'],
  stakePerDay: ['staked per day', 'today'],
  stakePerWeek: ['staked per week', 'this week'],
  stakePerMonth: ['staked per month', 'this month'],
  lossPerDay: ['lost per day', 'today'],
  lossPerWeek: ['lost per week', 'this week'],
  lossPerMonth: ['lost per month', 'this month'],
  minutesPerDay: ['signed in per day', 'today'],
};

export function limitWords(name: ProtectionLimit, value: LimitValue): string | null {
  if (value === null) return null;
  if (name !== 'minutesPerDay') return `${pointsText(value)} points`;
  return value === 1n ? '1 minute' : `${value} minutes`;
}

export function beyondWords(name: ProtectionLimit, value: bigint, left: bigint): { message: string; left: string } {
  const [of, where] = WORDS[name];
  const words =
    `${left > 0n ? limitWords(name, left)! : 'nothing'} ` +
    `${name !== 'minutesPerDay' && left > 100n ? 'are' : 'is'} left ${where}`;
  const open = name.startsWith('loss') ? ' Stakes on unsettled draws count as lost until they settle.' : '';
  return {
    message: `Your limit is ${limitWords(name, value)!} ${of}: ${words}.${open}`,
    left: `${words[0]!.toUpperCase()}${words.slice(1)}`,
  };
}

/** `10 March 2026 at 15:30 (Asia/Kolkata)`. */
export function timeWords(at: Date, timeZone: string): string {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(at);
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(at);
  return `${day} at ${time} (${timeZone})`;
}

/** Rounds up to the minute, so the stated time is never too early. */
export function fromWords(at: Date, timeZone: string): string {
  return timeWords(new Date(Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS), timeZone);
}

export function pauseWords({ what, until }: Pick<Pause, 'what' | 'until'>, timeZone: string): string {
  const end = timeWords(until, timeZone);
  return what === 'break'
    ? `You are on a break until ${end}. You can't bet or change limits until then.`
    : `This account is excluded until ${end}. It can't sign in or bet until then.`;
}

export function areMinutes(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= DAY_MINUTES;
}

export const PROTECTION_TEXTS = {
  wrongMinutes: (most: number): string => `Enter whole minutes from 1 to ${most}, or null for no limit`,
  alreadyYours: 'This is already your limit.',
  set: 'Limit set. It applies from now.',
  confirmFrom: (when: string): string =>
    `This limit is looser, so you can confirm it from ${when}. Until then your current limit applies.`,
  tooEarly: (when: string): string => `You can confirm this from ${when}.`,
  confirmed: 'Confirmed. Your new limit applies from now.',
  withdrawn: 'Withdrawn. Your current limit stays.',
  alreadySet: 'This limit is already set.',
  onBreak: (username: string): string => `${username} is on a break. Limits can't be loosened until it ends.`,
  setAbove: (limit: string): string =>
    `An account above you set ${limit}. Only that account, or one above it, can loosen this.`,
  ownIsLower: (limit: string): string => `Limit set. The player’s own limit is lower and applies: ${limit}.`,
  breakBegun: (until: string): string => `Your break has begun. It ends on ${until}.`,
  excluded: (until: string): string => `Excluded until ${until}.`,
  exclusionStays: "This exclusion can't be ended: the player set it, or it is more than 24 hours old.",
  notExcluded: 'This player is not excluded.',
  excludedAbove: 'An account above you set this exclusion. Only that account, or one above it, can end it.',
  otherExclusion: (until: string): string => `Exclusion ended. Another one applies until ${until}.`,
  exclusionEnded: (username: string): string => `Exclusion ended. ${username} can sign in.`,
  nothingPending: 'No looser limit is waiting for confirmation.',
  setForMany: (players: string): string => `Limit of ${players} set.`,
} as const;

export const PROTECTION_SUBJECTS = {
  exclusionEnded: (username: string): string => `Ended the exclusion of player ${username}`,
  breakTaken: (length: string | null): string => `Took a break of ${length}`,
  limitChanged: (verb: string, of: string, limit: string): string => `${verb} limit ${of}: ${limit}`,
} as const;
