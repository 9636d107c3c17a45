import type { Role } from '@drawhouse/contract/core/primitives';
import { expect, test } from 'vitest';
import { objectPath } from './paths.ts';

const ID = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';
const OWN = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7e';
const accountPathOf = (viewer: Role, role: Role | null, id = ID) =>
  objectPath({ _id: OWN, role: viewer }, { kind: 'account', id, role });

test('an account links to its details if the viewer manages its level', () => {
  expect(accountPathOf('admin', 'retailer')).toBe(`/admin/retailer/users/details/${ID}`);
  expect(accountPathOf('retailer', 'user')).toBe(`/retailer/player/players/details/${ID}`);
  expect(accountPathOf('admin', null)).toBe(`/admin/account/${ID}`);
});

test('the viewer links to its profile, accounts above to nothing', () => {
  expect(accountPathOf('admin', 'admin', OWN)).toBe('/admin/profile');
  expect(accountPathOf('admin', 'admin')).toBeNull();
  expect(accountPathOf('admin', 'superadmin')).toBeNull();
});

test('tickets, draws and transactions have a page for every role', () => {
  const viewer = { _id: OWN, role: 'retailer' } as const;
  expect(objectPath(viewer, { kind: 'ticket', id: 'EC39-2G9F-0DB9' })).toBe('/retailer/ticket/EC39-2G9F-0DB9');
  expect(objectPath(viewer, { kind: 'draw', id: ID })).toBe(`/retailer/draw/${ID}`);
  expect(objectPath(viewer, { kind: 'transaction', id: ID })).toBe(`/retailer/transaction/${ID}`);
});

test('leads admins to the panel of a game, and nobody else', () => {
  const about = { kind: 'game', id: 'pFvIwZHj!', adminId: ID, username: 'kavya1' } as const;
  expect(objectPath({ _id: OWN, role: 'admin' }, about)).toBe(`/admin/game/pFvIwZHj!/${ID}/kavya1`);
  expect(objectPath({ _id: OWN, role: 'retailer' }, about)).toBeNull();
});
