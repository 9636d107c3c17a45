import type { Account } from '@drawhouse/contract/accounts/accounts';
import { describe, expect, it } from 'vitest';
import { creditFormErrors, creditRows, EMPTY_BULK_CREDIT, totalOf, type BulkCreditForm } from './bulkValues.ts';

const account = (walletBalance: number, of: Partial<Account> = {}) =>
  ({
    _id: String(walletBalance),
    username: `has-${walletBalance}`,
    walletBalance,
    userStatus: true,
    inactiveAbove: null,
    ...of,
  }) as Account;
const form = (of: Partial<BulkCreditForm>): BulkCreditForm => ({ ...EMPTY_BULK_CREDIT, ...of });
const brief = (rows: ReturnType<typeof creditRows>) =>
  rows.map(({ before, after, problem }) => [before, after, problem]);

describe('rows of credit for many', () => {
  it('show each balance before and after', () => {
    const rows = creditRows('transfer', [account(0.1), account(20)], form({ amount: '0.20' }));
    expect(brief(rows)).toEqual([
      [0.1, 0.3, null],
      [20, 20.2, null],
    ]);
    expect(totalOf(rows)).toBe(0.4);
    expect(brief(creditRows('takeBack', [account(20)], form({ amount: '5' })))).toEqual([[20, 15, null]]);
  });

  it('stay unchanged while the amount is unusable', () => {
    for (const amount of ['', 'x', '1.234'])
      expect(brief(creditRows('transfer', [account(5)], form({ amount })))).toEqual([[5, 5, null]]);
  });

  it('name what keeps an account out', () => {
    const above = { inactiveAbove: { _id: '1', username: 'west', role: 'retailer' as const } };
    const accounts = [account(5, { userStatus: false }), account(6, above)];
    expect(creditRows('transfer', accounts, form({ amount: '1' })).map(({ problem }) => problem)).toEqual([
      'Not active',
      'west above is not active',
    ]);
    expect(creditRows('takeBack', accounts, form({ amount: '6' })).map(({ problem }) => problem)).toEqual([
      'Has only 5.00',
      null,
    ]);
  });

  it('take everything, but not from those with less than a point', () => {
    const rows = creditRows('takeBack', [account(0), account(0.5), account(7.25)], form({ take: 'all' }));
    expect(brief(rows)).toEqual([
      [0, 0, 'Has no credit'],
      [0.5, 0, 'Has less than 1 point'],
      [7.25, 0, null],
    ]);
  });
});

describe('the form of credit for many', () => {
  const limits = { total: 30, balance: 100, leftToday: null };
  it.each([
    ['transfer', {}, limits, 'Amount is required'],
    ['transfer', { amount: '0' }, limits, 'Invalid transfer amount. Please enter a valid number.'],
    ['takeBack', { amount: '0.5' }, limits, 'Amount must be greater than 0'],
    ['takeBack', { take: 'all' }, limits, undefined],
    [
      'transfer',
      { amount: '10' },
      { ...limits, total: 101 },
      'You have only 100.00 points to give, and this takes 101.00.',
    ],
    ['transfer', { amount: '10' }, { ...limits, leftToday: 20 }, 'Your daily limit leaves 20.00 points to give today.'],
    ['transfer', { amount: '10' }, limits, undefined],
  ] as const)('%s %j', (act, of, given, text) => {
    expect(creditFormErrors(act, form({ password: 'x', ...of }), given)['amount']).toBe(text);
  });

  it('needs the password', () => {
    expect(creditFormErrors('transfer', form({ amount: '1' }), limits)).toEqual({ password: 'Password is required' });
  });
});
