import { DAY_MINUTES } from '@drawhouse/contract/players/protection-names';
import type { ProtectionLimit } from '@drawhouse/contract/players/protection-names';
import { pointsText } from '@drawhouse/contract/frame/primitives';
import type { LimitValue, Pause } from '@drawhouse/rules/limits-in-force';

const MINUTE_MS = 60_000;

/** What a limit is of, in a sentence, and what it is that some is left of. */
const WORDS: Readonly<Record<ProtectionLimit, readonly [of: string, left: string]>> = {
  stakePerDraw: ['staked per draw', 'on this one'],
  stakePerDay: ['staked per day', 'today'],
  stakePerWeek: ['staked per week', 'this week'],
  stakePerMonth: ['staked per month', 'this month'],
  lossPerDay: ['lost per day', 'today'],
  lossPerWeek: ['lost per week', 'this week'],
  lossPerMonth: ['lost per month', 'this month'],
  minutesPerDay: ['signed in per day', 'today'],
};

/** A limit, in hundredths or minutes, as people read it: `100.00 points`, `90 minutes`; null: there is none. */
export function limitWords(name: ProtectionLimit, value: LimitValue): string | null {
  if (value === null) return null;
  if (name !== 'minutesPerDay') return `${pointsText(value)} points`;
  return value === 1n ? '1 minute' : `${value} minutes`;
}

/** What a bet beyond a limit is told, with what is left of it; a limit may be set below what is used. */
export function beyondWords(name: ProtectionLimit, value: bigint, left: bigint): { message: string; left: string } {
  const [of, where] = WORDS[name];
  const words = `${left > 0n ? limitWords(name, left)! : 'nothing'} ${name !== 'minutesPerDay' && left > 100n ? 'are' : 'is'} left ${where}`;
  const open = name.startsWith('loss') ? ' What is staked on draws to come counts as lost until they are settled.' : '';
  return {
    message: `Your limit is ${limitWords(name, value)!} ${of}: ${words}.${open}`,
    left: `${words[0]!.toUpperCase()}${words.slice(1)}`,
  };
}

/** An instant as a sentence has it, in a time zone: `10 March 2026 at 15:30 (Asia/Kolkata)`. */
export function timeWords(at: Date, timeZone: string): string {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(at);
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(at);
  return `${day} at ${time} (${timeZone})`;
}

/** The same of an instant from which on something may be done: told to the minute, and then it may be. */
export function fromWords(at: Date, timeZone: string): string {
  return timeWords(new Date(Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS), timeZone);
}

/** Why somebody may not bet, sign in or change anything, and until when. */
export function pauseWords({ what, until }: Pick<Pause, 'what' | 'until'>, timeZone: string): string {
  const end = timeWords(until, timeZone);
  return what === 'break'
    ? `You are on a break until ${end}. Until then no bet is taken and no limit changed.`
    : `This account is excluded until ${end}. Until then nobody can sign in to it or bet.`;
}

/** Whether minutes are a whole number of a day, as a limit of them has to be. */
export function areMinutes(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= DAY_MINUTES;
}
