import { expect, it } from 'vitest';
import { clearingErrors, clearingProblem, EMPTY_CLEARING } from './clearingForm.ts';

const CHOICE = { startDate: '2026-03-01', endDate: '2026-03-05', models: ['ticket' as const] };

it('both dates and a model are asked for, in the words of the specification', () => {
  expect(clearingProblem(EMPTY_CLEARING)).toBe('Please select start and end date.');
  expect(clearingProblem({ ...CHOICE, endDate: '' })).toBe('Please select start and end date.');
  expect(clearingProblem({ ...CHOICE, models: [] })).toBe('Select at least one model to clear');
  expect(clearingProblem(CHOICE)).toBeNull();
});

it('the field that is wrong is named', () => {
  expect(Object.keys(clearingErrors(EMPTY_CLEARING))).toEqual(['startDate']);
  expect(Object.keys(clearingErrors({ ...CHOICE, endDate: '' }))).toEqual(['endDate']);
  expect(Object.keys(clearingErrors({ ...CHOICE, models: [] }))).toEqual(['models']);
  expect(clearingErrors({ ...CHOICE, endDate: '2026-02-28' })).toEqual({ endDate: 'The end is before the start' });
  expect(clearingErrors(CHOICE)).toEqual({});
});
