import { expect, test } from 'vitest';
import { creditErrors, creditPreview, creditShortfall, emptyCreditForm } from './creditFormValues.ts';
import { takeRights } from '../../lib/session/rights.ts';
import { creditTexts } from './creditTexts.ts';

const texts = creditTexts;
const filled = { ...emptyCreditForm(false), amount: '12.50', password: 'secret' };

test('an empty form names both fields', () => {
  expect(creditErrors('transfer', emptyCreditForm(false))).toEqual({
    amount: texts.amountRequired,
    password: texts.passwordRequired,
  });
});

test('the form of one’s own credit starts on retiring outside the first cell', () => {
  expect(emptyCreditForm(true).transactionType).toBe('credit');
  takeRights({ followsFirstCell: true });
  expect([true, false].map((self) => emptyCreditForm(self).transactionType)).toEqual(['debit', 'credit']);
  takeRights(null);
});

test.each(['0', '1.005', '-5', 'abc', '1e3'])('refuses a transfer of %s', (amount) => {
  expect(creditErrors('transfer', { ...filled, amount })).toEqual({ amount: texts.invalidTransfer });
});

test.each([
  ['0.99', texts.amountTooSmall],
  ['0', texts.amountTooSmall],
  ['abc', texts.invalidAdjust],
])('refuses an adjustment of %s', (amount, message) => {
  expect(creditErrors('adjust', { ...filled, amount })).toEqual({ amount: message });
});

test('a complete form is valid', () => {
  expect(creditErrors('transfer', filled)).toEqual({});
  expect(creditErrors('adjust', filled)).toEqual({});
});

test('the preview shows both balances before and after, in either direction', () => {
  expect(creditPreview(filled, 100, 1000)).toEqual({
    individual: { before: 100, after: 112.5 },
    hierarchy: { before: 1000, after: 987.5 },
  });
  expect(creditPreview({ ...filled, transactionType: 'debit' }, 100, 1000)).toEqual({
    individual: { before: 100, after: 87.5 },
    hierarchy: { before: 1000, after: 1012.5 },
  });
});

test("adjusting the user's own account shows one balance, and an invalid amount changes nothing", () => {
  expect(creditPreview(filled, 100, null)).toEqual({ individual: { before: 100, after: 112.5 } });
  expect(creditPreview({ ...filled, amount: 'x' }, 100, 1).individual?.after).toBe(100);
  expect(creditPreview(filled, null, 1000).individual).toBe(null);
});

test('names the balance that would fall below zero, and allows emptying it', () => {
  const of = (
    values: Partial<typeof filled>,
    individual: number,
    hierarchy: number | null,
    left: number | null = null,
  ) => creditShortfall(creditPreview({ ...filled, ...values }, individual, hierarchy), 'north', left);
  expect(of({}, 0, 12.49)).toBe('You have only 12.49 points to give.');
  expect(of({ transactionType: 'debit' }, 12, 0)).toBe('north has only 12.00 points.');
  expect(of({ transactionType: 'debit' }, 12, null)).toBe('You have only 12.00 points.');
  expect(of({}, 0, 100, 12.49)).toBe('Your daily limit leaves 12.49 points to give today.');
  expect(of({}, 0, 100, 12.5)).toBeNull();
  expect(of({ transactionType: 'debit' }, 100, 0, 0)).toBeNull();
  expect(of({}, 0, 12.5)).toBeNull();
  expect(of({}, 0, null)).toBeNull();
});
