import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coveredMs,
  EXCLUSION_ENDABLE_MS,
  isPause,
  isStricter,
  LIMIT_NAMES,
  limitInForce,
  LOOSER_AFTER_MS,
  lowerOf,
  pauseAt,
  protectionAfter,
  protectionOf,
  limitSetter,
  UNPROTECTED,
  invalidChangeReason,
  type LimitChange,
  type LimitValue,
  type Protection,
  type ProtectionChange,
} from './limits-in-force.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.parse('2026-03-10T10:00:00.000Z');
const value = fc.oneof(fc.constant(null), fc.bigInt(1n, 6n));
const attempt = fc.record({
  hours: fc.integer({ min: 0, max: 40 }),
  what: fc.constantFrom('stakePerDay', 'minutesPerDay', 'break', 'exclusion'),
  side: fc.constantFrom('player', 'manager'),
  step: fc.constantFrom('set', 'asked', 'confirmed', 'withdrawn'),
  waitHours: fc.constantFrom(0, 23, 24, 30),
  value,
  days: fc.integer({ min: 1, max: 5 }),
});
type Attempt = typeof attempt extends fc.Arbitrary<infer A> ? A : never;

function changeOf(tried: Attempt, at: Date, current: Protection): ProtectionChange {
  const { what, side, step, waitHours, days } = tried;
  if (what === 'break' || what === 'exclusion')
    return step === 'withdrawn'
      ? { what, side, step, at, until: current.exclusions.at(-1)?.until ?? at }
      : { what, side, step: 'set', at, until: new Date(at.getTime() + days * DAY_MS) };
  const name = what as LimitChange['what'];
  const from = step === 'asked' ? new Date(at.getTime() + waitHours * HOUR_MS) : at;
  const change = {
    what: name,
    side,
    step,
    at,
    from,
    before: current.limits[name][side as 'player'],
    after: tried.value,
  };
  return change;
}

function historyOf(attempts: readonly Attempt[]): ProtectionChange[] {
  let atMs = START_MS;
  let current = UNPROTECTED;
  return attempts.flatMap((tried) => {
    atMs += tried.hours * HOUR_MS;
    const change = changeOf(tried, new Date(atMs), current);
    if (invalidChangeReason(current, change) !== null) return [];
    current = protectionAfter(current, change);
    return [change];
  });
}

const isLimit = (change: ProtectionChange): change is LimitChange => !isPause(change);
const lastOf = (history: readonly ProtectionChange[], name: string, side: string): LimitValue =>
  history
    .filter(isLimit)
    .findLast((one) => one.what === name && one.side === side && (one.step === 'set' || one.step === 'confirmed'))
    ?.after ?? null;

describe('in every sequence of changes', () => {
  const histories = fc.array(attempt, { maxLength: 40 }).map(historyOf);

  it("the lower of both sides' latest limits applies", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { limits } = protectionOf(history);
        for (const name of LIMIT_NAMES) {
          const [player, manager] = [lastOf(history, name, 'player'), lastOf(history, name, 'manager')];
          const both = [player, manager].filter((one) => one !== null).toSorted((a, b) => Number(a - b));
          expect(limits[name]).toMatchObject({ player, manager });
          expect(limitInForce(limits[name])).toBe(both[0] ?? null);
        }
      }),
    );
  });

  it("a player's own limit is loosened only in its own step, a day after the request", () => {
    fc.assert(
      fc.property(histories, (history) => {
        for (const [index, change] of history.entries()) {
          const before = history.slice(0, index);
          if (!isLimit(change) || change.side !== 'player') continue;
          const { player } = protectionOf(before).limits[change.what];
          const { player: now } = protectionOf(history.slice(0, index + 1)).limits[change.what];
          if (now === player || isStricter(now, player)) continue;
          const asked = before.filter(isLimit).findLast((one) => one.what === change.what && one.side === 'player');
          expect([change.step, asked?.step, asked?.after]).toEqual(['confirmed', 'asked', now]);
          expect(change.at.getTime() - asked!.at.getTime()).toBeGreaterThanOrEqual(LOOSER_AFTER_MS);
        }
      }),
    );
  });

  it("during a break no limit is loosened, and no pause ends sooner except a managers' exclusion", () => {
    fc.assert(
      fc.property(histories, (history) => {
        for (const [index, change] of history.entries()) {
          const current = protectionOf(history.slice(0, index));
          const then = protectionAfter(current, change);
          expect(then.breakUntil?.getTime() ?? 0).toBeGreaterThanOrEqual(current.breakUntil?.getTime() ?? 0);
          const ownEnd = Math.max(
            0,
            ...current.exclusions.map(({ side, until }) => (side === 'player' ? until.getTime() : 0)),
          );
          const isEnd = isPause(change) && change.step === 'withdrawn';
          const least = isEnd ? ownEnd : (current.excludedUntil?.getTime() ?? 0);
          expect(then.excludedUntil?.getTime() ?? 0).toBeGreaterThanOrEqual(least);
          if (isEnd) {
            const ended = current.exclusions.findLast(({ side }) => side === 'manager')!;
            expect(change.at.getTime() - ended.at.getTime()).toBeLessThan(EXCLUSION_ENDABLE_MS);
          }
          if (pauseAt(current, change.at) === null || !isLimit(change)) continue;
          expect(change.side).toBe('manager');
          expect(lowerOf(change.after, change.before)).toBe(change.after);
        }
      }),
    );
  });

  it("neither side changes the other's settings", () => {
    fc.assert(
      fc.property(histories, attempt, (history, tried) => {
        const current = protectionOf(history);
        const change = changeOf(tried, new Date(START_MS + 100 * DAY_MS), current);
        if (!isLimit(change)) return;
        const other = change.side === 'player' ? 'manager' : 'player';
        expect(protectionAfter(current, change).limits[change.what][other]).toBe(current.limits[change.what][other]);
      }),
    );
  });
});

describe('a limit', () => {
  it('names the side that set the lower one, the player on a tie', () => {
    expect(limitSetter({ player: null, manager: null })).toBeNull();
    expect(limitSetter({ player: 5n, manager: null })).toBe('player');
    expect(limitSetter({ player: 5n, manager: 4n })).toBe('manager');
    expect(limitSetter({ player: 5n, manager: 5n })).toBe('player');
  });
});

describe('a pause', () => {
  it('lasts to its end, and an exclusion takes precedence over a break', () => {
    const at = new Date(START_MS);
    const [sooner, later] = [new Date(START_MS + 1), new Date(START_MS + 2)];
    expect(pauseAt({ breakUntil: at, excludedUntil: null }, at)).toBeNull();
    expect(pauseAt({ breakUntil: later, excludedUntil: null }, at)).toEqual({ what: 'break', until: later });
    expect(pauseAt({ breakUntil: later, excludedUntil: sooner }, at)).toEqual({ what: 'exclusion', until: sooner });
  });
});

describe('overlapping spans', () => {
  it('count each moment once', () => {
    const span = fc
      .tuple(fc.integer({ min: -5, max: 25 }), fc.integer({ min: 0, max: 15 }))
      .map(([fromMs, length]) => ({ fromMs, untilMs: fromMs + length }));
    fc.assert(
      fc.property(fc.array(span, { maxLength: 6 }), span, (spans, within) => {
        let covered = 0;
        for (let at = within.fromMs; at < within.untilMs; at++)
          if (spans.some(({ fromMs, untilMs }) => fromMs <= at && at < untilMs)) covered++;
        expect(coveredMs(spans, within)).toBe(covered);
      }),
    );
  });
});
