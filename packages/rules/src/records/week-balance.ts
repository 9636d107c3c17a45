import { addDays, mod } from '../time/zone-days.ts';

/** Moved by one account and its subtree, in hundredths, seen by its parent. */
export interface WeekFigures {
  /** Credit from above, and back. */
  readonly given: bigint;
  readonly taken: bigint;
  readonly play: bigint;
  readonly win: bigint;
  /** Commission of all levels. */
  readonly commission: bigint;
  /** The account's own commission, and how much of it was paid into its credit. */
  readonly earned: bigint;
  readonly paidOut: bigint;
  readonly received: bigint;
  readonly paid: bigint;
}

export const WEEK_FIGURES = [
  'given',
  'taken',
  'play',
  'win',
  'commission',
  'earned',
  'paidOut',
  'received',
  'paid',
] as const satisfies readonly (keyof WeekFigures)[];

export interface WeekTerms {
  /** The parent's share of the net, in hundredths of a percent. Null: the account owes the credit it was given. */
  readonly share: number | null;
  /** True: own commission lowers the balance when earned. False: payouts into credit settle it at once. */
  readonly commissionWithWeek: boolean;
}

export const USUAL_TERMS: WeekTerms = { share: null, commissionWithWeek: false };

export const NO_FIGURES: WeekFigures = Object.freeze(
  Object.fromEntries(WEEK_FIGURES.map((name) => [name, 0n])) as Record<keyof WeekFigures, bigint>,
);

export function addFigures(one: WeekFigures, other: WeekFigures): WeekFigures {
  return Object.fromEntries(WEEK_FIGURES.map((name) => [name, one[name] + other[name]])) as never;
}

export function netOf({ play, win, commission }: Pick<WeekFigures, 'play' | 'win' | 'commission'>): bigint {
  return play - win - commission;
}

const WHOLE = 10_000n;

/** Rounds halves away from zero, so a share of a loss mirrors the share of an equal gain. */
function shareOf(amount: bigint, share: number): bigint {
  const part = (amount < 0n ? -amount : amount) * BigInt(share);
  const rounded = (part + WHOLE / 2n) / WHOLE;
  return amount < 0n ? -rounded : rounded;
}

/**
 * Returns the debt to the parent, in hundredths; negative: the parent owes. `figures` sums days of one week, and
 * `before` is the balance before them: a share is rounded once a week. Every balance shown or audited comes from here.
 */
export function balanceAfter(before: bigint, figures: WeekFigures, { share, commissionWithWeek }: WeekTerms): bigint {
  const { given, taken, earned, paidOut, received, paid } = figures;
  const fromPlay = share === null ? given - taken : shareOf(netOf(figures), share);
  // A payout turns earned commission into credit, so it takes back the relief.
  const fromCommission = commissionWithWeek ? paidOut - earned : 0n;
  return before + fromPlay + fromCommission - received + paid;
}

/** Credit that a closing gives an account; below zero, takes back. `wanted`: credit afterwards, null to leave it. */
export function creditOfClosing(credit: bigint, wanted: bigint | null): bigint {
  return wanted === null ? 0n : wanted - credit;
}

/** Payments and credit between the end of a week and the end of its closing. Negative: to the account, and back. */
export interface ClosingMoves {
  readonly received: bigint;
  readonly given: bigint;
}

/**
 * What an account owes after a closing, apart from later play. `isCreditOwed`: by today's terms it owes the credit it is
 * given.
 */
export function leftOfClosing(balance: bigint, { received, given }: ClosingMoves, isCreditOwed: boolean): bigint {
  return balance - received + (isCreditOwed ? given : 0n);
}

/** Weekdays from 0, as in `Date.getUTCDay`. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Takes and returns days as `2026-01-31`. */
export function weekStart(day: string, first: Weekday): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -mod(weekday - WEEKDAYS.indexOf(first), 7));
}
