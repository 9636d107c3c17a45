import { expect, test } from 'vitest';
import { findStaffPage, hasCreditPage, STAFF_PAGES } from './staffPages.ts';

const levelsOf = (role: Parameters<typeof findStaffPage>[0]) =>
  STAFF_PAGES.flatMap((page) => (page.level && page.roles.includes(role) ? [page.level] : []));

test('a role has the lists of the levels below it, and of no other', () => {
  expect(levelsOf('superadmin')).toEqual(['admin', 'superdistributor', 'distributor', 'retailer', 'user']);
  expect(levelsOf('distributor')).toEqual(['retailer', 'user']);
  expect(levelsOf('user')).toEqual([]);
});

test('pages that the spec limits are limited', () => {
  const holders = (page: string) => STAFF_PAGES.find((entry) => entry.page === page)?.roles;
  expect(holders('gamemaster')).toEqual(['superadmin']);
  expect(holders('winpercentage')).toEqual(['superadmin', 'admin']);
  expect(holders('admincommissionreport')).toEqual(['superadmin', 'admin']);
  expect(holders('backup')).toEqual(['admin']);
  expect(findStaffPage('retailer', 'winpercentage')).toBeUndefined();
});

test('credit moves to levels below; only a superadmin adjusts itself', () => {
  expect(hasCreditPage('admin', 'user', 'transfer')).toBe(true);
  expect(hasCreditPage('admin', 'admin', 'adjust')).toBe(false);
  expect(hasCreditPage('superadmin', 'superadmin', 'adjust')).toBe(true);
  expect(hasCreditPage('superadmin', 'superadmin', 'transfer')).toBe(false);
});
