import { expect, test, vi } from 'vitest';
import { ApiError } from '../../lib/api.ts';
import { creditDone, doubtText, leftAfter } from './creditDone.ts';

// What these know of the browser is not asked here.
vi.mock('../../lib/session.ts', () => ({}));
vi.mock('../../lib/connection.ts', () => ({}));

const answer = {
  success: true,
  message: 'Credit transfer successful!',
  receiverWallet: 150.5,
  senderWallet: 8500,
  transferId: 'x',
  data: [],
} as const;
const gift = { amount: 50, transactionType: 'credit', username: 'anita', self: false } as const;

test('what was done names the amount, whom it went to, and what both have now', () => {
  const done = (change: object) => creditDone({ ...gift, ...change }, { ...answer, data: [] });
  expect(done({})).toBe('50.00 given to anita. anita now has 150.50, you have 8,500.00.');
  expect(done({ transactionType: 'debit' })).toBe(
    '50.00 taken back from anita. anita now has 150.50, you have 8,500.00.',
  );
  expect(done({ self: true })).toBe('50.00 issued. You now have 8,500.00.');
  expect(done({ self: true, transactionType: 'debit' })).toBe('50.00 retired. You now have 8,500.00.');
});

test('only what is given counts against the day', () => {
  expect(leftAfter(80, gift)).toBe(30);
  expect(leftAfter(20, gift)).toBe(0);
  expect(leftAfter(null, gift)).toBeNull();
  expect(leftAfter(80, { ...gift, transactionType: 'debit' })).toBe(80);
  expect(leftAfter(80, { ...gift, self: true })).toBe(80);
});

test('where no answer came it says whether it may have been done, and that it acts once', () => {
  const lost = new ApiError('NO_RESPONSE', 'An unexpected error occurred', 0);
  expect(doubtText(lost)).toMatch(
    /^An unexpected error occurred\. No answer came, so it may have been done\. .* only once\.$/,
  );
  const unsent = new ApiError('NO_RESPONSE', 'An unexpected error occurred', 0, undefined, false);
  expect(doubtText(unsent)).toMatch(/nothing was sent/);
  expect(doubtText(new ApiError('OUTCOME_UNKNOWN', 'The server lost its database.', 503))).toMatch(
    /^No answer came, so it may have been done/,
  );
  expect(doubtText(new ApiError('UNKNOWN', 'Bad Gateway', 502))).toMatch(/may have been done/);
  // Refused before anything was done, as while too many passwords are checked.
  expect(doubtText(new ApiError('NOT_READY', 'The server is not ready.', 503))).toBeNull();
  expect(doubtText(new ApiError('WRONG_PASSWORD', 'The password is wrong.', 403))).toBeNull();
  expect(doubtText(new Error('x'))).toBeNull();
});
