import { expect, test } from 'vitest';
import { accountBody, accountErrors, emptyAccountForm, newAccountBody } from './accountForm.ts';

const ID = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';
const filled = { ...emptyAccountForm(ID), username: 'north', password: 'long-enough' };

test('an empty form names what is missing, in the words of the spec', () => {
  expect(accountErrors('admin', { ...emptyAccountForm(null), commission: '', note: ' ' })).toEqual({
    username: 'Username is required',
    password: 'Password is required',
    commission: 'Commission is required',
    note: 'Note is required',
    refId: 'Reference is required',
  });
});

test('a filled form has nothing wrong', () => {
  expect(accountErrors('admin', filled)).toEqual({});
  expect(accountErrors('user', filled)).toEqual({});
});

test.each([
  ['username', { username: 'a b' }],
  ['password', { password: 'seven x' }],
  ['commission', { commission: '100.5' }],
  ['commission', { commission: 'x' }],
  ['commissionCeiling', { commissionCeiling: '' }],
  ['commissionCeiling', { commissionCeiling: '101' }],
] as const)('a wrong %s is named', (field, change) => {
  expect(Object.keys(accountErrors('admin', { ...filled, ...change }))).toEqual([field]);
});

test('the ceiling is sent for admins alone, and only where it is not the usual one', () => {
  expect(newAccountBody('admin', filled)).not.toHaveProperty('commissionCeiling');
  expect(newAccountBody('admin', { ...filled, commissionCeiling: '12.5' })).toHaveProperty('commissionCeiling', 12.5);
  expect(newAccountBody('user', { ...filled, commissionCeiling: '12.5' })).not.toHaveProperty('commissionCeiling');
});

test('only admins carry games, and they always carry a list', () => {
  expect(accountBody('admin', filled)).toHaveProperty('games', []);
  expect(accountBody('retailer', filled)).not.toHaveProperty('games');
});
