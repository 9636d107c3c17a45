import type { Actor } from '../accounts/authority.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { CallError } from '../http/errors.ts';
import { findOperatedPair, findOwnPair } from './games.sql.ts';
import type { PairRow } from './games.sql.ts';

/** Which game of which admin a call means, in its words: `gameId` is the game's key. */
export interface PairChoice {
  readonly gameId: string;
  readonly adminId: string;
}

/** The pair that the actor operates. Throws NOT_FOUND for a pair that is not its own. */
export async function requirePair(on: Queryable, actor: Actor, { gameId, adminId }: PairChoice): Promise<PairRow> {
  const pair = await findOperatedPair(on, actor, gameId, adminId);
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

/** A game of a network by the keys of both. */
export type PairKeys = Pick<PairRow, 'network_id' | 'game_id'>;

/**
 * Locks pairs for the opening of their draws, past those that are locked already: by another server that opens theirs, or by a change of
 * what their draws are opened with. Gives those that it has locked.
 */
export async function lockPairs(tx: Tx, pairs: readonly PairKeys[]): Promise<PairKeys[]> {
  return tx.query<PairKeys>(
    `select network_id, game_id from network_games
     where (network_id, game_id) in (select * from unnest($1::int[], $2::uuid[]))
     order by network_id, game_id for no key update skip locked`,
    [pairs.map((pair) => pair.network_id), pairs.map((pair) => pair.game_id)],
    'pairs-lock',
  );
}

/**
 * Locks every pair of some games, waiting for whoever opens their draws: to be called before what decides their draws' times is changed,
 * so that no draw opens by the old interval once the change is committed.
 */
export async function lockPairsOf(tx: Tx, gameIds: readonly string[]): Promise<PairKeys[]> {
  return tx.query<PairKeys>(
    `select network_id, game_id from network_games where game_id = any($1::uuid[]) order by network_id, game_id for no key update`,
    [gameIds],
  );
}

/** Says that nobody has a game of this name, or not the caller. */
export const noSuchGame = (): CallError => new CallError('NOT_FOUND', { message: 'There is no such game.' });

/** Tells the panels of a pair, once this is committed, that they show something else now. */
export function panelChanged(
  { events }: Pick<Services, 'events'>,
  tx: Tx,
  { network_id: networkId, game_key: gameKey }: Pick<PairRow, 'network_id' | 'game_key'>,
): void {
  tx.onCommit(() => events.emit('panelChanged', { networkId, gameKey }));
}
