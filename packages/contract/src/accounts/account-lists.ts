import type { ParentRole } from './account-children.ts';
import { account, ROLE_PREFIX, type Account } from './accounts.ts';
import { ownId, ownRole, id, roleBelow, ROLES, STAFF_ROLES, roleAbove, type Role } from '../core/primitives.ts';
import { list, type ListColumn } from '../core/list.ts';
import { periodFilter, idFilter, choiceFilter, pointsBetween } from '../core/list-filters.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';

const column = <const Column extends ListColumn<Account>>(is: Column): Column => is;

/** Columns, headers and widths follow docs/spec/accounts-and-credit.md §2. */
function columnsOf(role: Role) {
  return [
    column({
      name: 'username',
      kind: 'text',
      header: 'UserName',
      width: 170,
      sort: true,
      priority: true,
      export: { width: 30 },
    }),
    column({
      name: 'refId',
      kind: 'text',
      header: 'Refer ID',
      width: 120,
      value: (row) => row.refId?.username ?? 'N/A',
      about: ({ refId }) => refId && { kind: 'account', id: refId._id, role: roleAbove(role) },
      sort: true,
      export: { width: 30 },
    }),
    column({
      name: 'uniqueId',
      kind: 'code',
      header: 'Unique ID',
      width: 104,
      sort: true,
      // The admins' file has its own spelling.
      export: { header: role === 'admin' ? 'Unique ID' : 'Unique Id', width: 30 },
    }),
    column({
      name: 'walletBalance',
      kind: 'points',
      header: 'Points',
      // Fits nine digits with separators and decimals.
      width: 128,
      sort: true,
      priority: true,
      export: { width: 15 },
    }),
    ...(role === 'admin'
      ? [
          column({
            name: 'games',
            kind: 'text',
            header: 'Games',
            width: 200,
            yields: 1,
            value: (row) => row.games?.map((game) => game.gameName).join(', ') ?? '',
            export: { width: 40 },
          }),
        ]
      : []),
    ...timeColumnsOf(role),
    column({ name: 'commission', kind: 'percent', header: 'Commission', width: 100, sort: true, onPage: false }),
    column({ name: 'userStatus', kind: 'flag', header: 'Status', width: 100, sort: true, onPage: false }),
  ];
}

function timeColumnsOf(role: Role) {
  const isOfPlayers = role === 'user';
  return [
    column({
      name: 'isLoggedIn',
      kind: 'flag',
      header: 'Is Online',
      width: 100,
      sort: true,
      ...(isOfPlayers
        ? { export: { width: 15, value: (row: Account) => (row.isLoggedIn ? 'Online' : 'Offline') } }
        : { onPage: false }),
    }),
    column({
      name: 'createdAt',
      kind: 'time',
      header: 'Date & Time',
      width: 126,
      sort: true,
      export: { width: 25 },
    }),
    column({
      name: 'lastLogin',
      kind: 'time',
      header: 'Last Login',
      width: 126,
      sort: true,
      ...(isOfPlayers ? { export: { width: 25 } } : { onPage: false }),
    }),
  ];
}

const FILES: Readonly<Record<Role, { readonly name: string; readonly sheet: string }>> = {
  superadmin: { name: 'SuperAdminsList', sheet: 'Super Admins' },
  admin: { name: 'AdminsList', sheet: 'Admins' },
  superdistributor: { name: 'SuperDistributorsList', sheet: 'Super Distributors' },
  distributor: { name: 'DistributorsList', sheet: 'Distributors' },
  retailer: { name: 'RetailersList', sheet: 'Retailers' },
  user: { name: 'PlayersList', sheet: 'Users' },
};
const PLAYERS_FILE_ORDER = [
  'username',
  'refId',
  'uniqueId',
  'walletBalance',
  'createdAt',
  'isLoggedIn',
  'lastLogin',
] as const;

function filtersOf(role: Role) {
  const ofAll = [
    choiceFilter('state', 'Status', { active: 'Active', inactive: 'Deactive' }),
    pointsBetween('balance', 'Points'),
    periodFilter('created', 'Created'),
  ] as const;
  return role === 'user'
    ? ([...ofAll, choiceFilter('online', 'Is Online', { yes: 'Online', no: 'Offline' })] as const)
    : ofAll;
}

function levelOf(role: Role) {
  return {
    row: account,
    columns: columnsOf(role),
    search: role === 'user' ? CORE_TEXTS.searchNamesAndReferences : CORE_TEXTS.searchNames,
    order: '-createdAt',
  } as const;
}

export const PARENT_LABEL = 'Reference';

function accountListOf(role: Role) {
  const prefix: (typeof ROLE_PREFIX)[Role] = ROLE_PREFIX[role];
  return list({
    ...levelOf(role),
    path: `${prefix}/all`,
    summary: `Lists the ${role}s in the caller's subtree; parentId keeps the direct children of one account.`,
    access: STAFF_ROLES,
    permission: 'lists',
    query: { id: ownId, role: ownRole },
    filters: [...filtersOf(role), idFilter('parentId', PARENT_LABEL)],
    errors: ['IDENTITY_MISMATCH'],
    file: {
      ...FILES[role],
      paths: { xlsx: `${prefix}/export` },
      ...(role === 'user' && { columns: PLAYERS_FILE_ORDER }),
    },
  });
}

export const accountLists = {
  superadmin: accountListOf('superadmin'),
  admin: accountListOf('admin'),
  superdistributor: accountListOf('superdistributor'),
  distributor: accountListOf('distributor'),
  retailer: accountListOf('retailer'),
  user: accountListOf('user'),
};

function childListOf(parentRole: ParentRole) {
  const prefix: (typeof ROLE_PREFIX)[ParentRole] = ROLE_PREFIX[parentRole];
  const role = roleBelow(parentRole)!;
  return list({
    ...levelOf(role),
    path: `${prefix}/:id/children`,
    summary: `The ${role}s directly below a ${parentRole}, which is the caller or below it.`,
    access: STAFF_ROLES.slice(0, ROLES.indexOf(role)),
    permission: 'lists',
    params: { id },
    filters: filtersOf(role),
    rowsKey: 'children',
    extra: { parent: account },
    errors: ['NOT_FOUND'],
  });
}

export const childLists = {
  superadmin: childListOf('superadmin'),
  admin: childListOf('admin'),
  superdistributor: childListOf('superdistributor'),
  distributor: childListOf('distributor'),
  retailer: childListOf('retailer'),
};

/** Paths of the oldest clients, spelled as they spell them. */
export const OLDER_LIST_PATH = {
  superadmin: 'super',
  admin: 'admins',
  superdistributor: 'superdistributors',
  distributor: 'distibutors',
  retailer: 'retailers',
  user: 'allusers',
} as const satisfies Record<Role, string>;

function olderListOf(role: Role) {
  const path: (typeof OLDER_LIST_PATH)[Role] = OLDER_LIST_PATH[role];
  return list({
    ...levelOf(role),
    path,
    summary: `Lists the ${role}s in the caller's subtree, for the oldest clients.`,
    access: STAFF_ROLES,
    permission: 'lists',
    query: { id: ownId, role: ownRole },
    errors: ['IDENTITY_MISMATCH'],
  });
}

export const olderLists = {
  superadmin: olderListOf('superadmin'),
  admin: olderListOf('admin'),
  superdistributor: olderListOf('superdistributor'),
  distributor: olderListOf('distributor'),
  retailer: olderListOf('retailer'),
  user: olderListOf('user'),
};
