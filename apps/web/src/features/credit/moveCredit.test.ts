import { expect, test, vi } from 'vitest';
import { creditDone, leftAfter } from './moveCredit.ts';

vi.mock('../../lib/session/session.ts', () => ({
  getSession: () => null,
  onSession: () => undefined,
  noteServerDate: () => undefined,
}));
vi.mock('@drawhouse/session/server-reach', () => ({ noteAnswer: () => undefined, reportNoAnswer: () => undefined }));
vi.mock('@drawhouse/session/newer-build', () => ({ noteBuild: () => undefined }));

const answer = {
  success: true,
  message: 'Credit transfer successful!',
  receiverWallet: 150.5,
  senderWallet: 8500,
  transferId: 'x',
  data: [],
} as const;
const gift = { amount: 50, transactionType: 'credit', username: 'anita', self: false } as const;

test('the confirmation shows amount, recipient and both balances', () => {
  const done = (change: object) => creditDone({ ...gift, ...change }, { ...answer, data: [] });
  expect(done({})).toBe('50.00 given to anita. anita now has 150.50, you have 8,500.00.');
  expect(done({ transactionType: 'debit' })).toBe(
    '50.00 taken back from anita. anita now has 150.50, you have 8,500.00.',
  );
  expect(done({ self: true })).toBe('50.00 issued. You now have 8,500.00.');
  expect(done({ self: true, transactionType: 'debit' })).toBe('50.00 retired. You now have 8,500.00.');
});

test('credit on its way to another cell has no balance there yet', () => {
  const waiting = { ...answer, message: 'On its way.', receiverWallet: null, inTransit: true, data: [] } as const;
  expect(creditDone(gift, { ...waiting, data: [] })).toBe('On its way. You now have 8,500.00.');
});

test('only given credit counts toward the daily limit', () => {
  expect(leftAfter(80, gift)).toBe(30);
  expect(leftAfter(20, gift)).toBe(0);
  expect(leftAfter(null, gift)).toBeNull();
  expect(leftAfter(80, { ...gift, transactionType: 'debit' })).toBe(80);
  expect(leftAfter(80, { ...gift, self: true })).toBe(80);
});
