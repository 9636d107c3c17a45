import type { Role } from '@drawhouse/contract/frame/primitives';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { NOTHING, everBelow, narrowed, ofOwnNetwork, ownBy, throughKeys } from '../predicate.ts';
import type { Predicate } from '../predicate.ts';
import type { Author } from './run-command.ts';
import { overNetworks } from '../over-networks.ts';

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
export function logBelow(actor: Author): Predicate {
  const { role } = actor;
  if (role === 'admin') return narrowed(ofOwnNetwork('l', actor), sql`l.chain <> '{}' and ${notHidden(actor)}`);
  return narrowed(ownBy(`l.${COLUMNS[role]}`, actor), ofNetworksOf(actor));
}

/** True for rows that no clearing of saved results hides from the network. The superadmin sees hidden rows. */
function notHidden({ networkId }: Author): Sql {
  return sql`not exists (select from cleared_results h where h.network_id = ${networkId} and h.seq = l.seq)`;
}

/** What of a log called `l` is of networks that a caller may have to do with: not of what stands beside while a backup is restored. */
export function ofNetworksOf(actor: Author): Sql {
  return actor.role === 'superadmin'
    ? sql`l.network_id in (select id from networks) ${sql.raw(overNetworks('superadmin'))}`
    : sql`l.network_id = ${actor.networkId} and ${notHidden(actor)}`;
}

/** What an account sees of the rows by which draws opened: an admin those of its network, a superadmin those of the networks below it. */
export function openingsBelow(actor: Author): Predicate {
  const { role } = actor;
  if (role === 'admin') return narrowed(ofOwnNetwork('l', actor), sql`l.chain = '{}'`);
  if (role !== 'superadmin') return narrowed(NOTHING, ofNetworksOf(actor));
  const ofNetworksBelow = throughKeys('l.network_id', {
    key: sql`n.id`,
    from: sql`networks n join accounts a on a.id = n.admin_id`,
    authority: everBelow('a', actor),
  });
  return narrowed(ofNetworksBelow, sql`l.chain = '{}' ${sql.raw(overNetworks('superadmin'))}`);
}
