import { LOGIN_ROLES, PERMISSIONS, mayCall, permissionsOf, type LoginRole } from '@drawhouse/contract/core/permissions';
import type { Route } from '@drawhouse/contract/core/route';
import { expect, it } from 'vitest';
import { nameOf, ROUTES } from './contract-routes.ts';

const isForStaff = ({ access }: Route): boolean =>
  access !== 'public' && (access === 'session' || access.some((role) => role !== 'user'));

/** Open to every login: its own session, password and second factors, and what players know too. */
const FREE = [
  'DELETE auth/devices/:deviceId',
  'DELETE auth/factors/:number',
  'DELETE auth/sessions',
  'DELETE auth/sessions/:sessionId',
  'GET app/gettimer',
  'GET app/nextdrawnew',
  'GET app/results',
  'GET auth/devices',
  'GET auth/factors',
  'GET auth/logout',
  'GET auth/notices',
  'POST auth/notices/read',
  'GET auth/session',
  'GET auth/sessions',
  'GET credit/loadcredit',
  'GET fair/ticket/:ticketId',
  'GET game',
  'GET game/usergames/:id',
  'GET time/timelist',
  // These check the permission of the act.
  'POST approvals/:approvalId/approve',
  'POST approvals/:approvalId/decline',
  'POST approvals/:approvalId/withdraw',
  'POST auth/confirm',
  'POST auth/confirm/options',
  'POST auth/factors',
  'POST auth/factors/app',
  'POST auth/factors/codes',
  'POST auth/factors/passkey',
  'POST auth/factors/passkeys',
  'POST logs/logUserActivity',
  'POST users/chnagepassword',
];

/** Changes that a role may make beyond {@link FREE}, whole. */
const CHANGES: Readonly<Record<LoginRole, RegExp | null>> = {
  owner: /./,
  manager:
    /^(POST|PUT|PATCH|DELETE) (?!apikeys|approvalrules|game|time|schedule|closures|limits|percentage|beacons|house|wall|welcome|firststeps|logins|staffplaces|notices\/t|weeks\/terms)|^GET (app\/logout|backup|.*\/delete\/)/,
  cashier: /^POST (credit\/bulk-transfer|weeks\/(payments|notes)|[\w/:]+\/credit-transfer)$/,
  table: null,
  reports: null,
  custom: null,
};

const isChange = (route: Route): boolean => route.method !== 'GET' || route.changesState === true;

it('names a permission for each route that a staff account may call, and for no other', () => {
  const named = ROUTES.filter(({ permission }) => permission !== undefined);
  expect(named.map(nameOf).toSorted()).toEqual(ROUTES.filter(isForStaff).map(nameOf).toSorted());
  const free = named.filter(({ permission, file }) => permission === null && file === undefined).map(nameOf);
  expect(free.toSorted()).toEqual(FREE.toSorted());
});

it.each(LOGIN_ROLES)('lets a login of role %s change only what the role is for', (role) => {
  const has = permissionsOf(role, []);
  for (const route of ROUTES.filter(isForStaff).filter(isChange)) {
    const expected = FREE.includes(nameOf(route)) || CHANGES[role]?.test(nameOf(route)) === true;
    expect([nameOf(route), mayCall(route, has)]).toEqual([nameOf(route), expected]);
  }
});

it('gives files only to logins that may read their rows and export', () => {
  const files = ROUTES.filter(({ file, access }) => file !== undefined && access !== 'public');
  for (const route of files) {
    const rows = PERMISSIONS.filter((permission) => permission === route.permission);
    expect(mayCall(route, rows)).toBe(false);
    expect(mayCall(route, [...rows, 'exports'])).toBe(true);
    expect(mayCall(route, ['exports'])).toBe(route.permission === null);
  }
});

it('gives choices only within the role', () => {
  expect(permissionsOf('table', PERMISSIONS)).toEqual(['panels', 'results']);
  expect(permissionsOf('reports', PERMISSIONS)).toEqual(['lists', 'reports', 'exports']);
  expect(permissionsOf('cashier', PERMISSIONS)).toEqual(['lists', 'credit']);
  expect(permissionsOf('custom', PERMISSIONS)).not.toContain('logins');
  expect(permissionsOf('owner', [])).toEqual(PERMISSIONS);
});
