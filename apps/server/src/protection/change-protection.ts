import { hundredthsOf } from '@drawhouse/contract/core/primitives';
import { DAY_MINUTES, PROTECTION_LIMITS, type ProtectionLimit } from '@drawhouse/contract/players/player-limits';
import {
  revocableExclusion,
  isPause,
  isStricter,
  limitInForce,
  LOOSER_AFTER_MS,
  pauseAt,
  protectionAfter,
  protectionOf,
  invalidChangeReason,
  type LimitChange,
  type LimitStep,
  type LimitValue,
  type Pause,
  type PauseLength,
  type Protection,
  type ProtectionChange,
  type ProtectionSide,
} from '@drawhouse/rules/records/limits-in-force';
import type { Change } from '@drawhouse/contract/activity/activity';
import { changeOf } from '../activity/append-activity.ts';
import type { Done } from '../activity/run-command.ts';
import type { Tx } from '../platform/db/database.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { lockWallets } from '../ledger/post.ts';
import type { Services } from '../platform/services.ts';
import { appendChange, readHistory, toChange, type PlayerKey } from './protection.sql.ts';
import {
  areMinutes,
  fromWords,
  limitWords,
  pauseWords,
  timeWords,
  PROTECTION_TEXTS,
  PROTECTION_SUBJECTS,
} from './protection-texts.ts';
import { sql } from '../platform/db/sql/sql.ts';

export interface ProtectionOrder {
  readonly player: PlayerKey & { readonly username: string };
  readonly by: { readonly id: string; readonly side: ProtectionSide };
  readonly reason: string;
}

export interface ChangedProtection {
  readonly message: string;
  readonly after: Protection;
  /** Taken with the player's wallets locked. */
  readonly at: Date;
}

interface LockedProtection {
  readonly before: Protection;
  readonly at: Date;
}

/** Returns hundredths or minutes. */
export function limitValueOf(name: ProtectionLimit, value: number | null): LimitValue {
  if (value === null) return null;
  if (name !== 'minutesPerDay') return hundredthsOf(value)!;
  if (!areMinutes(value))
    throw new CallError('INVALID_INPUT', {
      fields: { value: PROTECTION_TEXTS.wrongMinutes(DAY_MINUTES) },
    });
  return BigInt(value);
}

/** Stricter applies immediately; looser becomes a pending request. */
export function setOwn(
  services: Services,
  tx: Tx,
  order: ProtectionOrder,
  name: ProtectionLimit,
  value: LimitValue,
): Promise<Done<ChangedProtection>> {
  return changeOwn(services, tx, order, name, ({ at, player: holds }) => {
    if (value === holds) return { same: PROTECTION_TEXTS.alreadyYours };
    if (isStricter(value, holds)) return { step: 'set', value, message: PROTECTION_TEXTS.set };
    const from = new Date(at.getTime() + LOOSER_AFTER_MS);
    const when = fromWords(from, services.timeZone);
    const message = PROTECTION_TEXTS.confirmFrom(when);
    return { step: 'asked', value, from, message };
  });
}

export function confirmOwn(
  services: Services,
  tx: Tx,
  order: ProtectionOrder,
  name: ProtectionLimit,
): Promise<Done<ChangedProtection>> {
  return changeOwn(services, tx, order, name, ({ at, pending }) => {
    const { value, from } = requirePending(pending);
    if (at < from) throw refused(PROTECTION_TEXTS.tooEarly(fromWords(from, services.timeZone)));
    return { step: 'confirmed', value, message: PROTECTION_TEXTS.confirmed };
  });
}

export function withdrawOwn(
  services: Services,
  tx: Tx,
  order: ProtectionOrder,
  name: ProtectionLimit,
): Promise<Done<ChangedProtection>> {
  return changeOwn(services, tx, order, name, ({ pending }) => ({
    step: 'withdrawn',
    value: requirePending(pending).value,
    message: PROTECTION_TEXTS.withdrawn,
  }));
}

type OwnStep =
  | { readonly same: string }
  | { readonly step: LimitStep; readonly value: LimitValue; readonly from?: Date; readonly message: string };

function changeOwn(
  services: Services,
  tx: Tx,
  order: ProtectionOrder,
  name: ProtectionLimit,
  decide: (limit: Protection['limits'][ProtectionLimit] & Pick<LockedProtection, 'at'>) => OwnStep,
): Promise<Done<ChangedProtection>> {
  return makeChange(services, tx, order, (locked) => {
    requireNoPause(services, locked);
    const { at, before } = locked;
    const limit = before.limits[name];
    const decision = decide({ ...limit, at });
    if ('same' in decision) return { ...decision, after: before };
    const { step, value, from = at, message } = decision;
    return { change: limitChange({ name, side: 'player', step, at, from }, limit.player, value), message };
  });
}

/** Limits set higher up bound any loosening: throws RULE_REFUSED beyond, and ON_BREAK for loosening during a break. */
export function setManagers(
  services: Services,
  tx: Tx,
  order: ProtectionOrder,
  {
    name,
    value,
    boundFromAbove,
  }: {
    readonly name: ProtectionLimit;
    readonly value: LimitValue;
    readonly boundFromAbove: () => Promise<{ readonly value: LimitValue } | undefined>;
  },
): Promise<Done<ChangedProtection>> {
  return makeChange(services, tx, order, async (locked) => {
    const { at, before } = locked;
    const currentLimit = before.limits[name].manager;
    if (value === currentLimit) return { same: PROTECTION_TEXTS.alreadySet, after: before };
    if (!isStricter(value, currentLimit)) {
      requireNoPause(services, locked, PROTECTION_TEXTS.onBreak(order.player.username));
      const bound = await boundFromAbove();
      if (bound && isStricter(bound.value, value))
        throw refused(PROTECTION_TEXTS.setAbove(limitWords(name, bound.value)!));
    }
    const after = limitChange({ name, side: 'manager', step: 'set', at, from: at }, currentLimit, value);
    const inForce = limitInForce({ ...before.limits[name], manager: value });
    const message = inForce === value ? PROTECTION_TEXTS.set : PROTECTION_TEXTS.ownIsLower(limitWords(name, inForce)!);
    return { change: after, message };
  });
}

/** Throws ON_BREAK (exclusions: RULE_REFUSED) if a current one lasts at least as long. */
export function pause(
  services: Services,
  tx: Tx,
  order: ProtectionOrder,
  { what, length }: { what: Pause['what']; length: PauseLength },
): Promise<Done<ChangedProtection>> {
  return makeChange(services, tx, order, async ({ at, before }) => {
    const [end] = await tx.query<{ until: Date }>(
      // Same date next month, same time of day.
      sql`select (${at}::timestamptz at time zone ${services.timeZone}::text + ${length}::interval) at time zone
        ${services.timeZone}::text as until`.named('protection-until'),
    );
    const { until } = end!;
    const currentPause = pauseAt(before, at);
    if (currentPause?.what === 'exclusion' && (what === 'break' || until <= currentPause.until))
      throw refused(pauseWords(currentPause, services.timeZone), what);
    if (currentPause?.what === 'break' && what === 'break' && until <= currentPause.until)
      throw refused(pauseWords(currentPause, services.timeZone), what);
    return {
      change: { what, side: order.by.side, step: 'set', at, until },
      length,
      message:
        what === 'break'
          ? PROTECTION_TEXTS.breakBegun(timeWords(until, services.timeZone))
          : PROTECTION_TEXTS.excluded(timeWords(until, services.timeZone)),
    };
  });
}

/** Ends the managers' latest exclusion within 24 hours. `isFromAbove`: begun above the caller. */
export function endExclusion(
  services: Services,
  tx: Tx,
  order: ProtectionOrder,
  isFromAbove: (exclusion: Pause) => Promise<boolean>,
): Promise<Done<ChangedProtection>> {
  return makeChange(services, tx, order, async ({ at, before }) => {
    const ended = revocableExclusion(before, at);
    if (!ended)
      throw refused(
        pauseAt(before, at)?.what === 'exclusion' ? PROTECTION_TEXTS.exclusionStays : PROTECTION_TEXTS.notExcluded,
      );
    if (await isFromAbove(ended)) throw refused(PROTECTION_TEXTS.excludedAbove);
    const change: Pause = { ...ended, step: 'withdrawn', at };
    const [row] = await tx.query<{ length: PauseLength }>(
      sql`select length from protection_changes where network_id = ${order.player.networkId} and account_id = ${order.player.id}
        and what = 'exclusion' and step = 'set' and until = ${ended.until}
       order by nth desc limit 1`.named('protection-ended'),
    );
    const { excludedUntil } = protectionAfter(before, change);
    const message =
      excludedUntil !== null && at < excludedUntil
        ? PROTECTION_TEXTS.otherExclusion(timeWords(excludedUntil, services.timeZone))
        : PROTECTION_TEXTS.exclusionEnded(order.player.username);
    return { change, length: row!.length, message };
  });
}

function refused(message: string, what: Pause['what'] = 'exclusion'): CallError {
  return new CallError(what === 'break' ? 'ON_BREAK' : 'RULE_REFUSED', { message });
}

type Wanted =
  | { readonly change: ProtectionChange; readonly message: string; readonly length?: PauseLength }
  | { readonly same: string; readonly after: Protection };

/**
 * The wallet lock is shared with bets and payouts, so each bet comes before the change or respects it. Reads the time under
 * that lock, like tickets do.
 */
async function makeChange(
  services: Services,
  tx: Tx,
  { player, by, reason }: ProtectionOrder,
  decide: (locked: LockedProtection) => Wanted | Promise<Wanted>,
): Promise<Done<ChangedProtection>> {
  await lockWallets(tx, player.networkId, [`credit:${player.id}`, `winnings:${player.id}`]);
  const at = services.clock.now();
  const history = (await readHistory(tx, player)).map(toChange);
  const before = protectionOf(history);
  const decision = await decide({ before, at });
  if ('same' in decision) return { result: { message: decision.same, after: decision.after, at }, subject: null };
  const { change, message, length = null } = decision;
  const wrong = invalidChangeReason(before, change);
  if (wrong !== null) throw new Error(`A change of the protection of ${player.id} ${wrong}.`);
  const after = protectionAfter(before, change);
  const changeId = services.newId();
  await appendChange(tx, player, history.length + 1, change, { changeId, byAccount: by.id, length, reason }, after);
  return {
    result: { message, after, at },
    ...logRecordOf(services, player.username, by.side, change, length),
    detail: { accountId: player.id, protection: changeId, ...loggedAs(change, length), reason },
  };
}

/** The audit reads this. Amounts: hundredths, as text. */
function loggedAs(change: ProtectionChange, length: string | null): Record<string, unknown> {
  const { what, side } = change;
  if (isPause(change)) return { what, side, step: change.step, length };
  const text = (value: LimitValue): string | null => value?.toString() ?? null;
  return { what, side, step: change.step, before: text(change.before), after: text(change.after) };
}

function logRecordOf(
  { timeZone }: Pick<Services, 'timeZone'>,
  username: string,
  side: ProtectionSide,
  made: ProtectionChange,
  length: string | null,
): { readonly subject: string; readonly changes: readonly Change[] } {
  const of = side === 'player' ? 'of their own' : `of player ${username}`;
  if (isPause(made) && made.step === 'withdrawn')
    return {
      subject: PROTECTION_SUBJECTS.exclusionEnded(username),
      changes: changeOf('Excluded until', timeWords(made.until, timeZone), null, username),
    };
  if (isPause(made)) {
    const subject =
      made.what === 'break'
        ? PROTECTION_SUBJECTS.breakTaken(length)
        : `Excluded ${side === 'player' ? 'themselves' : `player ${username}`} for ${length}`;
    const what = made.what === 'break' ? 'On a break until' : 'Excluded until';
    return { subject, changes: changeOf(what, null, timeWords(made.until, timeZone), username) };
  }
  const { what: name, step, before, after } = made;
  const title = PROTECTION_LIMITS[name];
  const verb = {
    set: 'Set',
    asked: 'Requested a looser',
    confirmed: 'Confirmed a looser',
    withdrawn: 'Withdrew a looser',
  }[step];
  const [was, is] = [limitWords(name, before), limitWords(name, after)];
  const about = step === 'asked' ? `${title}, to be confirmed` : title;
  return {
    subject: PROTECTION_SUBJECTS.limitChanged(verb, of, title.toLowerCase()),
    changes:
      step === 'withdrawn'
        ? changeOf(`${title}, to be confirmed`, is ?? 'No limit', null, username)
        : changeOf(about, was ?? 'No limit', is ?? 'No limit', username),
  };
}

function requireNoPause(
  { timeZone }: Pick<Services, 'timeZone'>,
  { before, at }: LockedProtection,
  message?: string,
): void {
  const currentPause = pauseAt(before, at);
  if (currentPause) throw new CallError('ON_BREAK', { message: message ?? pauseWords(currentPause, timeZone) });
}

function requirePending<T>(pending: T | null): T {
  if (pending === null) throw refused(PROTECTION_TEXTS.nothingPending);
  return pending;
}

function limitChange(
  { name, ...rest }: Pick<LimitChange, 'side' | 'step' | 'at' | 'from'> & { readonly name: ProtectionLimit },
  before: LimitValue,
  after: LimitValue,
): LimitChange {
  return { what: name, ...rest, before, after };
}
