import type { Role } from './roles.ts';

export const ROLE_NAMES = {
  superadmin: 'Superadmin',
  admin: 'Admin',
  superdistributor: 'Super Distributor',
  distributor: 'Distributor',
  retailer: 'Retailer',
  user: 'Player',
} as const satisfies Record<Role, string>;
