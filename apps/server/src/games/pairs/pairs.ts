import type { Actor } from '../../accounts/authority.ts';
import { arrayOf, sql } from '../../platform/db/sql/sql.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { nameUuid } from '../../platform/db/sql/uuids.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { findOperatedPair, findOwnPair, listPairs, PAIR, PAIR_FROM, type PairRow } from '../games.sql.ts';
import { inSubtree } from '../../platform/db/visibility-predicate.ts';
import { GAME_TEXTS } from '../games-texts.ts';

export interface PairChoice {
  readonly gameId: string;
  readonly adminId: string;
}

export function pairId(pair: Pick<PairRow, 'admin_id' | 'game_id'>): string {
  return nameUuid(`pair:${pair.admin_id}:${pair.game_id}`);
}

/** `locked` blocks deletion until commit. */
export async function requirePair(
  on: Queryable,
  actor: Actor,
  { gameId, adminId }: PairChoice,
  locked?: 'locked',
): Promise<PairRow> {
  const pair = await findOperatedPair(on, actor, gameId, adminId, locked === 'locked');
  if (!pair) throw new CallError('NOT_FOUND', { message: GAME_TEXTS.noPair });
  return pair;
}

/** The named admin's if the caller operates it, else the caller's own network's. */
export async function visiblePair(
  on: Queryable,
  actor: Actor,
  { gameId, adminId }: { gameId: string; adminId?: string },
): Promise<PairRow> {
  const pair =
    adminId === undefined || adminId === actor.chain[1]
      ? await findOwnPair(on, { networkId: actor.networkId, gameKey: gameId })
      : await findOperatedPair(on, actor, gameId, adminId);
  if (!pair) throw noSuchGame();
  return pair;
}

export async function lockToOpen(
  tx: Tx,
  networkId: number,
  pairs: readonly Pick<PairRow, 'game_id'>[],
): Promise<string[]> {
  const locked = await tx.query<Pick<PairRow, 'game_id'>>(
    sql`select ng.game_id from network_games ng join games g on g.id = ng.game_id
     where ng.network_id = ${networkId} and ng.game_id = any(${arrayOf(pairs.map((pair) => pair.game_id))}::uuid[])
     order by ng.game_id for no key update of ng skip locked for share of g skip locked`.named('pairs-to-open'),
  );
  return locked.map((pair) => pair.game_id);
}

export const noSuchGame = (): CallError => new CallError('NOT_FOUND', { message: GAME_TEXTS.notFound });

export const gameNotOpen = (): CallError =>
  new CallError('GAME_UNAVAILABLE', { fields: { gameId: GAME_TEXTS.unavailable } });

export function panelChanged(
  { events }: Pick<Services, 'events'>,
  tx: Tx,
  { network_id: networkId, game_key: gameKey }: Pick<PairRow, 'network_id' | 'game_key'>,
  what: 'stakes' | 'any' = 'any',
): void {
  tx.onCommit(() => events.emit('panelChanged', { networkId, gameKey }, what));
}

/** Call after commit. Notifies every network that has the game, and returns them. */
export async function gamePanelsChanged(
  { events }: Pick<Services, 'events'>,
  tx: Tx,
  { game_id: gameId, game_key: gameKey }: Pick<PairRow, 'game_id' | 'game_key'>,
): Promise<readonly number[]> {
  const networks = await tx.query<{ network_id: number }>(
    sql`select network_id from network_games where game_id = ${gameId} order by network_id ${sql.raw(crossNetworkComment('catalogue'))}`,
  );
  for (const { network_id: networkId } of networks)
    tx.onCommit(() => events.emit('panelChanged', { networkId, gameKey }, 'any'));
  return networks.map((network) => network.network_id);
}

/** Returns reread pairs in update order. */
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
        sql`select ${PAIR} from ${PAIR_FROM}
          where ng.network_id = ${networkId} and ng.game_id = any(${its.map((pair) => pair.game_id)}::uuid[]) and ${inSubtree('a', actor)}
         order by ng.game_id for update of ng`,
      )),
    );
  const found = new Map(locked.map((pair) => [pairId(pair), pair]));
  const foreign = updates.flatMap(({ id }, index) =>
    found.has(id) ? [] : [[`updates.${index}.id`, GAME_TEXTS.noPairInRow]],
  );
  if (foreign.length > 0) throw new CallError('NOT_FOUND', { fields: Object.fromEntries(foreign) });
  const twice = updates.flatMap(({ id }, index) =>
    updates.findIndex((update) => update.id === id) < index ? [[`updates.${index}.id`, GAME_TEXTS.rowTwice]] : [],
  );
  if (twice.length > 0) throw new CallError('INVALID_INPUT', { fields: Object.fromEntries(twice) });
  return updates.map(({ id }) => found.get(id)!);
}
