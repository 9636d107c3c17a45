import { ROLES } from '@drawhouse/contract/primitives';
import { sql } from 'kysely';
import { authority } from '../lists/source.ts';
import type { Authority } from '../lists/source.ts';
import type { Author } from './run-command.ts';

/**
 * What an account sees of a log called `l`: what it and those below it did while they were below it, found by key however long the log is.
 * Who tried a name that nobody has, and what the product itself has done, is seen by the admin of the network, and that of the root by
 * superadmins.
 */
export function logBelow({ id, role, networkId }: Author): Authority {
  switch (role) {
    case 'superadmin':
      return authority(sql`(l.chain[1] = ${id} or l.chain[1] is null)`);
    case 'admin':
      return authority(sql`l.network_id = ${networkId}`);
    case 'user':
      return authority(sql`l.account_id = ${id}`);
    default:
      return authority(sql`l.chain[${sql.raw(String(ROLES.indexOf(role) + 1))}] = ${id}`);
  }
}
