import type { Percentage } from '@drawhouse/contract/games/percentages';
import { expect, it } from 'vitest';
import { oddsText } from '../../catalog/OddsChart.tsx';
import { oddsOf, percentageProblem, readPercentage, standing } from './percentageRows.ts';

const always1 = [1_000_000_000, ...Array<number>(19).fill(0)];
const row: Percentage = {
  id: 'a',
  adminId: 'b',
  username: 'kavya',
  gameId: 'funtargetbingo',
  gameName: 'Fun Target Bingo',
  winpercentage: null,
  baseReturn: 0.9,
  boosterMean: 1,
  willReturn: 0.9,
  weights: always1,
  actual: [],
};

it('validates like the server; empty is 0, meaning none', () => {
  for (const text of ['1', '95.5', '1,800', '1800', '', ' ', '0'])
    expect([text, percentageProblem(text, row)]).toEqual([text, null]);
  expect(['', '0'].map(readPercentage)).toEqual([0, 0]);
  for (const text of ['0.01', '0.99'])
    expect([text, percentageProblem(text, row)]).toEqual([text, 'At least 1, or empty for none']);
  expect(percentageProblem('1800.01', row)).toMatch(/^At most 1800, the limit with the highest booster of 20/);
  for (const text of ['95.555', '-5', 'much', '1e2'])
    expect([text, percentageProblem(text, row)]).toEqual([text, expect.stringContaining('2 decimals')]);
});

it('the odds follow input, reset when cleared, and stay on invalid input', () => {
  const odds = oddsOf('95.5', row);
  expect(odds.boosterMean).toBeCloseTo(95.5 / 90, 6);
  expect(odds.willReturn).toBeCloseTo(0.955, 6);
  expect(oddsOf('50', row)).toMatchObject({ willReturn: 0.9, weights: always1 });
  const boosted = { ...row, winpercentage: 95.5, ...odds };
  expect(oddsOf('', boosted)).toMatchObject({ boosterMean: 1, willReturn: 0.9, weights: always1 });
  expect(oddsOf('0.5', boosted)).toBe(boosted);
});

it('an actual return is within, above or below its band', () => {
  const one = { days: 7, low: 0.8, high: 1, draws: 5 };
  const stands = (value: number | null) => standing({ ...one, return: value });
  expect([0.79, 0.8, 0.9, 1, 1.01].map(stands)).toEqual(['below', 'within', 'within', 'within', 'above']);
  expect(standing({ days: 7, return: null, low: null, high: null, draws: 0 })).toBe('none');
  expect(standing({ days: 7, return: 0.9, low: 0.9000000000000001, high: 0.9, draws: 1 })).toBe('within');
});

it('describes the odds in words', () => {
  expect(oddsText(always1)).toBe('Booster 1: 100.0\u{a0}%');
  expect(oddsText([900_000_000, 99_999_999, 1])).toBe('Booster 1: 90.0\u{a0}%, 2: 10.0\u{a0}%, others: below 0.1 %');
});
