import type { Actor } from '../../accounts/authority.ts';
import type { Tx } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { inSubtree } from '../../platform/db/predicate.ts';
import { listPairs, PAIR, PAIR_FROM } from '../games.sql.ts';
import type { PairRow } from '../games.sql.ts';
import { pairId } from './pairs.ts';
import { sqlFromText, sql } from '../../platform/db/sql/sql.ts';

/** Locks and rereads pairs, in update order. Throws NOT_FOUND naming foreign rows, INVALID_INPUT for duplicates. */
export async function lockPairs(
  tx: Tx,
  actor: Actor,
  updates: readonly { readonly id: string }[],
  adminId?: string,
): Promise<PairRow[]> {
  const visible = (await listPairs(tx, actor)).filter((pair) => adminId === undefined || pair.admin_id === adminId);
  const byId = new Map(visible.map((pair) => [pairId(pair), pair]));
  const wanted = updates.flatMap(({ id }) => byId.get(id) ?? []);
  // Network order prevents deadlocks.
  const networks = [...Map.groupBy(wanted, (pair) => pair.network_id)].sort(([one], [other]) => one - other);
  const locked: PairRow[] = [];
  for (const [networkId, its] of networks)
    locked.push(
      ...(await tx.query<PairRow>(
        sql`select ${sql.raw(PAIR)} from ${sql.raw(PAIR_FROM)} where ng.network_id = ${networkId} and ng.game_id = any(${its.map((pair) => pair.game_id)}::uuid[]) and ${sqlFromText(inSubtree('a', '$1'), actor.id)}
         order by ng.game_id for update of ng`,
      )),
    );
  const found = new Map(locked.map((pair) => [pairId(pair), pair]));
  const foreign = updates.flatMap(({ id }, index) => (found.has(id) ? [] : [[`updates.${index}.id`, NO_SUCH_ROW]]));
  if (foreign.length > 0) throw new CallError('NOT_FOUND', { fields: Object.fromEntries(foreign) });
  const twice = updates.flatMap(({ id }, index) =>
    updates.findIndex((update) => update.id === id) < index ? [[`updates.${index}.id`, TWICE]] : [],
  );
  if (twice.length > 0) throw new CallError('INVALID_INPUT', { fields: Object.fromEntries(twice) });
  return updates.map(({ id }) => found.get(id)!);
}

const NO_SUCH_ROW = 'There is no such game of this admin';
const TWICE = 'Send each row only once';
