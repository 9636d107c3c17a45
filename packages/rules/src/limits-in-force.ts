/**
 * The limits that protect a player, in the order in which they are shown. Amounts are in hundredths of a point, the last one is in minutes. What is
 * staked, and what is lost, counts in the period in which its draw is settled, and while it is not, in the one that runs.
 */
export const LIMIT_NAMES = [
  'stakePerDraw',
  'stakePerDay',
  'stakePerWeek',
  'stakePerMonth',
  'lossPerDay',
  'lossPerWeek',
  'lossPerMonth',
  'minutesPerDay',
] as const;
/** The name of one limit that protects a player. */
export type ProtectionLimitName = (typeof LIMIT_NAMES)[number];

/** A player who asked for a looser limit confirms it so long after that at the earliest: 24 hours, in milliseconds (domain.md 8). */
export const LOOSER_AFTER_MS: number = 24 * 60 * 60_000;

/** How long managers can end an exclusion that one of them began: 24 hours, in milliseconds. A player's own is final. */
export const EXCLUSION_ENDABLE_MS: number = 24 * 60 * 60_000;

/** How long a break may last, in the order of their length. */
export const BREAK_LENGTHS = ['1 day', '1 week', '1 month', '2 months', '3 months'] as const;
/** How long an exclusion may last, in the order of their length. */
export const EXCLUSION_LENGTHS = ['6 months', '1 year', '5 years'] as const;
/** How long one of both lasts, as people say it and as PostgreSQL reads it. */
export type PauseLength = (typeof BREAK_LENGTHS)[number] | (typeof EXCLUSION_LENGTHS)[number];

/** Whose setting it is: the player's own, or that of whoever is above it. */
export type ProtectionSide = 'player' | 'manager';

/** A limit in hundredths, or minutes; null: none. */
export type LimitValue = bigint | null;

/** What happened to a limit: it was set and holds, or a looser one was asked for, confirmed, or is not wanted any more. */
export const LIMIT_STEPS = ['set', 'asked', 'confirmed', 'withdrawn'] as const;
/** What happened to a limit. */
export type LimitStep = (typeof LIMIT_STEPS)[number];

/** A change of a limit, as the history has it. */
export interface LimitChange {
  readonly what: ProtectionLimitName;
  readonly side: ProtectionSide;
  readonly step: LimitStep;
  /** When it was said. */
  readonly at: Date;
  /** From when it holds; of what was asked for, when it can be confirmed at the earliest. */
  readonly from: Date;
  /** What held of this side before. */
  readonly before: LimitValue;
  /** What holds of it now; of what was asked for, and withdrawn, what would. */
  readonly after: LimitValue;
}

/** A break or an exclusion, as the history has it. */
export interface Pause {
  readonly what: 'break' | 'exclusion';
  readonly side: ProtectionSide;
  /** `withdrawn`: managers end their last exclusion. */
  readonly step: 'set' | 'withdrawn';
  readonly at: Date;
  readonly until: Date;
}

/** One row of what happened to a player's protection. */
export type ProtectionChange = LimitChange | Pause;

/** Whether a change is a break or an exclusion. */
export function isPause(change: ProtectionChange): change is Pause {
  return change.what === 'break' || change.what === 'exclusion';
}

/** A looser limit that was asked for and not confirmed yet. */
export interface PendingLimit {
  readonly value: LimitValue;
  readonly askedAt: Date;
  /** From when on it can be confirmed. */
  readonly from: Date;
}

/** One limit of a player: what holds of each side, and what waits. */
export interface SidedLimit {
  readonly player: LimitValue;
  readonly manager: LimitValue;
  readonly pending: PendingLimit | null;
}

/** How a player is protected, as it follows from the history. */
export interface Protection {
  readonly limits: Readonly<Record<ProtectionLimitName, SidedLimit>>;
  /** Null where there never was one; it may be over. */
  readonly breakUntil: Date | null;
  readonly excludedUntil: Date | null;
  /** Those that nobody has ended, the oldest first. */
  readonly exclusions: readonly Pause[];
}

const NO_LIMIT: SidedLimit = { player: null, manager: null, pending: null };

/** Who has never set anything, and for whom nobody has. */
export const UNPROTECTED: Protection = {
  limits: Object.fromEntries(LIMIT_NAMES.map((name) => [name, NO_LIMIT])) as unknown as Protection['limits'],
  breakUntil: null,
  excludedUntil: null,
  exclusions: [],
};

/** Whether a limit allows less than another one; none allows most. */
export function isStricter(value: LimitValue, than: LimitValue): boolean {
  return value !== null && (than === null || value < than);
}

/** The lower of two limits; none where there is none. */
export function lowerOf(one: LimitValue, other: LimitValue): LimitValue {
  return isStricter(other, one) ? other : one;
}

/** The limit that holds: the lower one of the player's own and its managers'. */
export function limitInForce({ player, manager }: Pick<SidedLimit, 'player' | 'manager'>): LimitValue {
  return lowerOf(player, manager);
}

/** Whose limit holds, the player's own where both are the same; null where there is none. */
export function setterOf(limit: Pick<SidedLimit, 'player' | 'manager'>): ProtectionSide | null {
  const holds = limitInForce(limit);
  if (holds === null) return null;
  return holds === limit.player ? 'player' : 'manager';
}

/** How a player is protected after one more change. */
export function protectionAfter(before: Protection, change: ProtectionChange): Protection {
  if (isPause(change)) {
    const { what, step, until } = change;
    if (what === 'break') return { ...before, breakUntil: later(before.breakUntil, until) };
    const ended = lastByManagers(before);
    const exclusions =
      step === 'set' ? [...before.exclusions, change] : before.exclusions.filter((exclusion) => exclusion !== ended);
    const excludedUntil = exclusions.reduce<Date | null>((last, exclusion) => later(last, exclusion.until), null);
    return { ...before, exclusions, excludedUntil };
  }
  const limit = before.limits[change.what];
  return { ...before, limits: { ...before.limits, [change.what]: limitAfter(limit, change) } };
}

/** How a player is protected by all that happened, in its order. */
export function protectionOf(history: readonly ProtectionChange[]): Protection {
  return history.reduce(protectionAfter, UNPROTECTED);
}

function lastByManagers({ exclusions }: Pick<Protection, 'exclusions'>): Pause | undefined {
  return exclusions.findLast(({ side }) => side === 'manager');
}

/** The exclusion that managers can still end at an instant; undefined if there is none. */
export function endableAt(protection: Pick<Protection, 'exclusions'>, at: Date): Pause | undefined {
  const last = lastByManagers(protection);
  return last && at < last.until && at.getTime() < last.at.getTime() + EXCLUSION_ENDABLE_MS ? last : undefined;
}

function later(one: Date | null, other: Date): Date {
  return one !== null && one > other ? one : other;
}

function limitAfter(limit: SidedLimit, { side, step, at, from, after }: LimitChange): SidedLimit {
  if (step === 'withdrawn') return { ...limit, pending: null };
  if (step === 'asked') return { ...limit, pending: { value: after, askedAt: at, from } };
  // What a player has set or confirmed is what it wants now: what waited is not.
  return side === 'manager' ? { ...limit, manager: after } : { ...limit, player: after, pending: null };
}

/** Until when a player may lay no bet, and why: of a break and an exclusion the exclusion; null where it may. */
export function pauseAt(
  { breakUntil, excludedUntil }: Pick<Protection, 'breakUntil' | 'excludedUntil'>,
  at: Date,
): { readonly what: Pause['what']; readonly until: Date } | null {
  if (excludedUntil !== null && at < excludedUntil) return { what: 'exclusion', until: excludedUntil };
  if (breakUntil !== null && at < breakUntil) return { what: 'break', until: breakUntil };
  return null;
}

/**
 * Why a change can't be made of what holds, as a part of a sentence; null where it can. What both sides have to keep to: a player's stricter limit holds at
 * once, a looser one is asked for first and confirmed 24 hours later; nothing of the player's or looser is set in a break, and no pause ends sooner than it did,
 * but an exclusion that managers end within 24 hours.
 */
export function whyNot(before: Protection, change: ProtectionChange): string | null {
  if (isPause(change)) {
    if (change.step === 'withdrawn') return whyNotEnded(before, change);
    const holds = change.what === 'break' ? before.breakUntil : before.excludedUntil;
    return holds !== null && change.until <= holds ? 'ends no later than the one that holds' : null;
  }
  return whyNoLimit(before, before.limits[change.what], change);
}

function whyNotEnded(before: Protection, { what, side, at, until }: Pause): string | null {
  if (what !== 'exclusion' || side !== 'manager') return 'ends what nobody can end';
  const ended = endableAt(before, at);
  return ended?.until.getTime() === until.getTime() ? null : 'ends no exclusion that could be ended then';
}

function whyNoLimit(protection: Protection, limit: SidedLimit, change: LimitChange): string | null {
  const { side, step, at, from, before, after } = change;
  if (before !== limit[side]) return 'says that another limit held before';
  const isLooser = after !== before && !isStricter(after, before);
  if (pauseAt(protection, at) !== null && (side === 'player' || isLooser)) return 'was made in a break';
  if (side === 'manager') return step === 'set' ? null : 'is a step that only the player takes';
  switch (step) {
    case 'set':
      return isLooser ? 'is looser and held at once' : null;
    case 'asked':
      if (!isLooser) return 'asks for what is no looser';
      return from.getTime() < at.getTime() + LOOSER_AFTER_MS ? 'could be confirmed too soon' : null;
    case 'confirmed':
      if (limit.pending === null || limit.pending.value !== after) return 'confirms what was not asked for';
      return at < limit.pending.from ? 'was confirmed too soon' : null;
    case 'withdrawn':
      return limit.pending === null ? 'withdraws what was not asked for' : null;
  }
}

/** From an instant up to, not including, another, in milliseconds. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** How many milliseconds these cover within one of them, what several cover counted once. */
export function coveredMs(spans: readonly Span[], within: Span): number {
  let covered = 0;
  let reached = within.fromMs;
  for (const { fromMs, untilMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const [from, until] = [Math.max(fromMs, reached), Math.min(untilMs, within.untilMs)];
    if (until <= from) continue;
    covered += until - from;
    reached = until;
  }
  return covered;
}
