import { BULK_MAX } from '@drawhouse/contract/core/primitives';
import type { WeekSheetRow } from '@drawhouse/contract/weeks/week-sheet';
import { expect, test } from 'vitest';
import { chooseAll, creditAfter, lineOf, newLine, previewOf } from './settleLines.ts';

const ROW: WeekSheetRow = {
  id: 'a',
  username: 'ann',
  role: 'retailer',
  carried: 0,
  given: 500,
  taken: 0,
  play: 0,
  win: 0,
  commission: 0,
  net: 0,
  received: 0,
  paid: 0,
  balance: 500,
  since: null,
  terms: { share: null, commission: 'atOnce' },
  credit: 200,
  isCreditOwed: true,
  afterwards: { received: 0, given: 0 },
  state: 'open',
};

test('proposes what is owed after the credit that moves', () => {
  const line = newLine(ROW);
  expect(previewOf(line, null)).toEqual({ credit: 0, due: 500, amount: '500.00', paid: 500, left: 0 });
  expect(previewOf(line, 0)).toEqual({ credit: -200, due: 300, amount: '300.00', paid: 300, left: 0 });
  expect(previewOf({ ...line, amount: '120' }, 350.5)).toMatchObject({ credit: 150.5, due: 500, left: 530.5 });
  const byShare = newLine({ ...ROW, isCreditOwed: false, balance: -80 });
  const preview = previewOf(byShare, 0);
  expect(preview).toMatchObject({ credit: -200, due: -80, paid: 80, left: 0 });
  expect(lineOf(byShare, preview, 'cash')).toEqual({
    accountId: 'a',
    expectedBalance: -80,
    payment: { direction: 'out', sum: 80, method: 'cash' },
  });
});

test('counts what was paid and given since the week', () => {
  const paid = newLine({ ...ROW, afterwards: { received: 500, given: 0 } });
  expect(previewOf(paid, null)).toMatchObject({ due: 0, amount: '', left: 0 });
  const given = newLine({ ...ROW, afterwards: { received: 0, given: 120 } });
  expect(previewOf(given, null)).toMatchObject({ due: 500, left: 120 });
  expect(previewOf(given, 0)).toMatchObject({ credit: -200, due: 420, left: 0 });
});

test('shows no credit and sends no payment for mistyped amounts', () => {
  expect(previewOf(newLine(ROW), creditAfter('refill', 'x')).credit).toBeNull();
  const mistyped = previewOf({ ...newLine(ROW), amount: '1,2,3' }, null);
  expect(mistyped.paid).toBeNull();
  expect(lineOf(newLine(ROW), mistyped, 'cash')).not.toHaveProperty('payment');
  expect(previewOf({ ...newLine(ROW), amount: '' }, null)).toMatchObject({ paid: 0, left: 500 });
});

test('leaves out disputed accounts and their credit', () => {
  const line = newLine({ ...ROW, state: 'disputed' });
  expect(line.isChosen).toBe(false);
  expect(previewOf(line, 0).credit).toBe(0);
});

test('chooses as many open accounts as one call closes', () => {
  const states = ['disputed', ...Array<'open'>(BULK_MAX + 2).fill('open')] as const;
  const lines = chooseAll(states.map((state) => newLine({ ...ROW, state })));
  expect(lines.map(({ isChosen }) => isChosen)).toEqual([false, ...states.slice(1).map((_, nth) => nth < BULK_MAX)]);
});
