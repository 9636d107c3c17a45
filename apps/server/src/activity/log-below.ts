import type { Role } from '@drawhouse/contract/frame/primitives';
import { sql } from '../platform/db/sql/sql.ts';
import type { Sql } from '../platform/db/sql/sql.ts';
import { NO_ROWS, inSubtreeEver, narrowed, ofOwnNetwork, ownedByColumn, viaKeys } from '../platform/db/predicate.ts';
import type { Predicate } from '../platform/db/predicate.ts';
import type { CommandActor } from './run-command.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';

/** Columns indexing the log by ancestor. Admins use the network column. */
const COLUMNS: Record<Exclude<Role, 'admin'>, string> = {
  superadmin: 'superadmin_id',
  superdistributor: 'superdistributor_id',
  distributor: 'distributor_id',
  retailer: 'retailer_id',
  user: 'account_id',
};

/**
 * Rows of log `l` visible to an account: actions in its subtree while the authors were there. Found by key at any log
 * length. Unknown sign-in names and system rows are visible to admin and superadmin. Excludes draw openings ({@link
 * openingsBelow}), by far the most frequent rows.
 */
export function logBelow(actor: CommandActor): Predicate {
  const { role } = actor;
  if (role === 'admin') return narrowed(ofOwnNetwork('l', actor), sql`l.chain <> '{}' and ${notHidden(actor)}`);
  return narrowed(ownedByColumn(`l.${COLUMNS[role]}`, actor), inLiveNetworks(actor));
}

/** Clearing saved results hides their rows from the network, not from the superadmin. */
function notHidden({ networkId }: CommandActor): Sql {
  return sql`not exists (select from cleared_results h where h.network_id = ${networkId} and h.seq = l.seq)`;
}

/** Excludes staged networks of a running restore. */
export function inLiveNetworks(actor: CommandActor): Sql {
  return actor.role === 'superadmin'
    ? sql`l.network_id in (select id from networks) ${sql.raw(crossNetworkComment('superadmin'))}`
    : sql`l.network_id = ${actor.networkId} and ${notHidden(actor)}`;
}

export function openingsBelow(actor: CommandActor): Predicate {
  const { role } = actor;
  if (role === 'admin') return narrowed(ofOwnNetwork('l', actor), sql`l.chain = '{}'`);
  if (role !== 'superadmin') return narrowed(NO_ROWS, inLiveNetworks(actor));
  const ofNetworksBelow = viaKeys('l.network_id', {
    key: sql`n.id`,
    from: sql`networks n join accounts a on a.id = n.admin_id`,
    authority: inSubtreeEver('a', actor),
  });
  return narrowed(ofNetworksBelow, sql`l.chain = '{}' ${sql.raw(crossNetworkComment('superadmin'))}`);
}
