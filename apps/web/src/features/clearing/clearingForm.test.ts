import { expect, it } from 'vitest';
import { clearingErrors, clearingProblem, EMPTY_CLEARING } from './clearingForm.ts';

const CHOICE = { startDate: '2026-03-01', endDate: '2026-03-05', models: ['ticket' as const] };

it("requires both dates and a model, in the specification's words", () => {
  expect(clearingProblem(EMPTY_CLEARING)).toBe('Please select start and end date.');
  expect(clearingProblem({ ...CHOICE, endDate: '' })).toBe('Please select start and end date.');
  expect(clearingProblem({ ...CHOICE, models: [] })).toBe('Select at least one model to clear');
  expect(clearingProblem(CHOICE)).toBeNull();
});

it('names the wrong field', () => {
  expect(Object.keys(clearingErrors(EMPTY_CLEARING))).toEqual(['startDate']);
  expect(Object.keys(clearingErrors({ ...CHOICE, endDate: '' }))).toEqual(['endDate']);
  expect(Object.keys(clearingErrors({ ...CHOICE, models: [] }))).toEqual(['models']);
  expect(clearingErrors({ ...CHOICE, endDate: '2026-02-28' })).toEqual({ endDate: 'The end is before the start' });
  expect(clearingErrors(CHOICE)).toEqual({});
});
