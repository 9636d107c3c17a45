export const ROLES = ['superadmin', 'admin', 'superdistributor', 'distributor', 'retailer', 'user'] as const;

export type Role = (typeof ROLES)[number];

export function roleBelow(above: Role): Role | null {
  return ROLES[ROLES.indexOf(above) + 1] ?? null;
}

export function roleAbove(below: Role): Role | null {
  return ROLES[ROLES.indexOf(below) - 1] ?? null;
}

export const STAFF_ROLES = ROLES.slice(0, -1) as Exclude<Role, 'user'>[];

export const ROLE_NAMES = {
  superadmin: 'Superadmin',
  admin: 'Admin',
  superdistributor: 'Super Distributor',
  distributor: 'Distributor',
  retailer: 'Retailer',
  user: 'Player',
} as const satisfies Record<Role, string>;
