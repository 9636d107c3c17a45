import { periodFilter, choiceFilter, onDay, pointsBetween } from '@drawhouse/contract/core/list-filters';
import { expect, test } from 'vitest';
import { filterErrors, filterText, plainAmount } from './filterText.ts';

const state = choiceFilter('state', 'State', { won: 'Won', lost: 'Lost' });
const stake = pointsBetween('stake', 'Stake');
const placed = periodFilter('placed', 'Placed');
const settled = onDay('settled', 'Settled', ['since', 'until']);

test.each([
  [state, { state: 'won' }, 'Won'],
  [stake, { stakeFrom: '5', stakeTo: '1000' }, '5.00 – 1,000.00'],
  [stake, { stakeFrom: '5' }, 'from 5.00'],
  [stake, { stakeTo: '0' }, 'up to 0.00'],
  [placed, { placedFrom: '2026-01-01', placedTo: '2026-01-31' }, '01 Jan 2026 – 31 Jan 2026'],
  [placed, { placedFrom: '2026-01-01', placedTo: '2026-01-01' }, '01 Jan 2026'],
  [placed, { placedTo: '2026-01-31' }, 'up to 31 Jan 2026'],
  [settled, { settled: '2026-01-31' }, '31 Jan 2026'],
])('%# says what it keeps', (filter, kept, text) => expect(filterText(filter, kept)).toBe(text));

test.each([state, stake, placed, settled])('%# keeps everything', (filter) => {
  expect(filterText(filter, { search: 'x' })).toBeNull();
});

test.each([
  [stake, { stakeFrom: '5', stakeTo: '10' }, {}],
  [stake, { stakeFrom: '', stakeTo: '' }, {}],
  [stake, { stakeFrom: '10', stakeTo: '9.99' }, { stakeTo: 'The maximum is less than the minimum' }],
  [
    stake,
    { stakeFrom: 'ten' },
    { stakeFrom: 'Enter an amount in plain digits with at most 2 decimals, such as 12.50' },
  ],
  [placed, { placedFrom: '2026-01-02', placedTo: '2026-01-01' }, { placedTo: 'The end is before the start' }],
  [placed, { placedFrom: '2026-01-02' }, {}],
  [placed, { placedFrom: '2021-01-02', placedTo: '2026-01-01' }, {}],
  [
    placed,
    { placedFrom: '2021-01-01', placedTo: '2026-01-02' },
    { placedTo: 'The end is more than 5 years after the start' },
  ],
])('%# names the field that is wrong', (filter, draft, errors) => expect(filterErrors(filter, draft)).toEqual(errors));

test('an amount is typed as displayed', () => {
  expect(plainAmount(' 1,234,567.50 ')).toBe('1234567.50');
});
