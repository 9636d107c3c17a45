import type { Actor } from '../accounts/authority.ts';
import { arrayOf } from '../db/array-of.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { nameUuid } from '../db/name-uuid.ts';
import { overNetworks } from '../over-networks.ts';
import type { Services } from '../services.ts';
import { CallError } from '../http/http-errors.ts';
import { findOperatedPair, findOwnPair } from './games.sql.ts';
import { sql } from '../db/sql.ts';
import type { PairRow } from './games.sql.ts';

/** Which game of which admin a call means, in its words: `gameId` is the game's key. */
export interface PairChoice {
  readonly gameId: string;
  readonly adminId: string;
}

/** The id of a game and admin pair: neither the game's nor the admin's, and always the same. */
export function pairId(pair: Pick<PairRow, 'admin_id' | 'game_id'>): string {
  return nameUuid(`pair:${pair.admin_id}:${pair.game_id}`);
}

/** The pair that the actor operates. Throws NOT_FOUND for a pair that is not its own. `locked`: its game can't be deleted until the transaction ends. */
export async function requirePair(
  on: Queryable,
  actor: Actor,
  { gameId, adminId }: PairChoice,
  locked?: 'locked',
): Promise<PairRow> {
  const pair = await findOperatedPair(on, actor, gameId, adminId, locked === 'locked');
  if (!pair) throw new CallError('NOT_FOUND', { message: 'There is no such game of this admin.' });
  return pair;
}

/**
 * The pair whose draws a call asks for: of the admin it names, where the caller operates it, else of the caller's own network. Throws
 * NOT_FOUND for any other.
 */
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

/**
 * Locks pairs of a network and their games for the opening of draws, past those that are locked already: by another server that opens theirs, or by a
 * change of what their draws are opened with, such as the interval, the pays or the win percentage. Gives the games of those that it has
 * locked, by their ids.
 */
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

/** Says that nobody has a game of this name, or not the caller. */
export const noSuchGame = (): CallError => new CallError('NOT_FOUND', { message: 'There is no such game.' });

/** Says that a player can't play a game: its network has it not, or not now. */
export const gameNotOpen = (): CallError =>
  new CallError('GAME_UNAVAILABLE', { fields: { gameId: 'This game is not open to you' } });

/** Tells the panels of a pair, once this is committed, that they show something else now: other stakes alone, or anything else besides. */
export function panelChanged(
  { events }: Pick<Services, 'events'>,
  tx: Tx,
  { network_id: networkId, game_key: gameKey }: Pick<PairRow, 'network_id' | 'game_key'>,
  what: 'stakes' | 'any' = 'any',
): void {
  tx.onCommit(() => events.emit('panelChanged', { networkId, gameKey }, what));
}

/** Tells the panels of a game in every network, once this is committed, that they show something else now. Gives the networks that have the game. */
export async function gamePanelsChanged(
  { events }: Pick<Services, 'events'>,
  tx: Tx,
  { game_id: gameId, game_key: gameKey }: Pick<PairRow, 'game_id' | 'game_key'>,
): Promise<readonly number[]> {
  const networks = await tx.query<{ network_id: number }>(
    sql`select network_id from network_games where game_id = ${gameId} order by network_id ${sql.raw(overNetworks('catalogue'))}`,
  );
  for (const { network_id: networkId } of networks)
    tx.onCommit(() => events.emit('panelChanged', { networkId, gameKey }, 'any'));
  return networks.map((network) => network.network_id);
}
