import { ROLES, STAFF_ROLES } from '@drawhouse/contract/core/primitives';
import { describe, expect, test } from 'vitest';
import { ownStatementPath, panelPath } from '../../lib/paths.ts';
import { STAFF_PAGES } from '../staffPages.ts';
import { pageOf, ROUTE_PAGES, shapeOf } from './routePages.ts';
import { readStaffPath } from './staffPath.ts';

const ID = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';
const OTHER = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7e';

type Role = (typeof STAFF_ROLES)[number];

function pageAt(role: Role, path: string) {
  const route = readStaffPath(role, path);
  if (!route) return 'nothing';
  return pageOf(role, route.kind === 'resolve' ? { kind: route.action, level: 'user', id: route.id } : route);
}

describe.each(STAFF_ROLES)('%s', (role) => {
  test.each(STAFF_PAGES.map((entry) => [entry.page, entry] as const))("%s is its row's page", (page, entry) => {
    expect(pageAt(role, page)).toBe(entry.roles.includes(role) ? entry.Page : 'nothing');
  });

  for (const level of ROLES.slice(ROLES.indexOf(role) + 1)) {
    const bases = level === 'user' ? ['user', 'user/users', 'player/players'] : [level, `${level}/users`];
    const below = level === 'user' ? 'nothing' : ROUTE_PAGES.create;
    const list = STAFF_PAGES.find((entry) => entry.level === level)?.Page;
    test.each(
      bases.flatMap((base) => [
        [base, list],
        [`${base}/edit`, list],
        [`${base}/create`, ROUTE_PAGES.create],
        [`${base}/create/${ID}`, ROUTE_PAGES.create],
        [`${base}/details/${ID}`, ROUTE_PAGES.details],
        [`${base}/details/${ID}/create`, below],
        ...(['edit', 'credittransfer', 'creditadjust', 'statement'] as const).flatMap((action) => [
          [`${base}/${action}/${ID}`, ROUTE_PAGES[action]] as const,
          [`${base}/${ID}/${action}`, ROUTE_PAGES[action]] as const,
          [`${base}/details/${ID}/${action}`, ROUTE_PAGES[action]] as const,
          [`${base}/${ID}/${action}/${OTHER}`, ROUTE_PAGES[action]] as const,
          [`${base}/details/${ID}/${action}/${OTHER}`, level === 'user' ? 'nothing' : ROUTE_PAGES[action]] as const,
        ]),
      ]),
    )('%s', (path, page) => {
      expect(page).toBeDefined();
      expect(pageAt(role, path)).toBe(page);
    });
  }

  test("serves the panels and the user's statement", () => {
    const live = role === 'superadmin' || role === 'admin';
    const panel = panelPath(role, 'g1', ID, 'north').slice(`/${role}/`.length);
    expect(pageAt(role, 'game')).toBe(live ? ROUTE_PAGES.liveList : 'nothing');
    expect(pageAt(role, panel)).toBe(live ? ROUTE_PAGES.live : 'nothing');
    expect(pageAt(role, ownStatementPath(role).slice(`/${role}/`.length))).toBe(ROUTE_PAGES.ownStatement);
  });
});

test.each([
  ['user', 'table'],
  ['transactionreport', 'table'],
  ['profile/statement', 'table'],
  ['dashboard', 'other'],
  ['game', 'other'],
  [`user/details/${ID}`, 'other'],
  ['user/create', 'form'],
  [`user/credittransfer/${ID}`, 'form'],
  [`user/users/${ID}/edit`, 'form'],
])('the skeleton of %s has the shape of a %s', (path, shape) => {
  expect(shapeOf(readStaffPath('superadmin', path)!)).toBe(shape);
});

test('each page belongs to one path', () => {
  const pages = [...STAFF_PAGES.map((entry) => entry.Page), ...Object.values(ROUTE_PAGES)];
  expect(new Set(pages).size).toBe(pages.length);
});
