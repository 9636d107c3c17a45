import type { Role } from '@drawhouse/contract/frame/primitives';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Sql } from '../../platform/db/sql/sql.ts';
import { leastIdAt, timeOfId } from '../../platform/db/sql/uuids.ts';
import type { Cut } from '../../platform/lists/list-source.ts';
import type { Period } from '../../platform/time/period.ts';
import type { Networks } from '../../platform/db/predicate.ts';

export type BetScope = { readonly id: string; readonly username: string } & (
  | { readonly role: NetworkOwner; readonly networks: Networks }
  | { readonly role: Exclude<Role, NetworkOwner>; readonly networks: readonly number[] }
);
type NetworkOwner = 'superadmin' | 'admin';

/** Period bounds apply to times in ticket ids. */
export interface BetFilter extends Period {
  readonly scope: BetScope;
  readonly gameId: string | undefined;
  /** Time zone of the rollups' days. */
  readonly timeZone: string;
}

export const ownsNetworks = (scope: BetScope): scope is Extract<BetScope, { role: NetworkOwner }> =>
  scope.role === 'superadmin' || scope.role === 'admin';

export const inTime = ({ from, until }: BetFilter): Sql =>
  sql`t.id >= ${leastIdAt(from)} and t.id < ${leastIdAt(until)}`;

export function timeLeft({ from, until }: BetFilter, cut: Pick<Cut, 'to' | 'goesOlder'> | undefined): Period {
  if (cut?.to === undefined) return { from, until };
  const at = timeOfId(cut.to);
  return cut.goesOlder
    ? { from, until: new Date(Math.min(until.getTime(), at.getTime() + 1)) }
    : { from: new Date(Math.max(from.getTime(), at.getTime())), until };
}

// `offset 0` forces key lookups in this order; planner estimates for subtrees and games are far off.

export const drawOf = (networkId: number): Sql =>
  sql`cross join lateral (select game_id from draws where network_id = ${networkId}::int and id = t.draw_id offset 0) as d`;
export const PLAYER_OF: Sql = sql`cross join lateral (select id, chain from accounts where id = t.account_id offset 0) as a`;
