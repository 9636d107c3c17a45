import type { Role } from '@drawhouse/contract/frame/primitives';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { leastIdAt, timeOfId } from '../../db/uuid7.ts';
import type { Cut } from '../../lists/list-source.ts';
import type { Period } from '../../period.ts';
import type { Networks } from '../../predicate.ts';

/** Whose tickets a Bet List has: those of an account and of everyone below it; and the networks that they lie in. */
export type BetScope = { readonly id: string; readonly username: string } & (
  | { readonly role: NetworkOwner; readonly networks: Networks }
  | { readonly role: Exclude<Role, NetworkOwner>; readonly networks: readonly number[] }
);
type NetworkOwner = 'superadmin' | 'admin';

/** Which tickets of a scope: those of a period, by the times in their ids. */
export interface BetWish extends Period {
  readonly scope: BetScope;
  /** The row id of a game. */
  readonly gameId: string | undefined;
  /** Whose days the rollups have. */
  readonly timeZone: string;
}

/** All tickets of its networks are below it. */
export const ownsNetworks = (scope: BetScope): scope is Extract<BetScope, { role: NetworkOwner }> =>
  scope.role === 'superadmin' || scope.role === 'admin';

/** That a ticket `t` was laid in the time that is wished for. */
export const inTime = ({ from, until }: BetWish): Sql => sql`t.id >= ${leastIdAt(from)} and t.id < ${leastIdAt(until)}`;

/** Of the time that is wished for what lies on the side of a cut. */
export function timeLeft({ from, until }: BetWish, cut: Pick<Cut, 'to' | 'goesOlder'> | undefined): Period {
  if (cut?.to === undefined) return { from, until };
  const at = timeOfId(cut.to);
  return cut.goesOlder
    ? { from, until: new Date(Math.min(until.getTime(), at.getTime() + 1)) }
    : { from: new Date(Math.max(from.getTime(), at.getTime())), until };
}

// Each step of a join is a look by a key that no plan can turn around (`offset 0`): what the planner thinks of a subtree or of a game is far off.

/** Joins the draw `d` of a ticket `t` of a network, for its game. */
export const drawOf = (networkId: number): Sql =>
  sql`cross join lateral (select game_id from draws where network_id = ${networkId}::int and id = t.draw_id offset 0) as d`;
/** Joins the player `a` of a ticket `t`. */
export const PLAYER_OF: Sql = sql`cross join lateral (select id, chain from accounts where id = t.account_id offset 0) as a`;
