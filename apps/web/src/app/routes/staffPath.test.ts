import { roleBelow, ROLES, STAFF_ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { describe, expect, test } from 'vitest';
import {
  chainPath,
  detailsPath,
  editFromDetailsPath,
  fromDetailsPath,
  listPath,
  ownStatementPath,
  panelPath,
  type AccountAction,
} from '../../lib/paths.ts';
import { basesOf, hasLiveMenu, singlePagesOf } from '../staffPages.ts';
import { readStaffPath, type StaffPath } from './staffPath.ts';

const ID = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';
const OTHER = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7e';

const ACTIONS_OF_ACCOUNTS = ['edit', 'credittransfer', 'creditadjust', 'statement'] as const;

const BASES: Record<Exclude<Role, 'user'>, string> = {
  superadmin:
    'dashboard timemaster gamemaster admin superdistributor distributor retailer user game admin/users ' +
    'superdistributor/users distributor/users retailer/users user/users player/players',
  admin:
    'dashboard superdistributor distributor retailer user game superdistributor/users distributor/users ' +
    'retailer/users user/users player/players',
  superdistributor: 'dashboard distributor retailer user distributor/users retailer/users user/users player/players',
  distributor: 'dashboard retailer user retailer/users user/users player/players',
  retailer: 'dashboard user user/users player/players',
};
const SINGLE =
  'onlineplayers gamehistory turnoverreport transactionreport commissionpayoutReport logactivities profile';

describe.each(STAFF_ROLES)('%s', (role) => {
  const bases = basesOf(role);

  test("has the specification's bases and single pages", () => {
    expect(bases.map(({ base }) => base).toSorted()).toEqual(BASES[role].split(' ').toSorted());
    const pages = singlePagesOf(role).map(({ page }) => page);
    expect(pages).toEqual(expect.arrayContaining(SINGLE.split(' ')));
    for (const page of pages) expect(readStaffPath(role, page)).toEqual({ kind: 'page', page, rest: [] });
  });

  test.each(['account', 'ticket', 'draw', 'transaction'] as const)('has a page for a %s', (kind) => {
    expect(readStaffPath(role, `${kind}/${ID}`)).toEqual({ kind, id: ID });
    expect(readStaffPath(role, kind)).toBeNull();
    expect(readStaffPath(role, `${kind}/${ID}/edit`)).toBeNull();
  });

  for (const { base, level, withChildren } of bases.filter((entry) => entry.level)) {
    const below = roleBelow(level!) as Exclude<Role, 'superadmin'> | null;
    const own = level!;
    const ofChild = (action: AccountAction): StaffPath | null => below && { kind: action, level: below, id: OTHER };
    const shapes: [string, StaffPath | null][] = [
      [base, { kind: 'list', level: own }],
      [`${base}/`, { kind: 'list', level: own }],
      [`${base}/details`, { kind: 'list', level: own }],
      [`${base}/create`, { kind: 'create', level: own }],
      [`${base}/create/${ID}`, { kind: 'create', level: own, parentId: ID }],
      [`${base}/import`, own === 'admin' ? null : { kind: 'import', level: own }],
      [`${base}/${ID}/create`, below && { kind: 'create', level: below, parentId: ID }],
      [`${base}/details/${ID}`, { kind: 'details', level: own, id: ID }],
      [`${base}/details/${ID}/create`, below && { kind: 'create', level: below, parentId: ID }],
      ...ACTIONS_OF_ACCOUNTS.flatMap((action): [string, StaffPath | null][] => [
        [`${base}/${action}`, { kind: 'list', level: own }],
        [`${base}/${action}/${ID}`, { kind: action, level: own, id: ID }],
        [`${base}/${ID}/${action}`, { kind: action, level: own, id: ID }],
        [`${base}/details/${ID}/${action}`, { kind: action, level: own, id: ID }],
        [`${base}/details/${ID}/${action}/${OTHER}`, ofChild(action)],
        [
          `${base}/${ID}/${action}/${OTHER}`,
          withChildren ? { kind: 'resolve', action, id: OTHER } : { kind: action, level: own, id: OTHER },
        ],
      ]),
      [
        `${base}/game/g1/${ID}/north`,
        hasLiveMenu(role) ? { kind: 'live', gameId: 'g1', adminId: ID, username: 'north' } : null,
      ],
      [`${base}/nothing`, null],
      [`${base}/nothing/${ID}`, null],
      [`${base}/details/${ID}/nothing`, null],
      [`${base}/details/${ID}/edit/${OTHER}/more`, null],
    ];
    test.each(shapes)('%s', (path, expected) => expect(readStaffPath(role, path)).toEqual(expected));
  }

  test.each(['dashboard', 'timemaster', 'gamemaster'].filter((page) => bases.some(({ base }) => base === page)))(
    'every shape under %s is that page',
    (page) => {
      for (const rest of [
        [],
        ['create'],
        ['create', ID],
        ['details', ID],
        ['details', ID, 'create'],
        [ID, 'create'],
        ...ACTIONS_OF_ACCOUNTS.flatMap((action) => [
          [action],
          [action, ID],
          ['details', ID, action],
          ['details', ID, action, OTHER],
          [ID, action, OTHER],
          [ID, action],
        ]),
      ])
        expect(readStaffPath(role, [page, ...rest].join('/'))).toEqual({ kind: 'page', page, rest });
      const live = hasLiveMenu(role) ? { kind: 'live', gameId: 'g1', adminId: ID, username: 'north' } : null;
      expect(readStaffPath(role, `${page}/game/g1/${ID}/north`)).toEqual(live);
    },
  );

  test('page links lead to existing pages', () => {
    const prefix = `/${role}/`;
    const read = (path: string) => readStaffPath(role, path.slice(prefix.length));
    for (const level of ROLES.slice(ROLES.indexOf(role) + 1)) {
      expect(read(listPath(role, level))).toEqual({ kind: 'list', level });
      expect(read(detailsPath(role, level, ID))).toEqual({ kind: 'details', level, id: ID });
      expect(read(editFromDetailsPath(role, level, ID))).toEqual({ kind: 'edit', level, id: ID });
      expect(read(fromDetailsPath(role, level, ID, 'creditadjust'))).toMatchObject({ kind: 'creditadjust', level });
      const below = roleBelow(level);
      if (below) {
        expect(read(fromDetailsPath(role, level, ID, 'edit', OTHER))).toEqual({
          kind: 'edit',
          level: below,
          id: OTHER,
        });
      }
    }
    expect(read(chainPath(role))).toEqual(role === 'superadmin' ? { kind: 'chain' } : null);
    const panel = read(panelPath(role, 'g1', ID, 'north'));
    expect(panel).toEqual(hasLiveMenu(role) ? { kind: 'live', gameId: 'g1', adminId: ID, username: 'north' } : null);
  });

  test('pages the role lacks do not exist', () => {
    for (const level of ROLES.slice(0, ROLES.indexOf(role) + 1)) {
      for (const path of [level, `${level}/users`, `${level}/create`, `${level}/users/details/${ID}`]) {
        expect(readStaffPath(role, path)).toBeNull();
      }
    }
    for (const path of ['nothing', 'profile/more', 'player', 'player/users', 'onlineplayers/create']) {
      expect(readStaffPath(role, path)).toBeNull();
    }
  });
});

test('only a superadmin adjusts its own credit', () => {
  expect(readStaffPath('superadmin', `superadmin/creditadjust/${ID}`)).toMatchObject({ level: 'superadmin', id: ID });
  expect(readStaffPath('superadmin', `superadmin/credittransfer/${ID}`)).toBeNull();
  expect(readStaffPath('admin', `admin/creditadjust/${ID}`)).toBeNull();
});

test.each(STAFF_ROLES)('a %s has its own statement', (role) => {
  expect(readStaffPath(role, ownStatementPath(role).slice(`/${role}/`.length))).toEqual({ kind: 'ownStatement' });
  expect(readStaffPath(role, 'profile/statement/more')).toBeNull();
});

test('restricted pages follow the specification', () => {
  const holders = (page: string) => STAFF_ROLES.filter((role) => readStaffPath(role, page));
  expect(holders('gamemaster')).toEqual(['superadmin']);
  expect(holders('winpercentage')).toEqual(['superadmin', 'admin']);
  expect(holders('admincommissionreport')).toEqual(['superadmin', 'admin']);
  expect(holders('game')).toEqual(['superadmin', 'admin']);
  expect(readStaffPath('admin', 'game')).toEqual({ kind: 'liveList' });
  expect(holders('backup')).toEqual(['admin']);
  expect(readStaffPath('user', 'dashboard')).toBeNull();
});
