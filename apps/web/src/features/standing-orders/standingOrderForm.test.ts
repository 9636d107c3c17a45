import { expect, it } from 'vitest';
import { bodyOf, NEW_ORDER, orderErrors, previewOf } from './standingOrderForm.ts';

const ID = '0198c0de-0000-7000-8000-000000000001';
const NOW = new Date('2026-03-10T12:00:00Z');
const balances = { username: 'anita', credit: 40, owed: 30, own: 50 };
const preview = (form: Partial<typeof NEW_ORDER>) => previewOf({ ...NEW_ORDER, ...form }, balances, NOW, 'UTC');

it('previews what each kind does now and next', () => {
  expect(preview({ sum: '' })).toBeNull();
  expect(preview({ sum: '20', takeBackAt: '2026-03-10T00:00:00Z' })).toBeNull();
  expect(preview({ sum: '20', takeBackAt: '2026-03-10T18:00:00Z' })![0]).toContain('60.00. You have 30.00 left');
  expect(preview({ kind: 'refill', sum: '70', clock: '06:00' })![1]).toContain('would give 30.00');
  expect(preview({ kind: 'refill', sum: '30', clock: '06:00' })![1]).toContain('give nothing');
  expect(preview({ kind: 'refill', sum: '100', clock: '06:00' })![2]).toContain('only 50.00');
  expect(preview({ kind: 'refill', sum: '100', weekdays: [] })).toBeNull();
  expect(preview({ kind: 'floor', sum: '50' })![0]).toContain('bets stop');
  expect(preview({ kind: 'floor', sum: '50', measure: 'owed' })![0]).toContain('bets continue');
});

it('sends only the fields of its kind and names those that are missing', () => {
  const floor = { ...NEW_ORDER, kind: 'floor' as const, sum: '5', password: 'x' };
  expect(bodyOf(ID, floor)).toEqual({ accountId: ID, kind: 'floor', sum: 5, measure: 'credit', password: 'x' });
  expect(orderErrors(ID, floor)).toEqual({});
  expect(Object.keys(orderErrors(ID, { ...NEW_ORDER }))).toEqual(['sum', 'takeBackAt', 'password']);
  expect(Object.keys(orderErrors(ID, { ...floor, kind: 'refill', weekdays: [] }))).toEqual(['weekdays']);
});
