/**
 * `credit` gives credit to accounts below; `adjustments` takes it back, reverses, pays out commission and moves table
 * credit. `exports` also needs the right to read the rows.
 */
export const PERMISSIONS = [
  'lists',
  'reports',
  'exports',
  'notices',
  'accounts',
  'credit',
  'adjustments',
  'panels',
  'results',
  'settings',
  'backups',
  'keys',
  'logins',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** A key acts as its account, so a login with keys could raise its own rights. */
export const OWNERS_ONLY: readonly Permission[] = ['keys', 'logins'];

export const LOGIN_ROLES = ['owner', 'manager', 'cashier', 'table', 'reports', 'custom'] as const;
export type LoginRole = (typeof LOGIN_ROLES)[number];

interface RoleRights {
  readonly always: readonly Permission[];
  readonly optional: readonly Permission[];
}

const GRANTABLE = PERMISSIONS.filter((permission) => !OWNERS_ONLY.includes(permission));

export const ROLE_RIGHTS: Readonly<Record<LoginRole, RoleRights>> = {
  owner: { always: PERMISSIONS, optional: [] },
  manager: { always: GRANTABLE.filter((permission) => permission !== 'settings'), optional: [] },
  cashier: { always: ['lists', 'credit'], optional: [] },
  table: { always: ['panels'], optional: ['results'] },
  reports: { always: ['lists', 'reports'], optional: ['exports'] },
  custom: { always: [], optional: GRANTABLE },
};

/** Keys never manage accounts, passwords, logins, keys or settings. */
export const KEY_PERMISSIONS = [
  'lists',
  'reports',
  'exports',
  'notices',
  'credit',
  'adjustments',
  'panels',
  'results',
  'backups',
] as const satisfies readonly Permission[];
export type KeyPermission = (typeof KEY_PERMISSIONS)[number];

/** Ignores choices beyond the role. */
export function permissionsOf(role: LoginRole, chosen: readonly string[]): readonly Permission[] {
  const { always, optional } = ROLE_RIGHTS[role];
  return [...always, ...optional.filter((permission) => chosen.includes(permission))];
}

/** May need the approval of a second person. */
export const APPROVAL_KINDS = {
  issue: 'Issuing and retiring credit',
  credit: 'Credit transfers, adjustments and payouts',
  payment: 'Payments between accounts',
  week: 'Closing weeks',
  void: 'Voiding draws',
  correction: 'Corrections of outside results',
  pays: 'Pays and unit prices of games',
  commission: 'Commission rates',
  lines: 'Commission ceilings, table lines and daily limits',
  guards: 'Weaker result modes, second factors and logins',
  clear: 'Clearing history',
  restore: 'Restores that undo settled draws',
  export: 'Downloads and transfers of backups',
  rules: 'Weakening approvals',
} as const;
export type ApprovalKind = keyof typeof APPROVAL_KINDS;

interface Guarded {
  readonly access: unknown;
  readonly permission?: Permission | null | undefined;
  readonly file?: string | undefined;
}

/** False without a permission: such routes are for players or strangers, who have no logins. */
export function mayCall({ access, permission, file }: Guarded, has: readonly Permission[]): boolean {
  if (access === 'public') return true;
  if (file !== undefined && !has.includes('exports')) return false;
  return permission === null || (permission !== undefined && has.includes(permission));
}

/** Only owners have `logins`, so another login of their account decides with `settings`. */
export function decidingPermission({ permission }: Guarded): Guarded['permission'] {
  return OWNERS_ONLY.some((each) => each === permission) ? 'settings' : permission;
}

export function mayDecide(act: Guarded, has: readonly Permission[]): boolean {
  return mayCall({ ...act, permission: decidingPermission(act) }, has);
}

/** True for routes that keys of admins may call. Bets have their own rule. */
export function isForKeys({ access, permission }: Guarded): boolean {
  const isOfAdmin = access === 'session' || (Array.isArray(access) && access.includes('admin'));
  return isOfAdmin && (KEY_PERMISSIONS as readonly unknown[]).includes(permission);
}
