/**
 * Listed in display order. Hundredths, the last in minutes. Stakes and losses count when settled; until then, in the
 * current period.
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
export type ProtectionLimitName = (typeof LIMIT_NAMES)[number];

/** Minimum wait before a player can confirm a looser limit. */
export const LOOSER_AFTER_MS: number = 24 * 60 * 60_000;

/** Managers can end their own exclusions for this time. Self-exclusions are final. */
export const EXCLUSION_ENDABLE_MS: number = 24 * 60 * 60_000;

export const BREAK_LENGTHS = ['1 day', '1 week', '1 month', '2 months', '3 months'] as const;
export const EXCLUSION_LENGTHS = ['6 months', '1 year', '5 years'] as const;
/** Readable for people and valid in PostgreSQL. */
export type PauseLength = (typeof BREAK_LENGTHS)[number] | (typeof EXCLUSION_LENGTHS)[number];

export type ProtectionSide = 'player' | 'manager';

/** Hundredths or minutes. Null: unlimited. */
export type LimitValue = bigint | null;

/** `set` applies at once. Looser limits are `asked`, then `confirmed` or `withdrawn`. */
export const LIMIT_STEPS = ['set', 'asked', 'confirmed', 'withdrawn'] as const;
export type LimitStep = (typeof LIMIT_STEPS)[number];

export interface LimitChange {
  readonly what: ProtectionLimitName;
  readonly side: ProtectionSide;
  readonly step: LimitStep;
  readonly at: Date;
  readonly from: Date;
  readonly before: LimitValue;
  /** New value; for `asked` and `withdrawn`, the requested value. */
  readonly after: LimitValue;
}

export interface Pause {
  readonly what: 'break' | 'exclusion';
  readonly side: ProtectionSide;
  readonly step: 'set' | 'withdrawn';
  readonly at: Date;
  readonly until: Date;
}

export type ProtectionChange = LimitChange | Pause;

export function isPause(change: ProtectionChange): change is Pause {
  return change.what === 'break' || change.what === 'exclusion';
}

export interface PendingLimit {
  readonly value: LimitValue;
  readonly askedAt: Date;
  readonly from: Date;
}

export interface SidedLimit {
  readonly player: LimitValue;
  readonly manager: LimitValue;
  readonly pending: PendingLimit | null;
}

export interface Protection {
  readonly limits: Readonly<Record<ProtectionLimitName, SidedLimit>>;
  readonly breakUntil: Date | null;
  readonly excludedUntil: Date | null;
  /** Exclusions not ended early, oldest first. */
  readonly exclusions: readonly Pause[];
}

const NO_LIMIT: SidedLimit = { player: null, manager: null, pending: null };

export const UNPROTECTED: Protection = {
  limits: Object.fromEntries(LIMIT_NAMES.map((name) => [name, NO_LIMIT])) as unknown as Protection['limits'],
  breakUntil: null,
  excludedUntil: null,
  exclusions: [],
};

export function isStricter(value: LimitValue, than: LimitValue): boolean {
  return value !== null && (than === null || value < than);
}

export function lowerOf(one: LimitValue, other: LimitValue): LimitValue {
  return isStricter(other, one) ? other : one;
}

export function limitInForce({ player, manager }: Pick<SidedLimit, 'player' | 'manager'>): LimitValue {
  return lowerOf(player, manager);
}

/** Returns the player on ties. */
export function limitSetter(limit: Pick<SidedLimit, 'player' | 'manager'>): ProtectionSide | null {
  const inForce = limitInForce(limit);
  if (inForce === null) return null;
  return inForce === limit.player ? 'player' : 'manager';
}

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

export function protectionOf(history: readonly ProtectionChange[]): Protection {
  return history.reduce(protectionAfter, UNPROTECTED);
}

function lastByManagers({ exclusions }: Pick<Protection, 'exclusions'>): Pause | undefined {
  return exclusions.findLast(({ side }) => side === 'manager');
}

export function revocableExclusion(protection: Pick<Protection, 'exclusions'>, at: Date): Pause | undefined {
  const last = lastByManagers(protection);
  return last && at < last.until && at.getTime() < last.at.getTime() + EXCLUSION_ENDABLE_MS ? last : undefined;
}

function later(one: Date | null, other: Date): Date {
  return one !== null && one > other ? one : other;
}

function limitAfter(limit: SidedLimit, { side, step, at, from, after }: LimitChange): SidedLimit {
  if (step === 'withdrawn') return { ...limit, pending: null };
  if (step === 'asked') return { ...limit, pending: { value: after, askedAt: at, from } };
  return side === 'manager' ? { ...limit, manager: after } : { ...limit, player: after, pending: null };
}

/** An exclusion takes precedence over a break. Null: no pause. */
export function pauseAt(
  { breakUntil, excludedUntil }: Pick<Protection, 'breakUntil' | 'excludedUntil'>,
  at: Date,
): { readonly what: Pause['what']; readonly until: Date } | null {
  if (excludedUntil !== null && at < excludedUntil) return { what: 'exclusion', until: excludedUntil };
  if (breakUntil !== null && at < breakUntil) return { what: 'break', until: breakUntil };
  return null;
}

/**
 * Returns a sentence fragment, or null if valid. Stricter limits apply at once; looser ones need a request and
 * confirmation 24 hours later. During a break, players set no limits and managers none looser. Pauses never get
 * shorter, except exclusions that managers end within 24 hours.
 */
export function invalidChangeReason(before: Protection, change: ProtectionChange): string | null {
  if (isPause(change)) {
    if (change.step === 'withdrawn') return whyNotEnded(before, change);
    const currentUntil = change.what === 'break' ? before.breakUntil : before.excludedUntil;
    return currentUntil !== null && change.until <= currentUntil ? 'does not extend the current one' : null;
  }
  return whyNoLimit(before, before.limits[change.what], change);
}

function whyNotEnded(before: Protection, { what, side, at, until }: Pause): string | null {
  if (what !== 'exclusion' || side !== 'manager') return 'ends what cannot be ended';
  const ended = revocableExclusion(before, at);
  return ended?.until.getTime() === until.getTime() ? null : 'ends an exclusion that could not be ended then';
}

function whyNoLimit(protection: Protection, limit: SidedLimit, change: LimitChange): string | null {
  const { side, step, at, from, before, after } = change;
  if (before !== limit[side]) return 'names a different limit as the one before';
  const isLooser = after !== before && !isStricter(after, before);
  if (pauseAt(protection, at) !== null && (side === 'player' || isLooser)) return 'was made during a break';
  if (side === 'manager') return step === 'set' ? null : 'is a step that only the player takes';
  switch (step) {
    case 'set':
      return isLooser ? 'is looser but applied at once' : null;
    case 'asked':
      if (!isLooser) return 'requests a limit that is not looser';
      return from.getTime() < at.getTime() + LOOSER_AFTER_MS ? 'could be confirmed too early' : null;
    case 'confirmed':
      if (limit.pending === null || limit.pending.value !== after) return 'confirms a limit that was not requested';
      return at < limit.pending.from ? 'was confirmed too early' : null;
    case 'withdrawn':
      return limit.pending === null ? 'withdraws a limit that was not requested' : null;
  }
}

export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Covers time within a span; overlaps count once. */
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
