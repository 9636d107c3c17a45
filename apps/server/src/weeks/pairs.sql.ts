import type { Role } from '@drawhouse/contract/core/primitives';
import type { Actor } from '../accounts/authority.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { inSubtree } from '../platform/db/visibility-predicate.ts';
import { WEEK_TEXTS } from './weeks-texts.ts';

export interface Pair {
  readonly id: string;
  readonly username: string;
  readonly role: Role;
  readonly networkId: number;
  readonly parentId: string;
  readonly chain: readonly string[];
}

/**
 * Locks accounts below the caller in account order, and returns them in the order of `ids`. The locks serialize changes
 * of one account's week.
 */
export async function requirePairs(
  on: Queryable,
  actor: Actor,
  ids: readonly string[],
  field: (nth: number) => string,
): Promise<Pair[]> {
  if (ids.includes(actor.id)) throw new CallError('NOT_ALLOWED', { message: WEEK_TEXTS.notOwn });
  const found = await on.query<Pair>(
    sql`select a.id, a.username, a.role, a.network_id as "networkId", a.parent_id as "parentId", a.chain from accounts a
      where a.id = any(${ids}::uuid[]) and ${inSubtree('a', actor)} order by a.id for no key update`,
  );
  const byId = new Map(found.map((pair) => [pair.id, pair]));
  return ids.map((id, nth) => {
    const pair = byId.get(id);
    if (!pair) throw new CallError('NOT_FOUND', { fields: { [field(nth)]: WEEK_TEXTS.notBelow } });
    return pair;
  });
}
