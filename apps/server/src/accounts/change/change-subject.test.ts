import type { Account } from '@drawhouse/contract/accounts/accounts';
import { describe, expect, it } from 'vitest';
import { changeSubject } from './change-subject.ts';

const account: Account = {
  _id: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d',
  username: 'anita',
  role: 'retailer',
  uniqueId: 'R7K2M9P',
  refId: { _id: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7e', username: 'bela' },
  commission: 2,
  note: 'add notes',
  userStatus: true,
  inactiveAbove: null,
  walletBalance: 0,
  wallet: [{ individualCredit: 0 }],
  commissionPoint: 0,
  dailyLimit: null,
  createdAt: '2026-03-01T00:00:00.000Z',
  lastLogin: null,
  isLoggedIn: false,
};
const games = ['Fruit', 'Horse', 'Jodi', 'Lucky', 'Roulette'].map((gameName) => ({
  _id: gameName,
  gameId: gameName,
  gameName,
}));

describe('the log title of an edit', () => {
  it.each<[string, Partial<Account>, Partial<Account>, boolean, string]>([
    ['a deactivation', {}, { userStatus: false }, false, 'Deactivated retailer anita'],
    ['an activation', { userStatus: false }, { userStatus: true }, false, 'Activated retailer anita'],
    ['one figure', {}, { commission: 3 }, false, 'Changed commission of retailer anita from 2 to 3'],
    ['a limit', {}, { dailyLimit: 1500 }, false, 'Changed daily limit of retailer anita from none to 1,500.00'],
    [
      'a limit that is taken away',
      { dailyLimit: 0 },
      {},
      false,
      'Changed daily limit of retailer anita from 0.00 to none',
    ],
    [
      'another reference',
      {},
      { refId: { _id: 'other', username: 'carl' } },
      false,
      'Changed reference of retailer anita from bela to carl',
    ],
    ['a password', {}, {}, true, 'Changed password of retailer anita'],
    [
      'several',
      {},
      { commission: 2.5, note: 'new' },
      true,
      'Changed commission of retailer anita from 2 to 2.5, note, password',
    ],
    [
      'a deactivation with more',
      {},
      { userStatus: false, commission: 3 },
      false,
      'Deactivated retailer anita; changed commission from 2 to 3',
    ],
    [
      'games',
      { role: 'admin', games: games.slice(0, 1) },
      { role: 'admin', games: games.slice(1) },
      false,
      'Changed games of admin anita (added Horse, Jodi, Lucky and 1 more; removed Fruit)',
    ],
    ['nothing', {}, {}, false, 'Saved retailer anita without changes'],
  ])('%s', (_what, before, after, passwordChanged, subject) => {
    expect(changeSubject({ ...account, ...before }, { ...account, ...after }, passwordChanged)).toBe(subject);
  });
});
