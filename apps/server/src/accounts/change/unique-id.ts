import { randomInt } from 'node:crypto';
import type { Role } from '@drawhouse/contract/frame/primitives';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LETTERS: Record<Role, string> = {
  superadmin: 'SA',
  admin: 'A',
  superdistributor: 'SD',
  distributor: 'D',
  retailer: 'R',
  user: 'U',
};

/** Random code to read aloud: role letters plus 6 characters of Crockford base 32. Callers check uniqueness. */
export function newUniqueId(role: Role): string {
  return LETTERS[role] + Array.from({ length: 6 }, () => CROCKFORD[randomInt(CROCKFORD.length)]).join('');
}
