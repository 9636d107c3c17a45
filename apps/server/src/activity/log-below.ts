import type { Role } from '@drawhouse/contract/frame/primitives';
import { sql } from 'kysely';
import { authority } from '../lists/list-source.ts';
import type { Authority } from '../lists/list-source.ts';
import type { Author } from './run-command.ts';

/** By which column those of a level find what they and everyone below them did. Of an admin that is its network's. */
const COLUMNS: Record<Exclude<Role, 'admin'>, string> = {
  superadmin: 'superadmin_id',
  superdistributor: 'superdistributor_id',
  distributor: 'distributor_id',
  retailer: 'retailer_id',
  user: 'account_id',
};

/**
 * What an account sees of a log called `l`: what it and those below it did while they were below it, found by key however long the log is.
 * Who tried a name that nobody has, and what the product itself has done, is seen by the admin of the network and the superadmin above; but
 * not that draws opened ({@link openingsBelow}), of which there are more rows than of all else.
 */
export function logBelow({ id, role, networkId }: Author): Authority {
  if (role === 'admin') return authority(sql`l.network_id = ${networkId} and l.chain <> '{}'`);
  return authority(sql`l.${sql.ref(COLUMNS[role])} = ${id}`);
}

/** What an account sees of the rows by which draws opened: an admin those of its network, a superadmin those of the networks below it. */
export function openingsBelow({ id, role, networkId }: Author): Authority {
  if (role === 'admin') return authority(sql`l.chain = '{}' and l.network_id = ${networkId}`);
  if (role !== 'superadmin') return authority(sql`false`);
  return authority(
    sql`l.chain = '{}' and l.network_id = any(array(
      select n.id from networks n join accounts a on a.id = n.admin_id where a.chain @> array[${id}]::uuid[]))`,
  );
}
