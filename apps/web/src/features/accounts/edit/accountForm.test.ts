import { expect, test } from 'vitest';
import { accountBody, accountErrors, chosenFirst, emptyAccountForm, newAccountBody } from './accountForm.ts';

const ID = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';
const filled = { ...emptyAccountForm(ID), username: 'north', password: 'long-enough' };

test("an empty form names missing fields in the specification's words", () => {
  expect(accountErrors('admin', { ...emptyAccountForm(null), commission: '', note: ' ' })).toEqual({
    username: 'Username is required',
    password: 'Password is required',
    commission: 'Commission is required',
    note: 'Note is required',
    refId: 'Reference is required',
  });
});

test('a complete form is valid', () => {
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
] as const)('names a wrong %s', (field, change) => {
  expect(Object.keys(accountErrors('admin', { ...filled, ...change }))).toEqual([field]);
});

test('sends the ceiling for admins only, unless it is the default', () => {
  expect(newAccountBody('admin', filled)).not.toHaveProperty('commissionCeiling');
  expect(newAccountBody('admin', { ...filled, commissionCeiling: '12.5' })).toHaveProperty('commissionCeiling', 12.5);
  expect(newAccountBody('user', { ...filled, commissionCeiling: '12.5' })).not.toHaveProperty('commissionCeiling');
});

test('an invitation needs no password: the form sends a random one', () => {
  const invited = { ...filled, password: '', invites: true };
  expect(accountErrors('retailer', invited)).toEqual({});
  expect(newAccountBody('retailer', invited).password).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){2}$/);
});

test('only admins have games, always as a list', () => {
  expect(accountBody('admin', filled)).toHaveProperty('games', []);
  expect(accountBody('retailer', filled)).not.toHaveProperty('games');
});

test('lists chosen games first', () => {
  const games = ['a', 'b', 'c', 'd'].map((_id) => ({ _id }));
  expect(chosenFirst(games, new Set(['d', 'b'])).map(({ _id }) => _id)).toEqual(['b', 'd', 'a', 'c']);
});
