import { expect, test } from 'vitest';
import { reasonOf } from './reasonOf.ts';

test('explains why a number is detailed', () => {
  const reasons = ['3', '4', '5', '6'].map((drawno) => reasonOf({ lookedAt: drawno, selected: '3', drawn: '4' }, '5'));
  expect(reasons).toEqual(['chosen', 'result', 'dearest', null]);
  expect(reasonOf({ lookedAt: '3', selected: '3', drawn: '3' }, '3')).toBe('chosen');
});
