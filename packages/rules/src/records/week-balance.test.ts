import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../time/zone-days.ts';
import {
  addFigures,
  balanceAfter,
  NO_FIGURES,
  WEEK_FIGURES,
  WEEKDAYS,
  weekStart,
  type WeekFigures,
} from './week-balance.ts';

const amount = fc.bigInt({ min: 0n, max: 2n ** 53n });
const figures = fc
  .record(Object.fromEntries(WEEK_FIGURES.map((name) => [name, amount])) as never)
  .map((each) => each as WeekFigures);
const terms = fc.record({
  share: fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: null }),
  commissionWithWeek: fc.boolean(),
});
const balance = fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n });

describe('balanceAfter', () => {
  it.each([
    ['owes the credit it keeps', { given: 1000n, taken: 300n, play: 900n }, null, false, 750n],
    ['owes its share of the net', { given: 1000n, play: 900n, win: 500n, commission: 101n }, 5000, false, 200n],
    ['is owed its share of a loss', { play: 500n, win: 900n, commission: 1n }, 5000, false, -151n],
    ['keeps commission that comes with the week', { given: 100n, earned: 30n }, null, true, 120n],
    ['owes commission that was paid out before', { given: 100n, earned: 30n, paidOut: 30n }, null, true, 150n],
    ['pays', { received: 40n }, null, false, 10n],
    ['is paid', { paid: 40n }, 5000, true, 90n],
  ])('%s', (_what, some, share, commissionWithWeek, expected) => {
    expect(balanceAfter(50n, { ...NO_FIGURES, ...some }, { share, commissionWithWeek })).toBe(expected);
  });

  it('moves by the same amount from any balance', () => {
    fc.assert(
      fc.property(balance, figures, terms, (before, week, agreed) => {
        expect(balanceAfter(before, week, agreed) - before).toBe(balanceAfter(0n, week, agreed));
      }),
    );
  });

  it('differs from the sum of its days by rounding alone', () => {
    fc.assert(
      fc.property(fc.array(figures, { minLength: 1, maxLength: 7 }), terms, (days, agreed) => {
        const whole = balanceAfter(0n, days.reduce(addFigures), agreed);
        const byDay = days.reduce((sum, day) => balanceAfter(sum, day, agreed), 0n);
        const apart = whole - byDay;
        expect(apart <= 4n && apart >= -4n).toBe(true);
        if (agreed.share === null) expect(apart).toBe(0n);
      }),
    );
  });

  it('mirrors a week in which both sides swap', () => {
    fc.assert(
      fc.property(figures, terms, (week, agreed) => {
        const mirrored: WeekFigures = {
          ...week,
          given: week.taken,
          taken: week.given,
          play: week.win + week.commission,
          win: week.play,
          commission: 0n,
          earned: week.paidOut,
          paidOut: week.earned,
          received: week.paid,
          paid: week.received,
        };
        expect(balanceAfter(0n, mirrored, agreed)).toBe(-balanceAfter(0n, week, agreed));
      }),
    );
  });
});

it('starts each week on the given weekday, at most six days before', () => {
  const day = fc.integer({ min: -20_000, max: 40_000 }).map((days) => addDays('2026-01-01', days));
  fc.assert(
    fc.property(day, fc.constantFrom(...WEEKDAYS), (each, first) => {
      const start = weekStart(each, first);
      expect(WEEKDAYS[new Date(`${start}T00:00:00Z`).getUTCDay()]).toBe(first);
      expect(start <= each && each < addDays(start, 7)).toBe(true);
    }),
  );
  expect(weekStart('2026-11-29', 'sunday')).toBe('2026-11-29');
  expect(weekStart('2026-11-29', 'monday')).toBe('2026-11-23');
});
