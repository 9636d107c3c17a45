import { DAY_MINUTES } from '@drawhouse/contract/players/protection-names';
import type { ProtectionLimit } from '@drawhouse/contract/players/protection-names';
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

/** `100.00 points` or `90 minutes`; null if unset. */
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

/** True for whole minutes within a day. */
export function areMinutes(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= DAY_MINUTES;
}
