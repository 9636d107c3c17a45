import type { Movement } from '@drawhouse/contract/credit/credit';
import { expect, test } from 'vitest';
import { counterpartHref, ticketHref } from './statementCells.tsx';

const ID = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';
const between = (counterpartRole: Movement['counterpartRole'], counterpartId: string | null = ID): Movement => ({
  _id: ID,
  at: '2026-01-31T18:30:00.000Z',
  kind: 'credit',
  counterpart: 'north',
  counterpartId,
  counterpartRole,
  actor: null,
  ticket: null,
  note: null,
  credit: 1,
  debit: 0,
  balance: 1,
});

test('links the counterpart if the viewer manages its level', () => {
  expect(counterpartHref('admin', between('retailer'))).toBe(`/admin/retailer/users/details/${ID}`);
  expect(counterpartHref('retailer', between('user'))).toBe(`/retailer/player/players/details/${ID}`);
});

test('does not link the viewer, accounts above or unseen, or non-accounts', () => {
  expect(counterpartHref('admin', between('admin'))).toBeNull();
  expect(counterpartHref('admin', between('superadmin'))).toBeNull();
  expect(counterpartHref('admin', between('retailer', null))).toBeNull();
  expect(counterpartHref('admin', between(null, null))).toBeNull();
});

test('links a ticket number to its game history', () => {
  expect(ticketHref('retailer', { ...between(null), ticket: 'EC39-2G9F-0DB9' })).toBe(
    '/retailer/gamehistory?ticket=EC39-2G9F-0DB9',
  );
  expect(ticketHref('retailer', between(null))).toBeNull();
});
