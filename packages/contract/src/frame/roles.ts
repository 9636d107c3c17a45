/** The account roles from top to bottom; `user` is the player. */
export const ROLES = ['superadmin', 'admin', 'superdistributor', 'distributor', 'retailer', 'user'] as const;

/** One of the six account roles. */
export type Role = (typeof ROLES)[number];

/** The role directly below, or `null` under the player. */
export function roleBelow(above: Role): Role | null {
  return ROLES[ROLES.indexOf(above) + 1] ?? null;
}

/** The role directly above, or `null` above the superadmin. */
export function roleAbove(below: Role): Role | null {
  return ROLES[ROLES.indexOf(below) - 1] ?? null;
}

/** The roles that manage others and use the back-office: all but the player. */
export const STAFF_ROLES = ROLES.slice(0, -1) as Exclude<Role, 'user'>[];
