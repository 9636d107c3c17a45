import type { Account } from '@drawhouse/contract/accounts/accounts';
import { expect, test } from 'vitest';
import { accountChanges, changeErrors, formOfAccount } from './accountChanges.ts';

const PARENT = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';
const GAME = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7f';
const account: Account = {
  _id: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7e',
  username: 'north',
  role: 'admin',
  uniqueId: 'AD4K7Q2M',
  refId: { _id: PARENT, username: 'superadmin' },
  commission: 2.5,
  commissionCeiling: 20,
  note: 'add notes',
  userStatus: true,
  walletBalance: 0,
  wallet: [],
  commissionPoint: 0,
  inactiveAbove: null,
  dailyLimit: null,
  createdAt: '2026-01-31T18:30:00.000Z',
  lastLogin: null,
  isLoggedIn: false,
  games: [{ _id: GAME, gameId: 'x', gameName: 'X' }],
};
const form = formOfAccount(account);

test('an untouched form has no changes, whatever its number and space format', () => {
  expect(accountChanges('admin', form, form)).toEqual({});
  expect(accountChanges('admin', form, { ...form, commission: '2.50', note: ' add notes ' })).toEqual({});
});

test.each([
  [{ password: 'long-enough' }, { password: 'long-enough' }],
  [{ commission: '3' }, { commission: 3 }],
  [{ commissionCeiling: '25' }, { commissionCeiling: 25 }],
  [{ note: 'other' }, { note: 'other' }],
  [{ userStatus: 'deactive' }, { userStatus: false }],
  [{ games: [] }, { games: [] }],
  [{ dailyLimit: '1,500.50' }, { dailyLimit: 1500.5 }],
  [{ dailyLimit: '0' }, { dailyLimit: 0 }],
] as const)('sends only differences: %o', (change, body) => {
  expect(accountChanges('admin', form, { ...form, ...change } as typeof form)).toEqual(body);
});

test('sends a changed limit, cleared as null, never for players', () => {
  const limited = formOfAccount({ ...account, dailyLimit: 500 });
  expect(accountChanges('admin', limited, { ...limited, dailyLimit: ' 500.00 ' })).toEqual({});
  expect(accountChanges('admin', limited, { ...limited, dailyLimit: ' ' })).toEqual({ dailyLimit: null });
  expect(accountChanges('user', limited, { ...limited, dailyLimit: '9' })).toEqual({});
  expect(changeErrors('admin', limited, { ...limited, dailyLimit: '1.005' })).toHaveProperty('dailyLimit');
});

test('only admins have games', () => {
  expect(accountChanges('retailer', form, { ...form, games: [] })).toEqual({});
});

test('names errors, except an empty password', () => {
  expect(changeErrors('admin', form, form)).toEqual({});
  expect(changeErrors('admin', form, { ...form, commission: '', note: ' ', refId: null })).toEqual({
    commission: 'Commission is required',
    note: 'Note is required',
    refId: 'Reference is required',
  });
  expect(
    Object.keys(changeErrors('admin', form, { ...form, password: 'short', commission: '101' })).toSorted(),
  ).toEqual(['commission', 'password']);
});
