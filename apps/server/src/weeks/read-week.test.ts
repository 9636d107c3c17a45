import { NO_FIGURES } from '@drawhouse/rules/records/week-balance';
import { expect, it } from 'vitest';
import { onUncleared } from './read-week.ts';

const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'];
const RANGE = { from: DAYS[1]!, to: DAYS[3]! };
const [closedAt, clearedAt, later] = [6, 7, 8].map((day) => new Date(Date.UTC(2026, 2, day))) as [Date, Date, Date];

const NOW = { ...NO_FIGURES, given: 1n, taken: 2n, paidOut: 3n, play: 4n };
const CARRIED = { ...NO_FIGURES, given: 10n, taken: 20n, paidOut: 30n, play: 40n };
const AFTERWARDS = { ...NO_FIGURES, given: 100n };

const daysOf = (figures: typeof NOW) => new Map(DAYS.map((day) => [day, figures]));
const closings = [
  { at: closedAt, days: daysOf(CARRIED) },
  { at: later, days: daysOf(AFTERWARDS) },
];

it.each([
  ['credit', { given: 10n, taken: 20n }],
  ['commission', { paidOut: 30n }],
])('cleared %s stays as carried, from the first to the last cleared day', (model, carried) => {
  const cleared = [{ ...RANGE, at: clearedAt, isCommission: model === 'commission' }];
  const on = onUncleared({ cleared }, closings, () => NOW);
  const kept = { ...NOW, ...carried };
  expect(DAYS.map(on)).toEqual([NOW, kept, kept, kept, NOW]);
});
